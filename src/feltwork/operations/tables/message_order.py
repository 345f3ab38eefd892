"""Message order: whose turn a message of a round is, by what the books have of that round.

A controller numbers what it says of a round: its start is step 0. Messages come in any order and several
times, because a sender repeats what was not acknowledged. They are carried out in the order of their steps.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: After so many deliveries, about fifty seconds, a message is applied without one that should be before it.
PATIENCE = 16
#: How long a message waits for a round that never arrives, before it is parked. Deliveries back off to 5 s.
MOST_DELIVERIES = 120
#: Carry it out, or nothing is left to do; refuse what later messages overtook; wait; or park it for the pit.
Turn: TypeAlias = Literal["now", "repeated", "late", "wait", "round refused", "round missing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundRecord:
    """What the books have of a round: whether it is booked or refused, and which later steps they logged."""

    booked: bool
    refused: bool = False
    steps: Collection[int] = ()


def turn_of(step: int, record: RoundRecord, *, deliveries: int, may_come: Callable[[], bool]) -> Turn:
    """The turn of a message that is no start and was delivered so often; a round may still come."""
    if record.refused and not record.booked:
        return "round refused"
    if not record.booked:
        return "wait" if deliveries < MOST_DELIVERIES and may_come() else "round missing"
    if step in record.steps:
        return "repeated"
    if deliveries < PATIENCE and any(before not in record.steps for before in range(1, step)):
        return "wait"
    return "late" if max(record.steps, default=0) > step else "now"
