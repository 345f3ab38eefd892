"""What a table may do that cannot reach the books: stop, or go on within bounds [GEN-07, GEN-18]."""

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
#: The books say something every four seconds; after ten of silence nobody knows whether they hear.
SILENCE: Instant = 10 * _SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePolicy:
    """What the link's floor file chose and its jurisdiction bounds; none is no bound."""

    store_and_forward: bool
    rounds: int | None
    wagers: Micros | None
    hours: int | None
    silence: Instant = SILENCE


def policy_of(floor: Floor, link: FloorLink, *, on: date) -> TablePolicy:
    """The policy of a link on a day."""
    rulings = jurisdiction.jurisdiction(floor.jurisdiction).on(on)
    return TablePolicy(
        store_and_forward=link.cut_off == "store_and_forward",
        rounds=rulings["cut_off_rounds"].number,
        wagers=rulings["cut_off_wagers"].amount,
        hours=rulings["cut_off_hours"].number,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """When the books were last heard, and what was taken without them since."""

    #: 0 while they have never been heard.
    heard_at: Instant = 0
    rounds: int = 0
    wagers: Micros = 0

    def heard(self, at: Instant) -> "Contact":
        """The books have spoken: they read what was kept, and nothing is exposed."""
        return Contact(heard_at=at)

    def is_cut_off(self, policy: TablePolicy, now: Instant) -> bool:
        """Whether they have been silent for too long."""
        return now - self.heard_at > policy.silence

    def took(self, wagers: Micros, policy: TablePolicy, now: Instant) -> "Contact":
        """A round was started; without the books it adds to what is exposed."""
        if not self.is_cut_off(policy, now):
            return self
        return replace(self, rounds=self.rounds + 1, wagers=self.wagers + wagers)


def why_no_round(
    where: str, contact: Contact, policy: TablePolicy, *, wagers: Micros, now: Instant
) -> Problem | None:
    """What keeps a table from starting a round with these wagers, if anything does."""
    if not contact.is_cut_off(policy, now):
        return None
    give_back = "give jackpot chips back and look after the line"
    waiting = contact.wagers + wagers
    bounds = (
        (not contact.heard_at, "the books have not been heard yet", "GEN-07"),
        (not policy.store_and_forward, "the line to the books is cut", "GEN-07"),
        (
            policy.hours is not None and now - contact.heard_at > policy.hours * _HOUR,
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
