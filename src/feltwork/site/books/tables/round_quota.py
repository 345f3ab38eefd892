"""The quota of a table: no more rounds per hour than people can deal.

A stolen device key, or a dealer with a script, could otherwise feed the meters with wagers that nobody made.
The floor file sets the number for each table (`rounds_per_hour`).
"""

from collections.abc import Collection, Sequence

from feltwork.problem import Problem, Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import floor_in_force
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.tables.admission import Admission
from feltwork.site.books.tables.delivery_outcome import Delivery
from feltwork.site.books.tables.table_status_rows import last_round, rounds_of_last_hour
from feltwork.site.books.watch.alarms import raise_alarm
from feltwork.site.progressive.facts import HOUR, Instant
from feltwork.site.progressive.refusal import refuse
from feltwork.site.wire.uplink import RoundMessage, RoundStarted

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
    """The quota for one batch of deliveries."""

    def __init__(
        self,
        connection: Connection,
        quota: RoundQuota,
        admission: Admission,
        deliveries: Sequence[Delivery],
        booked: Collection[Key] = frozenset(),
    ) -> None:
        self._connection = connection
        self._quota = quota
        self._admission = admission
        first, self._last = deliveries[0].stored_at, deliveries[-1].stored_at
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

    def refusal(self, delivery: Delivery, message: RoundStarted) -> Problem | None:
        """Return why rounds exceed what people can deal, or None; half of the quota raises an alarm."""
        most = self._admission.rounds_per_hour(message.link, message.table)
        rounds = int((message.table, message.round) not in self._booked)
        at = self._last if self._is_short else delivery.stored_at
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
