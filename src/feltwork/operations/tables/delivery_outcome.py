"""The outcome of a batch of deliveries: applied, waiting, or parked with the reason."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from feltwork.books.journal.link_state import LinkSnapshot
from feltwork.problem import Problem
from feltwork.wire.downlink import Refused
from feltwork.wire.uplink import AnyUplink

__all__ = ["Delivery", "LinkSnapshot", "Outcome"]


class Delivery(Protocol):
    """A message as it was read, or why nobody can read it."""

    @property
    def message(self) -> AnyUplink | None:
        """What it says."""

    @property
    def problem(self) -> Problem | None:
        """Why it cannot be read."""

    @property
    def subject(self) -> str:
        """Where it came from."""

    @property
    def deliveries(self) -> int:
        """How often it has come."""


@dataclass(slots=True)
class Outcome:
    """The outcome of a batch of deliveries."""

    #: Applied now or before: they need not come again.
    done: list[Any] = field(default_factory=list)
    #: Deliveries whose round or earlier messages have not arrived yet.
    waiting: list[Any] = field(default_factory=list)
    #: Refused: kept with the reason until people have looked.
    parked: list[tuple[Any, Problem]] = field(default_factory=list)
    #: Alarms to raise: kind, place, what.
    alarms: list[tuple[str, str, Problem]] = field(default_factory=list)
    #: Refusals to publish to the tables.
    notices: list[Refused] = field(default_factory=list)
    #: The state of the link after its rounds and ends.
    after: LinkSnapshot | None = None
    rounds: int = 0
    wagers: int = 0
    duplicates: int = 0
    refused: int = 0
