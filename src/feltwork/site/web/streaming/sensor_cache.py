"""The latest sensor readings of the tables, for screens."""

import time
from collections.abc import Iterable

#: Timeout of a reading, after which the dealer taps the seats.
SILENT_SECONDS = 15.0


class SensorCache:
    """Covered seats by link and table, which START GAME locks."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], tuple[float, tuple[int, ...]]] = {}

    def see(self, link: str, table: str, covered: Iterable[int]) -> None:
        """Store a reading."""
        self._seen[link, table] = (time.monotonic(), tuple(sorted(set(covered))))

    def renew(self, link: str, table: str) -> bool:
        """Extend the last reading on a heartbeat; False if there is none."""
        known = self._seen.get((link, table))
        if known:
            self._seen[link, table] = (time.monotonic(), known[1])
        return known is not None

    def forget(self, link: str, table: str) -> None:
        """Drop the reading of a controller that shuts down."""
        self._seen.pop((link, table), None)

    def at_table(self, table: str) -> dict[str, list[int]]:
        """The covered seats of each link of a table with a recent reading."""
        readings = {link: self.covered(link, table) for link, name in list(self._seen) if name == table}
        return {link: seats for link, seats in readings.items() if seats is not None}

    def covered(self, link: str, table: str) -> list[int] | None:
        """The covered seats, or None without a recent reading."""
        at, seats = self._seen.get((link, table), (0.0, ()))
        return list(seats) if at and time.monotonic() - at < SILENT_SECONDS else None
