"""Admission: the rules for device messages, the same as for screens.

A table may report only its own rounds, on a link of the floor in effect, for existing seats, each once, under
the version in effect, with numbers, times and amounts within bounds. Anything else is refused with a reason.
Admitting a round takes one dictionary lookup.

No table plays more rounds per hour than people can deal (`rounds_per_hour`): a stolen device key, or a
dealer with a script, could otherwise feed the meters with wagers that nobody made.
"""

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors import floor_files as floors
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.tables.rounds import last_round, rounds_of_last_hour
from feltwork.site.books.watch.alarms import raise_alarm
from feltwork.site.compliance.floor import Floor, FloorTable, link_from_floor, why_not_on_floor
from feltwork.site.progressive.facts import DAY, HOUR, Instant
from feltwork.site.progressive.refusal import refuse
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


#: The kind of the alarm, and the share of the quota that raises it.
_ALARM, _ALARM_AT = "many rounds", 0.5
#: Messages stored within a minute count as stored together.
_MINUTE: Instant = HOUR // 60
#: Rounds that a waiting message may be ahead of the last round, plus a minute of dealing.
_AHEAD_ROUNDS = 20
_MOST_STEPS = 200
_REMEDY = Sentence("count the chips in the tray and check who uses the table's key")


class RoundQuota:
    """The rounds that the controllers of a link reported in the last hour, by minute."""

    def __init__(self) -> None:
        #: Table -> minute -> rounds.
        self._minutes: dict[str, dict[int, int]] = {}
        self._has_begun = False

    def used(self, table: str, rounds: int, *, most: int, at: Instant) -> float:
        """Return the share of the hourly quota used including these rounds; above 1 they are not counted."""
        minutes, now = self._minutes.setdefault(table, {}), at // _MINUTE
        if now not in minutes:
            for old in [minute for minute in minutes if minute < now - 60]:
                del minutes[old]
            minutes[now] = 0
        share = (sum(minutes.values()) + rounds) / most
        if share <= 1:
            minutes[now] += rounds
        return share

    def give_back(self, table: str, rounds: int, *, at: Instant) -> None:
        """Remove rounds that were counted but not booked."""
        minutes, minute = self._minutes[table], at // _MINUTE
        if minute in minutes:  # after a restore, hours are read together, and the oldest minutes may be gone
            minutes[minute] -= rounds

    def begin(self, connection: Connection, *, at: Instant) -> None:
        """Count the booked rounds of the last hour once, so a restart does not reset the quota."""
        if not self._has_begun:
            self._has_begun = True
            for table, rounds in rounds_of_last_hour(connection, at=at).items():
                self._minutes[table] = {at // _MINUTE: rounds}


class BatchQuota:
    """The quota for one batch of deliveries, stored from one moment to another."""

    def __init__(
        self,
        connection: Connection,
        quota: RoundQuota,
        admission: Admission,
        stored: tuple[Instant, Instant],
        booked: Collection[Key] = frozenset(),
    ) -> None:
        self._connection = connection
        self._quota = quota
        self._admission = admission
        first, self._last = stored
        #: Whether the batch spans less than a minute; after a restore it may span hours.
        self._is_short = abs(self._last - first) < _MINUTE
        #: Booked rounds of redelivered messages, which were counted before.
        self._booked = booked
        self._used: list[tuple[str, int, Instant]] = []
        self._alarms: dict[str, Problem] = {}

    @property
    def alarms(self) -> list[tuple[str, str, Problem]]:
        """The alarms to raise: kind, place and why."""
        return [(_ALARM, f"table {table}", problem) for table, problem in self._alarms.items()]

    def refusal(self, message: RoundStarted, stored_at: Instant) -> Problem | None:
        """Return why rounds exceed what people can deal, or None; half of the quota raises an alarm."""
        most = self._admission.rounds_per_hour(message.link, message.table)
        rounds = int((message.table, message.round) not in self._booked)
        at = self._last if self._is_short else stored_at
        self._quota.begin(self._connection, at=at)
        share = self._quota.used(message.table, rounds, most=most, at=at)
        if share <= 1:
            self._used.append((message.table, rounds, at))
        if share <= _ALARM_AT:
            return None
        what = Sentence(
            "table %(table)s reports more than %(rounds)s rounds in an hour",
            table=message.table,
            rounds=most if share > 1 else most // 2,
        )
        problem = Problem(f"{message.link}, table {message.table}", what, _REMEDY, "GEN-07")
        self._alarms[message.table] = problem
        return problem if share > 1 else None

    def give_back(self) -> None:
        """Remove the rounds of a batch that could not be booked; the retry counts them again."""
        for table, rounds, at in self._used:
            self._quota.give_back(table, rounds, at=at)
        self._used.clear()


def may_come(connection: Connection, admission: Admission, message: RoundMessage) -> bool:
    """Whether the round of a message may still arrive; a round far ahead of the last is a flood."""
    ahead = _AHEAD_ROUNDS + admission.rounds_per_hour(message.link, message.table) // 60
    last = last_round(connection, message.table, message.link)
    return message.step <= _MOST_STEPS and message.round <= last + ahead


def verify_quota(connection: Connection, table: str, rounds: int, *, by: str) -> None:
    """Raise if these rounds from a screen exceed what people can deal; half of the quota raises an alarm."""
    most = floor_in_force(connection).table_by_id[table].rounds_per_hour
    share = (rounds_of_last_hour(connection, table=table).get(table, 0) + rounds) / most
    what = Sentence("more than %(rounds)s rounds in an hour", rounds=most if share > 1 else most // 2)
    if share > 1:
        raise refuse(f"table {table}", what, _REMEDY, "GEN-07")
    if share > _ALARM_AT:
        details = {"what": what, "remedy": _REMEDY, "requirement": "GEN-07"}
        raise_alarm(connection, _ALARM, f"table {table}", details, by=by)
