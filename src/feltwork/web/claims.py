"""Claims as the pit's and the dealer's screens show them."""

from dataclasses import asdict
from typing import Any

from feltwork.operations import awards
from feltwork.operations.awards import WaitingAward, amount_due, tax_flags
from feltwork.operations.connection import Connection
from feltwork.web.pages import amount_text, plain_name
from feltwork.web.screens import faces

__all__ = ["amount_due", "tax_flags", "waiting"]


def waiting(connection: Connection, *, link: str = "", table: str = "") -> list[dict[str, Any]]:
    """Awards that wait for a badge or for the money, the oldest first."""
    return [_shown(one) for one in awards.waiting(connection, link=link, table=table)]


def _shown(one: WaitingAward) -> dict[str, Any]:
    award = one.award
    return {
        **asdict(award),
        "title": one.title,
        "says": plain_name(award.hand),
        "cards": faces.example(one.jackpot, award.hand),
        "envy": one.envy,
        "controls": one.controls,
        "rule": _rule(one.executive_above, award.level) if one.executive_above is not None else "",
        "flags": [asdict(flag) for flag in one.flags],
        "pay_now": one.pay_now,
    }


def _rule(above: int, level: str) -> str:
    return f"An award above {amount_text(above)}, or of the {level} level, takes an executive's badge too."
