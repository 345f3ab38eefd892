"""Alarms, open until their cause is gone; each change is audited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm, open until it is cleared."""

    kind: str
    place: str
    details: Mapping[str, Any]
    raised_at: datetime
    cleared_at: datetime | None = None
    cleared_by: str | None = None


def raise_alarm(
    connection: Connection, kind: str, place: str, details: Mapping[str, Any], *, by: str
) -> bool:
    """Raise or update an alarm; returns whether anything changed."""
    with connection.transaction():
        new = connection.execute(statement("raise_alarm"), (kind, place, Jsonb(details))).rowcount == 1
        if new:
            write_audit(connection, AuditLine(who=by, place=place, what=f"alarm: {kind}", after=details))
    return new


def clear_alarm(connection: Connection, kind: str, place: str, *, by: str, why: str) -> bool:
    """Clear an alarm; returns whether one was open."""
    with connection.transaction():
        row = connection.execute(statement("clear_alarm"), (by, kind, place)).fetchone()
        if row is not None:
            line = AuditLine(who=by, place=place, what=f"alarm cleared: {kind}", why=why, before=row[0])
            write_audit(connection, line)
    return row is not None


def open_alarms(connection: Connection) -> list[Alarm]:
    """Open alarms, newest first."""
    return [Alarm(*row) for row in connection.execute(statement("open_alarms"))]


def last_alarms(connection: Connection, *, cleared: int = 20) -> list[Alarm]:
    """All open alarms, then the last cleared ones with the person who cleared them."""
    return [Alarm(*row) for row in connection.execute(statement("last_alarms"), (cleared,))]


def missing_numbers(connection: Connection) -> dict[str, str]:
    """The round numbers that tables have skipped, in the form ``five-card 3-4,7`` [GEN-11]."""
    return _by_table(connection.execute(statement("missing_numbers")).fetchall())


def refused_numbers(connection: Connection) -> dict[str, str]:
    """Refused rounds that were not booked by hand."""
    return _by_table(connection.execute(statement("refused_numbers")).fetchall())


def _by_table(rows: Sequence[tuple[str, str, str]]) -> dict[str, str]:
    texts_by_table: dict[str, list[str]] = {}
    for table, link, numbers in rows:
        texts_by_table.setdefault(table, []).append(f"{link} {_as_text(numbers)}")
    return {table: "; ".join(texts) for table, texts in texts_by_table.items()}


def _as_text(numbers: str) -> str:
    """``{[3,5),[7,8)}`` as ``3-4,7``."""
    parts = [part.split(",") for part in numbers.strip("{}[)").split("),[")]
    pairs = [(int(first), int(end) - 1) for first, end in parts]
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)
