"""What a table may do that the books do not follow: stop, or go on within bounds [GEN-07, GEN-18]."""

import time
from dataclasses import dataclass, replace
from datetime import date

from feltwork import money
from feltwork.compliance import jurisdiction
from feltwork.compliance.floor import Floor, FloorLink
from feltwork.money import Micros
from feltwork.problem import Problem
from feltwork.progressive.facts import Instant

_SECOND: Instant = 1_000_000
_HOUR: Instant = 3_600 * _SECOND
#: The books follow a table within a second; a round that waits for ten is not on its way any more.
PATIENCE: Instant = 10 * _SECOND
#: More rounds than any jurisdiction lets a table keep.
_MOST_WAITING = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePolicy:
    """What the link's floor file chose and its jurisdiction bounds; none is no bound."""

    store_and_forward: bool
    rounds: int | None
    wagers: Micros | None
    hours: int | None
    #: How long a round may wait for the books, and how old their last answer may be at START GAME.
    patience: Instant = PATIENCE


def wall_clock() -> Instant:
    """Now, in microseconds."""
    return time.time_ns() // 1_000


def steady_clock() -> Instant:
    """Microseconds that only go forward, for how long something waits; a table's own clock may be set."""
    return time.monotonic_ns() // 1_000


def policy_of(floor: Floor, link: FloorLink, *, on: date) -> TablePolicy:
    """The policy of a link on a day."""
    rulings = jurisdiction.jurisdiction(floor.jurisdiction).on(on)
    return TablePolicy(
        store_and_forward=link.cut_off == "store_and_forward",
        rounds=rulings["cut_off_rounds"].number,
        wagers=rulings["cut_off_wagers"].amount,
        hours=rulings["cut_off_hours"].number,
    )


@dataclass(frozen=True, slots=True)
class WaitingRound:
    """A round that is published and not known to be booked."""

    number: int
    at: Instant
    wagers: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingLag:
    """How far the books lag behind a table: what it published, and what they have booked of it."""

    #: When they last said how far they are; 0 while they never did.
    answered_at: Instant = 0
    #: Whether they were asked since, in vain.
    unanswered: bool = False
    waiting: tuple[WaitingRound, ...] = ()

    @property
    def rounds(self) -> int:
        """How many rounds wait for the books."""
        return len(self.waiting)

    @property
    def wagers(self) -> Micros:
        """What was wagered in them."""
        return sum(one.wagers for one in self.waiting)

    def answered(self, *, booked: int, last: int, now: Instant) -> "BookingLag":
        """The books have said which round is the last that they have; `last` is the last of the table."""
        known = {one.number: one for one in self.waiting}
        first = max(booked + 1, last + 1 - _MOST_WAITING)
        waiting = tuple(
            known.get(number) or WaitingRound(number, now, 0) for number in range(first, last + 1)
        )
        return BookingLag(answered_at=now, waiting=waiting)

    def took(self, number: int, wagers: Micros, now: Instant) -> "BookingLag":
        """A round was published: it waits until the books say that they have it."""
        return replace(self, waiting=(*self.waiting, WaitingRound(number, now, wagers)))

    def without(self, number: int) -> "BookingLag":
        """The books have refused the start of a round: it waits no more."""
        return replace(self, waiting=tuple(one for one in self.waiting if one.number != number))

    def lag(self, now: Instant) -> Instant:
        """How long the oldest round has waited for the books."""
        return now - self.waiting[0].at if self.waiting else 0

    def is_cut_off(self, policy: TablePolicy, now: Instant) -> bool:
        """Whether the books are too far behind, or nobody knows how far."""
        return not self.answered_at or self.unanswered or self.lag(now) > policy.patience


def why_no_round(
    where: str, contact: BookingLag, policy: TablePolicy, *, wagers: Micros, now: Instant
) -> Problem | None:
    """What keeps a table from starting a round with these wagers, if anything does."""
    if not contact.is_cut_off(policy, now):
        return None
    give_back = "give jackpot chips back and look after the line"
    waiting = contact.wagers + wagers
    bounds = (
        (not contact.answered_at, "the books have not been heard yet", "GEN-07"),
        (not policy.store_and_forward, "the books do not follow this table", "GEN-07"),
        (
            policy.hours is not None and now - contact.answered_at > policy.hours * _HOUR,
            f"the books were not heard for {policy.hours} hours",
            "GEN-18",
        ),
        (
            policy.rounds is not None and contact.rounds >= policy.rounds,
            f"{contact.rounds} rounds wait for the books",
            "GEN-07",
        ),
        (
            policy.wagers is not None and waiting > policy.wagers,
            f"{money.text(waiting)} of wagers would wait for the books",
            "GEN-07",
        ),
    )
    return next((Problem(where, what, give_back, cites) for out, what, cites in bounds if out), None)
