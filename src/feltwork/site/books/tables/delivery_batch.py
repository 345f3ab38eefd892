"""A batch of deliveries before booking: sorting, refusals, and folded rounds."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from feltwork.problem import Problem
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import LinkSnapshot
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.tables.admission import Admission, now
from feltwork.site.books.tables.delivery_outcome import Delivery, Outcome, no_floor, out_of_place
from feltwork.site.books.tables.earlier_outcomes import EarlierOutcomes
from feltwork.site.books.tables.round_quota import BatchQuota
from feltwork.site.books.tables.rounds_rows import PreparedBatch, make_ready
from feltwork.site.books.tables.sign_ons import SignOns
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.round_facts import RoundEnded as EndFact
from feltwork.site.progressive.round_facts import RoundStarted as RoundFact
from feltwork.site.wire.uplink import RoundEnded, RoundMessage, RoundStarted


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
        return problem or self.quota.refusal(delivery, message)

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
