"""Floor files that ship with Feltwork, for simulated rooms."""

from importlib.resources import files
from pathlib import Path

from feltwork.compliance.floor import Floor
from feltwork.compliance.floor_file import read_floor

#: The room of the demo: all six games, all six jackpots.
LANTERN = "lantern"
#: The hub of the demo network, and the additions for each of its rooms.
NETWORK, NETWORK_ROOM = "network", "network_room"


def room_text(name: str = LANTERN) -> str:
    """Return the text of a floor file that ships with Feltwork, or of the file at a path."""
    carried = files(__name__).joinpath(f"{name}.toml")
    return (carried if carried.is_file() else Path(name)).read_text(encoding="utf-8")


def room(name: str = LANTERN) -> Floor:
    """Return the floor in that floor file."""
    return read_floor(room_text(name), where=name)


def network_room_text(site: str, name: str) -> str:
    """Return a demo room's floor file: the hub's, with the room's names, tables and agreement."""
    joins = f'site = "{site}"\nagreement = "made up for the demo: {site}"\nowes_at_most = "100000.00"'
    text = room_text(NETWORK)
    for hubs, own in (
        ('site = "Cascade Network"', f'site = "{name}"'),
        ('location = "hub"', f'location = "{site}"'),
        ('tables = ["C1"]', 'tables = ["C1", "C2", "C3"]'),
        ('site = "hub"', joins),
    ):
        text = text.replace(hubs, own)
    return f"{text}\n{room_text(NETWORK_ROOM)}"
