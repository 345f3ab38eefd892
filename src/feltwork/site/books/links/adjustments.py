"""Adjustments in the books: two people change a pool for a lawful reason."""

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.transaction import CommandScope, Committed, decide
from feltwork.site.progressive import adjustment as rules
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.facts import Instant


def adjust(
    connection: Connection, link: str, adjustment: Adjustment, *, at: Instant | None = None
) -> Committed:
    """Book a change of a pool [WA-08, WA-15]."""
    return decide(
        connection,
        link,
        lambda state, now: (rules.adjust(state, adjustment, at=now),),
        about=CommandScope(adjustment=adjustment.id),
        at=at,
    )


def buy_merchandise(
    connection: Connection, link: str, adjustment: Adjustment, *, hand: str, notice: str
) -> Committed:
    """Book goods bought from the reserve instead of a fixed prize [WA-21]."""
    return decide(
        connection,
        link,
        lambda state, now: (rules.buy_merchandise(state, adjustment, hand=hand, notice=notice, at=now),),
        about=CommandScope(adjustment=adjustment.id),
    )
