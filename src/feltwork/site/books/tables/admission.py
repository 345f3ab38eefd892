"""Admission: the rules for device messages, the same as for screens.

A table may report only its own rounds, on a link of the floor in effect, for existing seats, each once, under
the version in effect, with numbers, times and amounts within bounds. Anything else is refused with a reason.
Admitting a round takes one dictionary lookup.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors import floor_files as floors
from feltwork.site.compliance.floor import Floor, FloorTable, link_from_floor, why_not_on_floor
from feltwork.site.progressive.facts import DAY, Instant
from feltwork.site.wire.uplink import RoundMessage, RoundStarted

#: Highest round number: at one round per second, a table reaches it in 30,000 years.
MOST_ROUNDS = 10**12
#: Largest lag of a table's clock, including rounds stored while it was cut off, and largest lead.
OLDEST: Instant = 31 * DAY
AHEAD: Instant = 7 * DAY


TOO_FAR = Sentence("its time differs too much from the time of the books")


@dataclass(slots=True)
class TableRule:
    """The admission rules of one table on one link."""

    seats: int
    version: str
    rounds_per_hour: int
    #: Seat combinations already checked.
    known: set[tuple[int, ...]] = field(default_factory=set)

    def fits(self, seats: tuple[int, ...]) -> bool:
        """Whether the table has all of these seats, and none is repeated."""
        if seats in self.known:
            return True
        fits = len(set(seats)) == len(seats) and all(1 <= seat <= self.seats for seat in seats)
        if fits and len(self.known) < 4_096:
            self.known.add(seats)
        return fits


class Admission:
    """The rules of the floor in effect, by link and table."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._rules: dict[tuple[str, str], TableRule] = {}
        for link in floor.links:
            version = link_from_floor(floor, link).fingerprint
            for table in floor.tables_of(link):
                self._rules[link.id, table.id] = TableRule(table.seats, version, table.rounds_per_hour)

    def table(self, name: str) -> FloorTable | None:
        """Return a table of the floor."""
        return self._floor.table_by_id.get(name)

    def seats_at(self, link: str, table: str) -> int:
        """Return the number of seats of a table on a link; 0 if it is not on the floor."""
        rule = self._rules.get((link, table))
        return rule.seats if rule else 0

    def rounds_per_hour(self, link: str, table: str) -> int:
        """Return the hourly quota of a table on the floor."""
        return self._rules[link, table].rounds_per_hour

    def refusal(self, message: RoundStarted, now: Instant) -> Problem | None:
        """Return why the start of a round is refused, or None if it is admitted."""
        rule = self._rules.get((message.link, message.table))
        if rule is None:
            return self._not_on_floor(message)
        if message.version != rule.version:
            what = Sentence(
                "it names version %(named)s, but version %(version)s is in effect",
                named=message.version[:12],
                version=rule.version[:12],
            )
            return _refuse(message, what)
        if message.round > MOST_ROUNDS:
            return _refuse(message, Sentence("%(number)s is not a valid round number", number=message.round))
        if message.seats not in rule.known and not rule.fits(message.seats):
            return self._not_on_floor(message, message.seats)
        return None if is_near(message.at, now) else _refuse(message, TOO_FAR)

    def refusal_of_message(self, message: RoundMessage) -> Problem | None:
        """Return why a message about a round is refused, or None if it is admitted."""
        rule = self._rules.get((message.link, message.table))
        seat = getattr(message, "seat", 1)
        if rule is None or not 1 <= seat <= rule.seats:
            return self._not_on_floor(message, (seat,))
        if message.round > MOST_ROUNDS:
            return _refuse(message, Sentence("%(number)s is not a valid round number", number=message.round))
        return None

    def _not_on_floor(self, message: RoundMessage, seats: tuple[int, ...] = ()) -> Problem:
        """Return the same problem as at a screen; if the floor has every seat, one of them is repeated."""
        problem = why_not_on_floor(self._floor, message.link, message.table, seats)
        return problem or _refuse(message, Sentence("a seat is listed twice"))


def admission_of(
    connection: Connection, known: Mapping[int, Admission]
) -> tuple[int, Admission | None, bool]:
    """Return the number and the rules of the floor in effect, and whether commits wait for a standby.

    Before the first floor, that is 0, None and, to be safe, True.
    """
    try:
        number, has_standby = floors.number_in_effect(connection)
    except ProblemsError:
        return 0, None, True
    return number, known.get(number) or Admission(floors.floor_in_force(connection)), has_standby


def is_near(at: Instant, now: Instant) -> bool:
    """Whether the time of a round is close enough to the time of the books."""
    return now - OLDEST <= at <= now + AHEAD


def now() -> Instant:
    """Return the time used for admission."""
    return time.time_ns() // 1_000


def _refuse(message: RoundMessage, what: str) -> Problem:
    where = f"{message.link}, table {message.table}, round {message.round}"
    return Problem(where, what, "correct the device; the message is parked", "GEN-07")
