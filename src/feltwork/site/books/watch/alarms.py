"""Alarms, open until their cause is gone; each change is audited."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import UNAVAILABLE, Connection, Pool
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.pg_arrays import ranges_text
from feltwork.site.books.queries import statement

#: Callback that raises an alarm, by kind and place, or clears it.
Report: TypeAlias = Callable[[str, str, str | None], None]
_PAUSE_SECONDS = 1.0


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


class AlarmWriter:
    """Alarms of a process about itself, retried until written to the books."""

    def __init__(self, pool: Pool, by: str) -> None:
        self._pool = pool
        self._by = by
        self._pending: dict[tuple[str, str], str | None] = {}
        self._some = asyncio.Event()

    def report(self, kind: str, place: str, what: str | None) -> None:
        """Raise an alarm, or clear it if `what` is None."""
        self._pending[kind, place] = what
        self._some.set()

    async def run(self) -> None:
        """Write until canceled."""
        while True:
            await self._some.wait()
            self._some.clear()
            for (kind, place), what in list(self._pending.items()):
                try:
                    await asyncio.to_thread(self._write, kind, place, what)
                except UNAVAILABLE:
                    self._some.set()
                    await asyncio.sleep(_PAUSE_SECONDS)
                    break
                if self._pending[kind, place] == what:
                    del self._pending[kind, place]

    def _write(self, kind: str, place: str, what: str | None) -> None:
        with self._pool.connection() as connection:
            if what is None:
                clear_alarm(connection, kind, place, by=self._by, why="It works again.")
            else:
                raise_alarm(connection, kind, place, {"what": what}, by=self._by)


def update_round_alarms(
    connection: Connection, lasting: Callable[[Mapping[str, str]], Mapping[str, str]], *, by: str
) -> Counter[str]:
    """Raise and clear the alarms about missing and refused rounds; return the open alarms by kind.

    ``lasting`` picks the numbers of each table that have been missing for too long.
    """
    missing = round_numbers(connection, "missing_numbers")
    refused = round_numbers(connection, "refused_numbers")
    kinds = {"gap": ("missing", lasting(missing), missing), "refused rounds": ("rounds", refused, refused)}
    before = open_alarms(connection)
    for kind, (name, tables, known) in kinds.items():
        for table, numbers in tables.items():
            raise_alarm(connection, kind, f"table {table}", {name: numbers}, by=by)
        for alarm in before:
            if alarm.kind == kind and alarm.place.removeprefix("table ") not in known:
                clear_alarm(connection, kind, alarm.place, by=by, why="all of them are booked")
    counts = Counter(alarm.kind for alarm in open_alarms(connection))
    # A kind whose last alarm was cleared counts as zero.
    counts.update(dict.fromkeys((*kinds, *(alarm.kind for alarm in before)), 0))
    return counts


def round_numbers(connection: Connection, query: str) -> dict[str, str]:
    """Numbers of rounds by table, in the form ``five-card 3-4,7`` [GEN-11]."""
    texts_by_table: dict[str, list[str]] = {}
    for table, link, numbers in connection.execute(statement(query)):
        texts_by_table.setdefault(table, []).append(f"{link} {ranges_text(numbers)}")
    return {table: "; ".join(texts) for table, texts in texts_by_table.items()}
