"""Deliveries: messages of table controllers, applied to a link in batches under the same rules as screens.

Devices report and the books compute: claims, their ids and tray pays come from the books' state of the round.
A message that is refused or waits too long is parked with its reason.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.connection import UNAVAILABLE, Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, lock_link, read_meters
from feltwork.site.books.pg_arrays import existing_keys
from feltwork.site.books.tables import message_log
from feltwork.site.books.tables.admission import Admission, admission_of, now
from feltwork.site.books.tables.delivery_batch import DeliveryBatch
from feltwork.site.books.tables.delivery_outcome import Delivery, Outcome, problem_of
from feltwork.site.books.tables.earlier_outcomes import earlier_outcomes
from feltwork.site.books.tables.message_log import LoggedMessage
from feltwork.site.books.tables.message_order import RoundRecord, Turn, turn_of
from feltwork.site.books.tables.round_messages import carry_out, logged_form
from feltwork.site.books.tables.round_quota import BatchQuota, RoundQuota, may_come
from feltwork.site.books.tables.round_state import played_round, say
from feltwork.site.books.tables.rounds_rows import book_ends, book_rounds
from feltwork.site.books.tables.sign_ons import SignOns
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundEnded as EndFact
from feltwork.site.progressive.round_facts import RoundStarted as RoundFact
from feltwork.site.wire.uplink import (
    Claim,
    RoundEnded,
    RoundMessage,
)
from feltwork.telemetry.tracing import span

_TWO = Sentence("check the table: two controllers may be running it")


class LinkDeliveries:
    """Applies deliveries to one link, caching floor rules and sign-ons between batches."""

    def __init__(self, link: str) -> None:
        self.link = link
        self._known: dict[int, Admission] = {}
        self._sign_ons = SignOns()
        self._quota = RoundQuota()
        self._lock = threading.Lock()

    def prepare(
        self,
        connection: Connection,
        deliveries: Sequence[Delivery],
        before: DeliveryBatch | None = None,
    ) -> DeliveryBatch:
        """Sort deliveries, and fold their rounds on top of the previous batch.

        Another thread may apply the previous batch at the same time, on its own connection.
        """
        with self._lock:
            number, admission, has_standby = admission_of(connection, self._known)
            if admission is not None and number not in self._known:
                self._known = {number: admission}
            if self._sign_ons.is_full:
                self._sign_ons = SignOns()
            messages = [
                delivery.message for delivery in deliveries if isinstance(delivery.message, RoundMessage)
            ]
            self._sign_ons.read(connection, messages)
            batch = DeliveryBatch(admission=admission, sign_ons=self._sign_ons)
            batch.outcome.has_standby = has_standby
            if repeated := [delivery for delivery in deliveries if delivery.is_repeated]:
                batch.earlier = earlier_outcomes(connection, self.link, repeated)
            if admission and deliveries:
                booked = batch.earlier.booked
                batch.quota = BatchQuota(connection, self._quota, admission, deliveries, booked)
            with _giving_back(batch):
                batch.sort(connection, deliveries)
            batch.outcome.alarms += batch.quota.alarms if batch.quota else []
        if before is not None:
            with suppress(Exception):  # applying the batch reports errors message by message
                batch.fold(before.expected)
        return batch

    def apply(
        self,
        connection: Connection,
        deliveries: Sequence[Delivery],
        after: LinkSnapshot | None = None,
        batch: DeliveryBatch | None = None,
    ) -> Outcome:
        """Apply deliveries to the link; `after` is its state after the previous batch, `batch` is prepared.

        Raises one of `UNAVAILABLE` while the books are down; nothing is settled then.
        """
        batch = batch or self.prepare(connection, deliveries)
        with _giving_back(batch):
            return _Batch(connection, self.link, batch, after).apply()


@contextmanager
def _giving_back(batch: DeliveryBatch) -> Iterator[None]:
    """Count the rounds of a batch once, however often it is retried while the books are down."""
    try:
        yield
    except UNAVAILABLE:
        if batch.quota is not None:
            batch.quota.give_back()
        raise


class _Batch:
    def __init__(
        self, connection: Connection, link: str, batch: DeliveryBatch, after: LinkSnapshot | None
    ) -> None:
        self.connection = connection
        self.link = link
        self.batch = batch
        self.admission = batch.admission
        self.sign_ons = batch.sign_ons
        self.outcome = batch.outcome
        self.outcome.after = after

    def apply(self) -> Outcome:
        if self.batch.starts:
            self._halving(self.batch.starts, self._apply_starts)
        if self.batch.others:
            self._apply_others(self.batch.others)
        if self.batch.ends:
            ready = [delivery for delivery in self._ready_to_end(self.batch.ends) if self._may_end(delivery)]
            self._halving(ready, self._apply_ends)
        return self.outcome

    def _halving(self, some: Sequence[Delivery], apply: Callable[[Sequence[Delivery]], None]) -> None:
        """Apply deliveries in one transaction; on failure, bisect to find the delivery at fault."""
        if not some:
            return
        try:
            with span("book", (delivery.trace for delivery in some if delivery.trace)):
                apply(some)
        except UNAVAILABLE:
            raise
        except Exception as error:  # whatever a message does, it must not stop the others
            if len(some) == 1:
                self.batch.park(some[0], problem_of(some[0], error))
                return
            middle = len(some) // 2
            self._halving(some[:middle], apply)
            self._halving(some[middle:], apply)
            return
        self.outcome.done.extend(some)

    def _apply_starts(self, some: Sequence[Delivery]) -> None:
        outcome, batch = self.outcome, self.batch
        if len(some) == len(batch.starts):
            rounds = batch.rounds
            batch.fold(outcome.after)
            booked = book_rounds(
                self.connection, self.link, rounds, ends=batch.over, after=outcome.after, ready=batch.ready
            )
            batch.settle_ends(booked.ended)
        else:
            rounds = batch.facts_of(some)
            booked = book_rounds(self.connection, self.link, rounds, after=outcome.after)
        outcome.after = booked.after
        outcome.rounds += booked.rounds
        outcome.duplicates += len(booked.duplicates)
        outcome.refused += len(booked.refused)
        outcome.wagers += sum([len(fact.seats) for fact in rounds])
        if booked.duplicates or booked.refused:
            out = {
                *booked.duplicates,
                *((refusal.started.table, refusal.started.round) for refusal in booked.refused),
            }
            outcome.wagers -= sum(len(fact.seats) for fact in rounds if (fact.table, fact.round) in out)
            self._report_differences([fact for fact in rounds if (fact.table, fact.round) in out])
        for refusal in booked.refused:
            started = refusal.started
            self.outcome.tell(started.link, started.table, started.round, 0, refusal.problem)

    def _report_differences(self, repeated: Sequence[RoundFact]) -> None:
        """Refuse a repeated number with different content, notify the table and raise an alarm."""
        booked_rounds = message_log.booked_rounds(
            self.connection, self.link, [(fact.table, fact.round) for fact in repeated]
        )
        for fact in repeated:
            before = booked_rounds.get((fact.table, fact.round))
            if before is not None and before != (fact.at, fact.wager, fact.seats):
                where = f"{fact.link}, table {fact.table}, round {fact.round}"
                what = "the round is already booked with different seats, wager or time"
                problem = Problem(where, what, _TWO, "GEN-11")
                self.outcome.alarms.append(("repeated number", f"table {fact.table}", problem))
                self.outcome.tell(fact.link, fact.table, fact.round, 0, problem)

    def _apply_others(self, some: Sequence[Delivery]) -> None:
        """Apply corrected seats, hands, claims, key turns and misdeals: one commit, a savepoint each."""
        messages = sorted(
            ((_of_round(delivery), delivery) for delivery in some), key=lambda pair: _place(pair[0])
        )
        aside = DeliveryBatch(admission=self.admission, sign_ons=self.sign_ons)
        apart = _Batch(self.connection, self.link, aside, None)
        snapshot: LinkSnapshot | None = None
        with self.connection.transaction():
            for message, delivery in messages:
                snapshot = snapshot or lock_link(self.connection, self.link)
                place = self.admission.table(message.table) if self.admission else None
                table = Table(self.connection, self.link, message.table, driver="controller", place=place)
                played = table.hold(snapshot, message.round)
                record = RoundRecord(booked=played.is_booked, refused=played.is_parked, steps=played.steps)
                turn = apart._turn(message, delivery, record)
                if turn in ("now", "repeated", "late") and apart._apply_one(table, message, delivery, turn):
                    snapshot = table.snapshot
        settled = apart.outcome
        self.outcome.done += settled.done
        self.outcome.waiting += settled.waiting
        self.outcome.parked += settled.parked
        self.outcome.notices += settled.notices
        self.outcome.alarms += settled.alarms

    def _apply_one(self, table: Table, message: RoundMessage, delivery: Delivery, turn: Turn) -> bool:
        """Apply a message of the locked link; return whether its table's state still holds."""
        logged, holds = self._logged(message), True
        try:
            refused = self.sign_ons.refusal(self.connection, message, now())
            with span("book", filter(None, [delivery.trace])), self.connection.transaction():
                if turn == "late":
                    what = "it arrived after later messages of the same round"
                    raise refuse(_where(message), what, "resolve it in the pit", "GEN-11")
                if turn == "now":
                    if refused is not None:
                        raise ProblemsError([refused])
                    carry_out(self.connection, table, message, logged)
                elif message_log.differs_from_log(self.connection, logged):
                    what = "another message of the round with the same number is already booked"
                    problem = Problem(_where(message), what, _TWO, "GEN-11")
                    self.outcome.alarms.append(("repeated number", f"table {message.table}", problem))
                    self.outcome.tell(message.link, message.table, message.round, message.step, problem)
        except UNAVAILABLE:
            raise
        except ProblemsError as error:
            problem = error.problems[0]
            self._refuse(message, problem)
            holds = False
            if isinstance(message, Claim):
                self.outcome.alarms.append(("disputed claim", f"table {message.table}", problem))
        except Exception as error:  # whatever a message does, it must not stop the others
            self.batch.park(delivery, problem_of(delivery, error))
            return False
        self.outcome.done.append(delivery)
        return holds

    def _refuse(self, message: RoundMessage, problem: Problem) -> None:
        """Record a refused message, so later messages do not wait for it, and notify the table."""
        with self.connection.transaction():
            lock_link(self.connection, message.link)
            about = (message.link, message.table, message.round)
            if message.step not in message_log.steps_logged(self.connection, *about):
                say(self.connection, (), replace(self._logged(message), refused=problem.what))
        self.outcome.tell(message.link, message.table, message.round, message.step, problem)

    def _logged(self, message: RoundMessage) -> LoggedMessage:
        people = {"by": self.sign_ons.person(message), "supervisor": self.sign_ons.supervisor(message)}
        return logged_form(message, **people)

    def _ready_to_end(self, some: Sequence[Delivery]) -> list[Delivery]:
        """Return the ends whose round and earlier messages are booked; the others wait."""
        keys = [(message.table, message.round) for message in map(_of_round, some)]
        booked = existing_keys(self.connection, self.link, keys, "numbers_booked")
        rest = [key for key in keys if key not in booked]
        parked = existing_keys(self.connection, self.link, rest, "rounds_parked") if rest else set()
        more = [(message.table, message.round) for message in map(_of_round, some) if message.step > 1]
        steps = message_log.steps_of(self.connection, self.link, more) if more else {}
        ready: list[Delivery] = []
        for delivery in some:
            message = _of_round(delivery)
            key = (message.table, message.round)
            record = RoundRecord(booked=key in booked, refused=key in parked, steps=steps.get(key, ()))
            if self._turn(message, delivery, record) in ("now", "repeated", "late"):
                ready.append(delivery)
        return ready

    def _may_end(self, delivery: Delivery) -> bool:
        message = _of_round(delivery)
        problem = self.sign_ons.refusal(self.connection, message, now())
        if problem is not None:
            self._refuse(message, problem)
            self.outcome.done.append(delivery)
        return problem is None

    def _apply_ends(self, some: Sequence[Delivery]) -> None:
        """Book END GAME with tray pays computed from the locked seats and the entered hands."""
        facts, differing = [], []
        for delivery in some:
            message = delivery.message
            assert isinstance(message, RoundEnded)
            fixed, envy = self._tray(message) if message.step > 1 else (0, 0)
            facts.append(
                EndFact(
                    link=message.link,
                    at=message.at,
                    table=message.table,
                    round=message.round,
                    fixed=fixed,
                    envy=envy,
                )
            )
            if (message.fixed, message.envy) != (fixed, envy):
                differing.append(message)
        self._report_trays(differing)
        self.outcome.after = book_ends(self.connection, self.link, facts)

    def _report_trays(self, differing: Sequence[RoundEnded]) -> None:
        """Raise an alarm for each end whose tray pays differ, unless it is a redelivery of a booked end."""
        keys = [(message.table, message.round) for message in differing]
        booked = existing_keys(self.connection, self.link, keys, "ends_booked") if keys else set()
        for message in differing:
            if (message.table, message.round) not in booked:
                what = "the tray payouts reported by the table do not match its hands"
                remedy = "count the tray; the books keep the amount computed from the hands"
                problem = Problem(_where(message), what, remedy, "LT-09")
                self.outcome.alarms.append(("tray difference", f"table {message.table}", problem))

    def _tray(self, message: RoundEnded) -> tuple[int, int]:
        link = read_meters(self.connection, message.link).state.link
        seats = self.admission.seats_at(message.link, message.table) if self.admission else 7
        round_ = played_round(self.connection, link, message.table, message.round, seats=seats).round
        if round_.phase == "idle":
            return 0, 0
        ended = rules.tray_of(round_, at=message.at)
        return ended.fixed, ended.envy

    def _turn(self, message: RoundMessage, delivery: Delivery, record: RoundRecord) -> Turn:
        """Return the turn of a message; queue it to wait, or park it if its round is refused or missing."""

        def may_still_come() -> bool:
            return self.admission is not None and may_come(self.connection, self.admission, message)

        turn = turn_of(message.step, record, deliveries=delivery.deliveries, may_come=may_still_come)
        if turn == "wait":
            self.outcome.waiting.append(delivery)
        elif turn in ("round refused", "round missing"):
            what = "its round was refused" if turn == "round refused" else "its round never arrived"
            self.batch.park(delivery, Problem(_where(message), what, "settle the round by hand", "GEN-11"))
        return turn


def _of_round(delivery: Delivery) -> RoundMessage:
    assert isinstance(delivery.message, RoundMessage)
    return delivery.message


def _place(message: RoundMessage) -> tuple[str, int, int]:
    return message.table, message.round, message.step


def _where(message: RoundMessage) -> str:
    return f"{message.link}, table {message.table}, round {message.round}"
