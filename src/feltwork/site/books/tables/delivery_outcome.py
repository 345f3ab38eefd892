"""The outcome of a batch of deliveries: applied, waiting, or parked with the reason."""

import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from feltwork.problem import Problem, ProblemsError, Sentence
from feltwork.site.books.journal.link_state import LinkSnapshot
from feltwork.site.progressive.facts import Instant
from feltwork.site.wire.downlink import Refused
from feltwork.site.wire.uplink import AnyUplink

__all__ = ["Delivery", "LinkSnapshot", "Outcome"]


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
