"""Floor files that come with Feltwork: rooms that play themselves."""

from importlib.resources import files
from pathlib import Path

from feltwork.compliance.floor import Floor
from feltwork.compliance.floor_file import read_floor

#: The room of the demo: all six games, all six jackpots.
LANTERN = "lantern"


def room_text(name: str = LANTERN) -> str:
    """The floor file of a room that comes along, or of a file that somebody names."""
    carried = files(__name__).joinpath(f"{name}.toml")
    return (carried if carried.is_file() else Path(name)).read_text(encoding="utf-8")


def room(name: str = LANTERN) -> Floor:
    """That floor."""
    return read_floor(room_text(name), where=name)
