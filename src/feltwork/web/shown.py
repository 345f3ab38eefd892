"""What is shown: a link as it hangs on the wall, for everybody in the room, and nothing besides."""

from typing import Any

from feltwork.books import house
from feltwork.books.connection import Connection
from feltwork.books.standing import look_at_meters
from feltwork.books.statements import statement
from feltwork.operations.errors import unknown
from feltwork.paytables.paytable import Odds, Row, Share
from feltwork.progressive.link import Link
from feltwork.web import told
from feltwork.web.pages import amount_text, plain_name

#: Why a meter may show less than before, as a sign says it.
_DROPS = {
    "Locked": "won",
    "Released": "a claim was taken back",
    "Misdealt": "wagers of a void round were given back",
    "Adjusted": "corrected by two people",
    "Reversed": "an award was reversed",
    "CapSet": "a cap was set",
    "Removed": "the jackpot was removed",
}


def on_sign(connection: Connection, link: str) -> dict[str, Any]:
    """The amounts, the last wins and the notices of a link or a house jackpot [GEN-12, WA-02]."""
    kind = told.links(connection).get(link)
    if kind is None:
        raise unknown(f"link {link}")
    return _house(connection, link) if kind == "house" else _progressive(connection, link)


def _progressive(connection: Connection, name: str) -> dict[str, Any]:
    taken = look_at_meters(connection, name)
    state = taken.state
    drop = connection.execute(statement("last_drop"), {"link": name}).fetchone()
    return {
        "link": name,
        "kind": "progressive",
        "title": state.link.title.title,
        "open": state.takes_wagers,
        "levels": [
            {
                "level": level.name,
                "amount": state.meter(level.name),
                "wins": state.counters[level.name].hits,
                "base": level.seed,
            }
            for level in state.link.levels
        ],
        "wins": _wins(connection, name),
        "drop": {"entry": drop[0], "why": _DROPS.get(drop[1], "")} if drop else None,
        "notices": [] if state.takes_wagers else ["No wagers are taken on this jackpot now."],
        "entry": taken.tail.number,
        "as_of": taken.now,
    }


def _house(connection: Connection, name: str) -> dict[str, Any]:
    """A house jackpot stands still: one posted amount and both disclosures [WA-02]."""
    state, tail, now = house.look_at_amount(connection, name)
    return {
        "link": name,
        "kind": "house",
        "title": "House jackpot",
        "open": state.amount > 0,
        "hand": state.jackpot.hand,
        "levels": [{"level": "posted", "amount": state.amount, "wins": 0, "base": state.amount}],
        "wins": _wins(connection, name),
        "drop": None,
        "notices": list(state.jackpot.disclosures),
        "entry": tail.number,
        "as_of": now,
    }


def _wins(connection: Connection, link: str) -> list[dict[str, Any]]:
    names = ("award", "table", "seat", "hand", "level", "amount", "status", "at")
    rows = connection.execute(statement("wins_shown"), (link,)).fetchall()
    return [dict(zip(names, row, strict=True)) for row in rows]


def paytable_of(link: Link) -> list[dict[str, Any]]:
    """The rows of a link's paytable in money, as players read them [LT-13]."""
    return [
        {
            "hand": row.hand,
            "says": plain_name(row.hand),
            "level": row.pays.level if isinstance(row.pays, Share) else "",
            "pays": pays_text(link, row),
            "envy": row.envy_for(link.wager),
        }
        for row in link.paytable.rows
    ]


def pays_text(link: Link, row: Row) -> str:
    """What a row pays at the link's wager."""
    if isinstance(row.pays, Odds):
        return amount_text(row.pays.pay(link.wager), cents=row.pays.pay(link.wager) % 1_000_000 != 0)
    if isinstance(row.pays, Share) and row.pays.is_whole:
        return row.pays.level.capitalize()
    return str(row.pays)
