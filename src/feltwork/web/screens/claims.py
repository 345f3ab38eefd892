"""Claims as the screens of the pit, the dealer and the demo show them."""

from dataclasses import dataclass

from feltwork.operations.awards import awards
from feltwork.operations.awards.awards import WaitingAward
from feltwork.operations.connection import Connection
from feltwork.web.rendering import hand_faces as faces
from feltwork.web.rendering.templating import amount_text, fields_of, plain_name


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClaim(WaitingAward):
    """An award that waits, in words, with cards that show such a hand."""

    says: str
    faces: list[str]
    #: Why it takes a second badge; empty where one is enough.
    rule: str


def waiting(connection: Connection, *, link: str = "", table: str = "") -> list[ShownClaim]:
    """Awards that wait for a badge or for the money, the oldest first."""
    return [
        ShownClaim(
            **fields_of(one),
            says=plain_name(one.hand),
            faces=faces.example(one.jackpot, one.hand),
            rule=_rule(one.executive_above, one.level) if one.executive_above is not None else "",
        )
        for one in awards.waiting(connection, link=link, table=table)
    ]


def _rule(above: int, level: str) -> str:
    return f"An award above {amount_text(above)}, or of the {level} level, takes an executive's badge too."
