"""Alarms: about table messages, missing rounds, and the process itself."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TypeAlias

from feltwork.site.books.connection import UNAVAILABLE, Connection, Pool
from feltwork.site.books.records.alarms_rows import (
    clear_alarm,
    missing_numbers,
    open_alarms,
    raise_alarm,
    refused_numbers,
)

#: Callback that raises an alarm, by kind and place, or clears it.
Report: TypeAlias = Callable[[str, str, str | None], None]
_PAUSE_SECONDS = 1.0


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


def count_alarms(connection: Connection) -> int:
    """Return the number of open alarms."""
    return len(open_alarms(connection))


def update_round_alarms(
    connection: Connection, lasting: Callable[[Mapping[str, str]], Mapping[str, str]], *, by: str
) -> Counter[str]:
    """Raise and clear the alarms about missing and refused rounds; return the open alarms by kind.

    ``lasting`` picks the numbers of each table that have been missing for too long.
    """
    missing, refused = missing_numbers(connection), refused_numbers(connection)
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
