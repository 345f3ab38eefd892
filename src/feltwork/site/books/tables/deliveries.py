"""Deliveries: messages of table controllers, applied to a link in batches under the same rules as screens.

Devices report and the books compute: claims, their ids and tray pays come from the books' state of the round.
A message that is refused or waits too long is parked with its reason.
"""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol, TypeAlias

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.connection import UNAVAILABLE, Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, lock_link, read_meters
from feltwork.site.books.pg_arrays import Key, existing_keys
from feltwork.site.books.queries import statement
from feltwork.site.books.tables.admission import (
    Admission,
    BatchQuota,
    RoundQuota,
    admission_of,
    may_come,
    now,
)
from feltwork.site.books.tables.rounds import (
    LoggedMessage,
    PreparedBatch,
    book_ends,
    book_rounds,
    booked_rounds,
    differs_from_log,
    log_message,
    make_ready,
    played_round,
    refused_rounds,
    steps_logged,
    steps_of,
)
from feltwork.site.books.tables.sign_ons import SignOns
from feltwork.site.books.tables.table_rounds import Table, carry_out, logged_form
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round_facts import RoundEnded as EndFact
from feltwork.site.progressive.round_facts import RoundStarted as RoundFact
from feltwork.site.wire.downlink import Refused
from feltwork.site.wire.uplink import (
    AnyUplink,
    Claim,
    RoundEnded,
    RoundMessage,
    RoundStarted,
)
from feltwork.telemetry.tracing import span

