"""Sensors: which seats have a chip on theirs, as the tables said last; a silent table has no lights."""

import time
from collections.abc import Iterable

#: After this a table counts as silent, and the dealer taps the seats.
SILENT_SECONDS = 15.0


class SensorCache:
    """What the sensors of all tables have told; kept for screens only, nothing is booked from it."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], tuple[float, tuple[int, ...]]] = {}

    def see(self, link: str, table: str, covered: Iterable[int]) -> None:
        """A table tells which seats are covered on its line of a link."""
        self._seen[link, table] = (time.monotonic(), tuple(sorted(set(covered))))

    def renew(self, link: str, table: str) -> bool:
        """A table lives and sees what it saw; the answer is whether it has told anything."""
        known = self._seen.get((link, table))
        if known:
            self._seen[link, table] = (time.monotonic(), known[1])
        return known is not None

    def covered(self, link: str, table: str) -> list[int] | None:
        """The covered seats, or none where the table is silent."""
        at, seats = self._seen.get((link, table), (0.0, ()))
        return list(seats) if at and time.monotonic() - at < SILENT_SECONDS else None
