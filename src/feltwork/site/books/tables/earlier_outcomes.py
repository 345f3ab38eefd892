"""Earlier outcomes of redelivered messages.

A message is redelivered when its acknowledgment was lost. A refusal remains even if the message would be
accepted now: its table was notified, and the players have their chips back.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from feltwork.problem import Problem
from feltwork.site.books.connection import Connection
from feltwork.site.books.pg_arrays import Key, existing_keys
from feltwork.site.books.tables import parked_rows as books
from feltwork.site.books.tables.delivery_outcome import Delivery
from feltwork.site.progressive.round_facts import RoundStarted as RoundFact
from feltwork.site.wire.uplink import RoundStarted


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
        refused=books.refused_rounds(connection, link, left) if left else {},
        parked=books.parked_messages(connection, origins) if origins else {},
    )


def _rounds_of(deliveries: Sequence[Delivery]) -> Iterator[Key]:
    for delivery in deliveries:
        if isinstance(delivery.message, RoundStarted):
            yield delivery.message.table, delivery.message.round
