"""Alarms that a process raises about itself, kept until they are in the books."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from psycopg import InterfaceError, OperationalError

from feltwork.books.alarms import clear_alarm, raise_alarm

_PAUSE_SECONDS = 1.0


class ConnectionSource(Protocol):
    """Where a connection comes from: a pool."""

    @property
    def connection(self) -> Callable[[], AbstractContextManager[Any]]:
        """A connection for a block of code."""


class AlarmWriter:
    """The newest state of each alarm, and the task that writes it."""

    def __init__(self, pool: ConnectionSource, by: str) -> None:
        self._pool = pool
        self._by = by
        self._pending: dict[tuple[str, str], str | None] = {}
        self._some = asyncio.Event()

    def report(self, kind: str, place: str, what: str | None) -> None:
        """Raise an alarm, or clear it where nothing is wrong any more."""
        self._pending[kind, place] = what
        self._some.set()

    async def run(self) -> None:
        """Write until cancelled."""
        while True:
            await self._some.wait()
            self._some.clear()
            for (kind, place), what in list(self._pending.items()):
                try:
                    await asyncio.to_thread(self._write, kind, place, what)
                except (OperationalError, InterfaceError):
                    self._some.set()  # the books do not answer
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
