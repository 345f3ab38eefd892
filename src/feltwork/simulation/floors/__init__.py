"""Floor files that ship with Feltwork, for simulated rooms."""

from importlib.resources import files
from pathlib import Path

from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.floor_file import read_floor

#: The room of the demo: all six games, all six jackpots.
LANTERN = "lantern"


def room_text(name: str = LANTERN) -> str:
    """Return the text of a floor file that ships with Feltwork, or of the file at a path."""
    carried = files(__name__).joinpath(f"{name}.toml")
    return (carried if carried.is_file() else Path(name)).read_text(encoding="utf-8")


def room(name: str = LANTERN) -> Floor:
    """Return the floor in that floor file."""
    return read_floor(room_text(name), where=name)
