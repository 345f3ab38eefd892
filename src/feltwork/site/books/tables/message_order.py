"""Message order: when a message of a round is carried out, given what is booked of that round.

A controller numbers its messages about a round; the start is step 0. Messages arrive in any order and more
than once, because a sender retries until acknowledged. They are carried out in the order of their steps.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

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
