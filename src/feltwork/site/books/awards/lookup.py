"""Award lookups without a lock: open awards, awards by id, the cage's awards, and the last wins."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.rows import class_row, dict_row

from feltwork.money import Micros
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.journal.link_state import award_from
from feltwork.site.books.queries import statement
from feltwork.site.progressive.state import Award


@dataclass(frozen=True, slots=True, kw_only=True)
class CageAward:
    """A confirmed award as the cage lists it; fields are empty or None until it is paid or has a record."""

    link: str
    id: str
    table: str
    round: int
    seat: int
    hand: str
    level: str
    cards: str
    amount: Micros
    status: str
    claimed_by: str
    cards_by: str
    supervisor: str
    executive: str
    witness: str
    #: The entry of its payment, or of its confirmation before that.
    entry: int
    confirmed_at: datetime
    paid_at: datetime | None
    form: str
    paid_by: str
    payee: str
    patron: str
    #: The approved name of the hand; operations fill it in.
    hand_name: str = ""


def open_awards(connection: Connection) -> dict[str, list[Award]]:
    """The awards of rounds in which an award waits for a badge or payment, by link, oldest first."""
    awards: dict[str, list[Award]] = {}
    with connection.cursor(row_factory=dict_row) as cursor:
        for row in cursor.execute(statement("awards_open")).fetchall():
            awards.setdefault(row.pop("link"), []).append(award_from(row))
    return awards


def awards_named(connection: Connection, link: str, names: Collection[str]) -> dict[str, Award]:
    """The awards of a link with these ids."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_named"), (link, list(names))).fetchall()
    return {row["id"]: award_from(row) for row in rows}


def awards_of_hand(connection: Connection, award: str) -> list[tuple[str, str]]:
    """Link and id of an award, then of the same hand's awards on other jackpots; empty if unknown."""
    return connection.execute(statement("award_links"), (award,)).fetchall()


def cage_awards(
    connection: Connection, period: Period, *, link: str = "", award: str = ""
) -> list[CageAward]:
    """Awards to pay, longest wait first, then those paid in a period; or one award."""
    parameters = {"since": period.since, "until": period.until, "link": link, "award": award}
    with connection.cursor(row_factory=class_row(CageAward)) as cursor:
        return cursor.execute(statement("cage_awards"), parameters).fetchall()


def payment_of(connection: Connection, link: str, award: str) -> Mapping[str, Any]:
    """The fact that paid or confiscated an award; empty before that."""
    row = connection.execute(statement("fact_of_unique_event"), (link, "payment", award)).fetchone()
    return json.loads(row[0]) if row else {}


def last_wins(connection: Connection, link: str) -> list[tuple[Award, int]]:
    """The last awards that have left their meter, each with its confirmation time, or 0 before that."""
    return _wins(connection, "recent_wins", link)


def wins_since(connection: Connection, link: str, since: datetime) -> list[tuple[Award, int]]:
    """Awards confirmed since a moment and not reversed, newest first, each with its confirmation time."""
    return _wins(connection, "wins_since", link, since)


def _wins(connection: Connection, name: str, *about: object) -> list[tuple[Award, int]]:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement(name), about).fetchall()
    confirmed = [row.pop("confirmed_at") or 0 for row in rows]
    return list(zip(map(award_from, rows), confirmed, strict=True))


def last_decrease(connection: Connection, link: str) -> tuple[int, str] | None:
    """The last entry after which a meter may show less, and its kind."""
    return connection.execute(statement("last_meter_decrease"), {"link": link}).fetchone()