#: Deliveries, about fifty seconds, after which a message is applied although an earlier step is missing.
PATIENCE = 16
#: Deliveries after which a message whose round never arrived is parked; the back-off grows to 5 s.
MOST_DELIVERIES = 120
#: What to do with a message: carry it out, nothing (done), refuse it as overtaken, wait, or park it.
Turn: TypeAlias = Literal["now", "repeated", "late", "wait", "round refused", "round missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """The record of a round in the books: whether it is booked or refused, and its logged later steps."""

    booked: bool
    refused: bool = False
    steps: Collection[int] = ()


def turn_of(step: int, record: RoundRecord, *, deliveries: int, may_come: Callable[[], bool]) -> Turn:
    """Return the turn of a message other than a start; `may_come` says whether its round may still arrive."""
    if record.refused and not record.booked:
        return "round refused"
    if not record.booked:
        return "wait" if deliveries < MOST_DELIVERIES and may_come() else "round missing"
    if step in record.steps:
        return "repeated"
    if deliveries < PATIENCE and any(before not in record.steps for before in range(1, step)):
        return "wait"
    return "late" if max(record.steps, default=0) > step else "now"


class Delivery(Protocol):
    """A decoded message, or the reason it cannot be decoded."""

    @property
    def message(self) -> AnyUplink | None:
        """The decoded message."""

    @property
    def problem(self) -> Problem | None:
        """The reason it cannot be decoded."""

    @property
    def subject(self) -> str:
        """The subject it was published on."""

    @property
    def trace(self) -> str:
        """The trace header."""

    @property
    def deliveries(self) -> int:
        """The number of deliveries so far."""

    @property
    def is_repeated(self) -> bool:
        """Whether it was delivered before."""

    @property
    def origin(self) -> str:
        """Where and when NATS stored it; empty for a parked message that people book."""

    @property
    def stored_at(self) -> Instant:
        """The time the message log stored it, which no device can set."""


@dataclass(slots=True)
class Outcome:
    """The outcome of a batch of deliveries."""

    #: Deliveries applied now or earlier, which need no redelivery.
    done: list[Any] = field(default_factory=list)
    #: Deliveries whose round or earlier messages have not arrived yet.
    waiting: list[Any] = field(default_factory=list)
    #: Refused deliveries, stored with the reason until people resolve them.
    parked: list[tuple[Any, Problem]] = field(default_factory=list)
    #: Alarms to raise: kind, place, what.
    alarms: list[tuple[str, str, Problem]] = field(default_factory=list)
    #: Refusals to publish to the tables.
    notices: list[Refused] = field(default_factory=list)
    #: The state of the link after its rounds and ends.
    after: LinkSnapshot | None = None
    #: Whether commits wait for a standby; a batch that found everything booked then waits for one too.
    has_standby: bool = True
    rounds: int = 0
    wagers: int = 0
    duplicates: int = 0
    refused: int = 0

    def tell(self, link: str, table: str, number: int, step: int, problem: Problem) -> None:
        """Note a refusal to publish to a table."""
        self.notices.append(
            Refused(
                link=link,
                at=time.time_ns() // 1_000,
                table=table,
                round=min(number, 2**53),
                step=step,
                what=problem.what[:500],
                remedy=problem.remedy[:500],
                requirement=problem.requirement,
            )
        )


def no_floor(delivery: Delivery) -> Problem:
    """Return the problem of a message that arrives before the first floor is applied."""
    return Problem(delivery.subject, "no floor file is in effect", "apply a floor file first", "GEN-06")


def problem_of(delivery: Delivery, error: Exception) -> Problem:
    """Return the reason a message could not be booked."""
    if isinstance(error, ProblemsError):
        return error.problems[0]
    what = str(error).splitlines()[0] if str(error) else repr(error)
    return Problem(delivery.subject, what, "correct the cause, and book the message again", "GL-12")


def out_of_place(delivery: Delivery) -> Problem:
    """Return the problem of a message kind that is never booked."""
    kind = type(delivery.message).__name__
    return Problem(
        delivery.subject,
        Sentence("messages of kind %(kind)s are not booked", kind=kind),
        "do not publish it to the FELT stream",
        "GL-12",
    )


def parked_by_origin(connection: Connection, origins: Sequence[str]) -> dict[str, Problem]:
    """The messages of these origins that are parked and not booked since, with the reason."""
    rows = connection.execute(statement("parked_by_origin"), (list(origins),))
    return {origin: Problem(**problem) for origin, problem in rows}


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierOutcomes:
    """The earlier outcomes of messages in a batch that may be redeliveries."""

    booked: Collection[Key] = frozenset()
    #: Rounds that were refused and are not booked, each with its start and the reason.
    refused: Mapping[Key, tuple[RoundFact, Problem]] = field(default_factory=dict)
    #: Parked messages by origin.
    parked: Mapping[str, Problem] = field(default_factory=dict)

    def refusal(self, fact: RoundFact) -> Problem | None:
        """Return why exactly this round was refused; its number may since belong to another round."""
        started, problem = self.refused.get((fact.table, fact.round), (None, None))
        return problem if started == fact else None


def earlier_outcomes(connection: Connection, link: str, repeated: Sequence[Delivery]) -> EarlierOutcomes:
    """Look up the earlier outcomes of messages that may be redeliveries."""
    keys = list(_rounds_of(repeated))
    booked = existing_keys(connection, link, keys, "numbers_booked") if keys else set()
    left = [key for key in keys if key not in booked]
    origins = [delivery.origin for delivery in repeated if delivery.origin]
    return EarlierOutcomes(
        booked=booked,
        refused=refused_rounds(connection, link, left) if left else {},
        parked=parked_by_origin(connection, origins) if origins else {},
    )


def _rounds_of(deliveries: Sequence[Delivery]) -> Iterator[Key]:
    for delivery in deliveries:
        if isinstance(delivery.message, RoundStarted):
            yield delivery.message.table, delivery.message.round


@dataclass(slots=True, kw_only=True)
class DeliveryBatch:
    """Deliveries sorted into starts, ends and others; a refused START GAME is already in the outcome."""

    admission: Admission | None
    sign_ons: SignOns
    earlier: EarlierOutcomes = field(default_factory=EarlierOutcomes)
    quota: BatchQuota | None = None
    outcome: Outcome = field(default_factory=Outcome)
    starts: list[Delivery] = field(default_factory=list)
    others: list[Delivery] = field(default_factory=list)
    ends: list[Delivery] = field(default_factory=list)
    #: Rounds of the starts, and the ends of those that finished without a hand or a tray pay.
    rounds: list[RoundFact] = field(default_factory=list)
    over: list[EndFact] = field(default_factory=list)
    #: Rounds and ends, folded as the expected next entries.
    ready: PreparedBatch | None = None

    @property
    def expected(self) -> LinkSnapshot | None:
        """The expected state of the link after the batch; None if it is not known yet."""
        is_whole = not self.others and len(self.over) == len(self.ends)
        return self.ready.booked.after if self.ready is not None and is_whole else None

    def fold(self, after: LinkSnapshot | None) -> None:
        """Fold the rounds on top of a link state, unless already done."""
        if self.rounds and after is not None and (self.ready is None or self.ready.before != after.tail):
            self.ready = make_ready(after, self.rounds, ends=self.over) if after.recent else None

    def park(self, delivery: Delivery, problem: Problem) -> None:
        """Park a delivery for people to resolve, and notify the table."""
        self.outcome.parked.append((delivery, problem))
        message = delivery.message
        if isinstance(message, RoundMessage):
            self.outcome.tell(message.link, message.table, message.round, message.step, problem)

    def sort(self, connection: Connection, deliveries: Sequence[Delivery]) -> None:
        """Sort deliveries into starts, ends and others, and park refused ones."""
        clock, parked = now(), self.earlier.parked
        for delivery in deliveries:
            message = delivery.message
            if parked and delivery.origin in parked:
                self.park(delivery, parked[delivery.origin])
            elif isinstance(message, RoundStarted):
                problem = self._refusal_of_start(connection, delivery, message, clock)
                if problem is None:
                    self.starts.append(delivery)
                else:
                    self.park(delivery, problem)
            elif isinstance(message, RoundMessage):
                problem = (
                    no_floor(delivery) if not self.admission else self.admission.refusal_of_message(message)
                )
                if problem is not None:
                    self.park(delivery, problem)
                elif isinstance(message, RoundEnded):
                    self.ends.append(delivery)
                else:
                    self.others.append(delivery)
            else:
                self.outcome.parked.append((delivery, delivery.problem or out_of_place(delivery)))
        self.rounds = self.facts_of(self.starts)
        for fact, problem in self._refused_before():
            self.outcome.tell(fact.link, fact.table, fact.round, 0, problem)
        if self.rounds and self.ends:
            self.over = [*self._over(connection, clock)]

    def _refusal_of_start(
        self,
        connection: Connection,
        delivery: Delivery,
        message: RoundStarted,
        clock: Instant,
    ) -> Problem | None:
        if self.admission is None or self.quota is None:
            return no_floor(delivery)
        problem = self.admission.refusal(message, clock)
        problem = problem or self.sign_ons.refusal(connection, message, clock)
        return problem or self.quota.refusal(message, delivery.stored_at)

    def facts_of(self, some: Iterable[Delivery]) -> list[RoundFact]:
        """Return the rounds that deliveries start, except those refused before."""
        earlier = self.earlier
        facts = [_start(delivery).fact() for delivery in some]
        return [fact for fact in facts if earlier.refusal(fact) is None] if earlier.refused else facts

    def _refused_before(self) -> Iterator[tuple[RoundFact, Problem]]:
        """Yield the rounds of this batch that were refused before; their tables may have missed that."""
        if self.earlier.refused:
            for fact in (_start(delivery).fact() for delivery in self.starts):
                if problem := self.earlier.refusal(fact):
                    yield fact, problem

    def _over(self, connection: Connection, clock: Instant) -> Iterator[EndFact]:
        """Yield the ends of rounds that start in this batch with nothing in between."""
        began = {(fact.table, fact.round) for fact in self.rounds}
        touched = {(message.table, message.round) for message in map(_of_round, self.others)}
        for message in map(_of_round, self.ends):
            key = (message.table, message.round)
            if (
                _is_bare(message)
                and key in began
                and key not in touched
                and self.sign_ons.refusal(connection, message, clock) is None
            ):
                began.remove(key)  # a duplicate end is looked up
                yield EndFact(
                    link=message.link,
                    at=message.at,
                    table=message.table,
                    round=message.round,
                    fixed=0,
                    envy=0,
                )

    def settle_ends(self, ended: Collection[Key]) -> None:
        """Mark the ends that were booked with their rounds as done, and leave the others."""
        left: list[Delivery] = []
        for delivery in self.ends:
            message = _of_round(delivery)
            booked = (message.table, message.round) in ended and _is_bare(message)
            (self.outcome.done if booked else left).append(delivery)
        self.ends = left


def _start(delivery: Delivery) -> RoundStarted:
    assert isinstance(delivery.message, RoundStarted)
    return delivery.message


def _of_round(delivery: Delivery) -> RoundMessage:
    assert isinstance(delivery.message, RoundMessage)
    return delivery.message


def _is_bare(message: RoundMessage) -> bool:
    """Whether an end is the first message after the start, and took nothing from the tray."""
    return isinstance(message, RoundEnded) and message.step == 1 and not message.fixed and not message.envy


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
                stored = (deliveries[0].stored_at, deliveries[-1].stored_at)
                batch.quota = BatchQuota(connection, self._quota, admission, stored, booked)
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
        stored = booked_rounds(self.connection, self.link, [(fact.table, fact.round) for fact in repeated])
        for fact in repeated:
            before = stored.get((fact.table, fact.round))
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
                elif differs_from_log(self.connection, logged):
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
            if message.step not in steps_logged(self.connection, *about):
                log_message(self.connection, replace(self._logged(message), refused=problem.what))
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
        steps = steps_of(self.connection, self.link, more) if more else {}
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


def _place(message: RoundMessage) -> tuple[str, int, int]:
    return message.table, message.round, message.step


def _where(message: RoundMessage) -> str:
    return f"{message.link}, table {message.table}, round {message.round}"
