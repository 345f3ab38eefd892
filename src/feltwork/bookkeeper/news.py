"""News out of the books: links that have moved, and what became of claims since the last that was told."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from psycopg.rows import dict_row

from feltwork.books.connection import Connection
from feltwork.books.standing import Taken, award_from, look_at_meters
from feltwork.books.statements import statement
from feltwork.progressive import facts
from feltwork.progressive.facts import Fact
from feltwork.progressive.plain import from_plain
from feltwork.progressive.state import Award
from feltwork.wire.told import AwardConfirmed, AwardPaid, AwardVoided, ClaimBooked, OfAward

_MOST = 500


@dataclass(frozen=True, slots=True)
class News:
    """What the tables of a link must hear, each with its entry, and the entry up to which this is all."""

    messages: tuple[tuple[int, OfAward], ...]
    until: int


@dataclass(slots=True)
class Look:
    """What one look at the books found."""

    meters: list[tuple[Taken, Mapping[str, str]]] = field(default_factory=list)
    news: dict[str, News] = field(default_factory=dict)


def look(connection: Connection, told: Mapping[str, int], seen: Mapping[str, int]) -> Look:
    """The links that stand at another entry than was told, and the news after those that were seen."""
    found = Look()
    for link, number in connection.execute(statement("chain_ends")).fetchall():
        if told.get(link, -1) < number:
            taken = look_at_meters(connection, link)
            found.meters.append((taken, _reasons(connection, link) if taken.state.stops else {}))
        if seen.get(link, -1) < number:
            found.news[link] = news_of(connection, link, until=number)
    return found


def news_of(connection: Connection, link: str, *, until: int) -> News:
    """What became of claims after the last entry that was told, in the order of the books."""
    row = connection.execute(statement("news_cursor"), (link,)).fetchone()
    about = {"link": link, "after": row[0] if row else 0, "most": _MOST}
    rows = connection.execute(statement("news_of_awards"), about).fetchall()
    if not rows:
        return News((), until)
    told = [(number, from_plain(json.loads(fact))) for number, fact in rows]
    awards = _awards(connection, link, {_award_of(fact) for _, fact in told})
    messages = [(number, _message(fact, awards[_award_of(fact)])) for number, fact in told]
    whole = len(rows) < _MOST
    return News(
        tuple((number, message) for number, message in messages if message is not None),
        until if whole else rows[-1][0],
    )


def moved(connection: Connection, link: str, number: int) -> None:
    """Everything up to an entry has been told."""
    connection.execute(statement("news_told"), (link, number))


def _message(fact: Fact, award: Award) -> OfAward | None:
    about: dict[str, Any] = {
        "link": fact.link,
        "at": fact.at,
        "table": award.table,
        "award": award.id,
        "round": award.round,
        "seat": award.seat,
        "hand": award.hand,
    }
    match fact:
        case facts.Claimed():
            return ClaimBooked(**about)
        case facts.Locked() if award.status == "claimed":
            amount = fact.from_meter + fact.from_house
            return ClaimBooked(**about, level=fact.level, amount=amount)
        case facts.Confirmed():
            return AwardConfirmed(**about, level=fact.level, amount=fact.from_meter + fact.from_house)
        case facts.Voided() | facts.Reversed():
            return AwardVoided(**about, reason=fact.reason)
        case facts.Paid():
            return AwardPaid(**about, amount=fact.amount, form=fact.form)
    return None


def _award_of(fact: Fact) -> str:
    name: str = fact.award  # type: ignore[attr-defined]
    return name


def _awards(connection: Connection, link: str, names: set[str]) -> dict[str, Award]:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_named"), (link, list(names))).fetchall()
    return {row["id"]: award_from(row) for row in rows}


def _reasons(connection: Connection, link: str) -> dict[str, str]:
    """Why a link is stopped, by cause: the last word on each."""
    rows = connection.execute(statement("stops_of"), (link,)).fetchall()
    return {cause: reason[:500] for cause, reason in rows}
