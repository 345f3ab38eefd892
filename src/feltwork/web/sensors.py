"""Sensors: which seats have a chip on theirs, as the tables said last; a silent table has no lights."""

import time
from collections.abc import Iterable

#: After this a table counts as silent, and the dealer taps the seats.
SILENT_SECONDS = 15.0


class Sensors:
    """What the sensors of all tables have told; kept for screens only, nothing is booked from it."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, tuple[int, ...]]] = {}

    def see(self, table: str, covered: Iterable[int]) -> None:
        """A table tells which seats are covered."""
        self._seen[table] = (time.monotonic(), tuple(sorted(set(covered))))

    def covered(self, table: str) -> list[int] | None:
        """The covered seats, or none where the table is silent."""
        at, seats = self._seen.get(table, (0.0, ()))
        return list(seats) if at and time.monotonic() - at < SILENT_SECONDS else None
