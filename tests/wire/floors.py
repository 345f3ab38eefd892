"""A small floor for the wire: two tables of one link with sensors, and one more link."""

from pathlib import Path

from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.floor_file import read_floor

CARD_ROOM = Path(__file__).parent.parent.parent / "examples" / "card_room.toml"


def card_room() -> Floor:
    return read_floor(CARD_ROOM.read_text(encoding="utf-8"), where="card_room.toml")
