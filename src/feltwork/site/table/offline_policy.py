"""The policy of a table while the books lag: stop, or continue within limits [GEN-07, GEN-18]."""

import time
from dataclasses import dataclass, replace
from datetime import date

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Problem
from feltwork.site.compliance import jurisdiction
from feltwork.site.compliance.floor import Floor, FloorLink
from feltwork.site.progressive.facts import Instant

_SECOND: Instant = 1_000_000
_HOUR: Instant = 3_600 * _SECOND
#: Rounds are normally booked within a second; after ten, the table is cut off.
PATIENCE: Instant = 10 * _SECOND
#: More rounds than any jurisdiction allows.
_MOST_WAITING = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePolicy:
    """The policy of the floor file with the limits of the jurisdiction; None means no limit."""

    store_and_forward: bool
    rounds: int | None
    wagers: Micros | None
    hours: int | None
    #: How long a round may wait to be booked, and how old the last reply may be at START GAME.
    patience: Instant = PATIENCE


def wall_clock() -> Instant:
    """Return the wall-clock time in microseconds."""
    return time.time_ns() // 1_000


def steady_clock() -> Instant:
    """Return the monotonic time in microseconds."""
    return time.monotonic_ns() // 1_000


def policy_of(floor: Floor, link: FloorLink, *, on: date) -> TablePolicy:
    """Return the policy of a link on a day."""
    rulings = jurisdiction.jurisdiction(floor.jurisdiction).on(on)
    return TablePolicy(
        store_and_forward=link.cut_off == "store_and_forward",
        rounds=rulings["cut_off_rounds"].number,
        wagers=rulings["cut_off_wagers"].amount,
        hours=rulings["cut_off_hours"].number,
    )


@dataclass(frozen=True, slots=True)
class WaitingRound:
    """A published round that is not booked yet."""

    number: int
    at: Instant
    wagers: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingLag:
    """The published rounds of a table that are not booked yet."""

    #: The time of the last reply, or 0.
    answered_at: Instant = 0
    #: Whether a request since then got no reply.
    unanswered: bool = False
    waiting: tuple[WaitingRound, ...] = ()

    @property
    def rounds(self) -> int:
        """The number of rounds that are not booked."""
        return len(self.waiting)

    @property
    def wagers(self) -> Micros:
        """The amount of their wagers."""
        return sum(round_.wagers for round_ in self.waiting)

    def answered(self, *, booked: int, last: int, now: Instant) -> "BookingLag":
        """Apply a reply with the last booked round; `last` is the last round of the table."""
        known = {round_.number: round_ for round_ in self.waiting}
        first = max(booked + 1, last + 1 - _MOST_WAITING)
        waiting = tuple(
            known.get(number) or WaitingRound(number, now, 0) for number in range(first, last + 1)
        )
        return BookingLag(answered_at=now, waiting=waiting)

    def took(self, number: int, wagers: Micros, now: Instant) -> "BookingLag":
        """Add a published round."""
        return replace(self, waiting=(*self.waiting, WaitingRound(number, now, wagers)))

    def without(self, number: int) -> "BookingLag":
        """Remove a refused round."""
        return replace(self, waiting=tuple(round_ for round_ in self.waiting if round_.number != number))

    def lag(self, now: Instant) -> Instant:
        """The age of the oldest round."""
        return now - self.waiting[0].at if self.waiting else 0

    def is_cut_off(self, policy: TablePolicy, now: Instant) -> bool:
        """Whether the lag is too large or unknown."""
        return not self.answered_at or self.unanswered or self.lag(now) > policy.patience


def why_no_round(
    where: str, contact: BookingLag, policy: TablePolicy, *, wagers: Micros, now: Instant
) -> Problem | None:
    """Return the reason why a table may not start a round, if any."""
    if not contact.is_cut_off(policy, now):
        return None
    give_back = "return the jackpot chips and check the connection to the books"
    waiting = contact.wagers + wagers
    bounds = (
        (not contact.answered_at, "the books have not replied yet", "GEN-07"),
        (not policy.store_and_forward, "the books are not keeping up with this table's rounds", "GEN-07"),
        (
            policy.hours is not None and now - contact.answered_at > policy.hours * _HOUR,
            f"the books have not replied for {policy.hours} hours",
            "GEN-18",
        ),
        (
            policy.rounds is not None and contact.rounds >= policy.rounds,
            f"{contact.rounds} rounds are waiting to be booked",
            "GEN-07",
        ),
        (
            policy.wagers is not None and waiting > policy.wagers,
            f"{money.text(waiting)} in wagers would be waiting to be booked",
            "GEN-07",
        ),
    )
    return next((Problem(where, what, give_back, cites) for out, what, cites in bounds if out), None)
