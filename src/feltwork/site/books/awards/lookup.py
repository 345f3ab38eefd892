"""Award lookups: one under its lock; without a lock, awards by id, their payments, and the last wins."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from psycopg.rows import dict_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, award_from
from feltwork.site.books.journal.transaction import CommandScope, lock_link_for
from feltwork.site.books.queries import statement
from feltwork.site.progressive.state import Award


def lock_award(connection: Connection, link: str, award: Award, *, adjustment: str = "") -> LinkSnapshot:
    """Lock a link until the transaction ends, and read the awards of the round of one."""
    about = CommandScope(award=award.id, table=award.table, round=award.round, adjustment=adjustment)
    return lock_link_for(connection, link, about)


def awards_named(connection: Connection, link: str, names: Collection[str]) -> dict[str, Award]:
    """The awards of a link with these ids."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_named"), (link, list(names))).fetchall()
    return {row["id"]: award_from(row) for row in rows}


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
