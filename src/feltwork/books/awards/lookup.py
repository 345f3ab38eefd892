"""Awards looked up without a lock: those that wait, those named, those of the cage, the last wins."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row, dict_row

from feltwork.books.audit.export import Period
from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import award_from
from feltwork.books.queries import statement
from feltwork.money import Micros
from feltwork.progressive.state import Award


@dataclass(frozen=True, slots=True, kw_only=True)
class CageAward:
    """A confirmed award as the cage lists it; empty or None where it is not paid or has no record yet."""

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
    supervisor: str
    executive: str
    confirmed_at: datetime
    paid_at: datetime | None
    form: str
    paid_by: str
    payee: str
    patron: str
    #: The approved name of the hand; operations fill it in.
    hand_name: str = ""


def open_awards(connection: Connection) -> dict[str, list[Award]]:
    """The awards of rounds in which one waits for a badge or for the money, by link, the oldest first."""
    awards: dict[str, list[Award]] = {}
    with connection.cursor(row_factory=dict_row) as cursor:
        for row in cursor.execute(statement("awards_open")).fetchall():
            awards.setdefault(row.pop("link"), []).append(award_from(row))
    return awards


def awards_named(connection: Connection, link: str, names: Collection[str]) -> dict[str, Award]:
    """Some awards of a link."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_named"), (link, list(names))).fetchall()
    return {row["id"]: award_from(row) for row in rows}


def awards_of_hand(connection: Connection, award: str) -> list[tuple[str, str]]:
    """Link and id of an award, then those of what the same hand won on other jackpots; none if unknown."""
    return connection.execute(statement("award_links"), (award,)).fetchall()


def cage_awards(
    connection: Connection, period: Period, *, link: str = "", award: str = ""
) -> list[CageAward]:
    """Awards to pay, the one that waits longest first, then those paid in a period; or one award."""
    parameters = {"since": period.since, "until": period.until, "link": link, "award": award}
    with connection.cursor(row_factory=class_row(CageAward)) as cursor:
        return cursor.execute(statement("cage_awards"), parameters).fetchall()


def payer_of(connection: Connection, link: str, award: str) -> str:
    """Who paid an award; empty before it is paid."""
    row = connection.execute(statement("fact_of_unique_event"), (link, "payment", award)).fetchone()
    return json.loads(row[0])["by"] if row else ""


def last_wins(connection: Connection, link: str) -> list[tuple[Award, int]]:
    """The last awards that have left their meter, each with when it was confirmed; 0 before that."""
    return _wins(connection, "recent_wins", link)


def wins_since(connection: Connection, link: str, since: datetime) -> list[tuple[Award, int]]:
    """Awards that were confirmed since a moment and not reversed, newest first, each with when it was."""
    return _wins(connection, "wins_since", link, since)


def _wins(connection: Connection, name: str, *about: object) -> list[tuple[Award, int]]:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement(name), about).fetchall()
    confirmed = [row.pop("confirmed_at") or 0 for row in rows]
    return list(zip(map(award_from, rows), confirmed, strict=True))


def last_decrease(connection: Connection, link: str) -> tuple[int, str] | None:
    """The last entry after which a meter may show less, and its kind."""
    return connection.execute(statement("last_meter_decrease"), {"link": link}).fetchone()
