"""Audit of awards: every amount that left a meter is recomputed from the state before it."""

from feltwork.site.progressive.award import restart_returned
from feltwork.site.progressive.badges import hits, needs_executive
from feltwork.site.progressive.button_pays import MeterPay, fixed_pay
from feltwork.site.progressive.facts import (
    AmountSet,
    Claimed,
    Confirmed,
    Confiscated,
    Fact,
    Locked,
    MeterMoved,
    Overflowed,
    Paid,
    Released,
    Reversed,
    SetAside,
    Voided,
)
from feltwork.site.progressive.fold import apply
from feltwork.site.progressive.meter_locks import (
    Place,
    at_turn,
    given_back,
    level_of,
    locked_at_turn,
    pays_at,
    queue_of,
    released,
)
from feltwork.site.progressive.state import Award, LinkState

#: Facts of the sequence that changes a claim and locks its queue again.
_OF_QUEUES = (Claimed, Voided, Released, Locked, Overflowed)


class AwardRules:
    """Follows a link's facts and raises at the first amount that does not follow from the paytable."""

    def __init__(self) -> None:
        #: The turn being locked: its round and level, the state at that turn, and the pays due.
        self._turn: tuple[Place, str] | None = None
        self._then: LinkState | None = None
        self._due: dict[str, MeterPay] = {}

    def verify(self, state: LinkState, fact: Fact) -> None:
        """Raise unless an amount follows from the rules and the state before the fact."""
        if not isinstance(fact, Locked):
            self._turn = None
        if not isinstance(fact, _OF_QUEUES):
            verify_locked_again(state)
        if isinstance(fact, SetAside):
            _verify_set_aside(state, fact)
        if isinstance(fact, Confiscated):
            _verify_confiscated(state.awards[fact.award], fact)
        self._verify_amount(state, fact)

    def _verify_amount(self, state: LinkState, fact: Fact) -> None:
        match fact:
            case Locked():
                self._verify_locked(state, fact)
            case Released():
                _verify_released(state, fact)
            case Reversed():
                _verify_reversed(state, fact)
            case Confirmed():
                _verify_confirmed(state, fact)
            case MeterMoved():
                _verify_moved(state, fact)
            case Voided():
                _verify_queue_released(state, state.awards[fact.award])
            case Overflowed():
                _verify_overflow(state, fact)
            case AmountSet():
                _verify_amount_set(state, fact)
            case Paid():
                _verify_paid(state.awards[fact.award], fact)

    def _verify_locked(self, state: LinkState, fact: Locked) -> None:
        award = state.awards[fact.award]
        turn = ((award.table, award.round), level_of(state, award))
        if self._turn != turn:
            self._turn, self._then = turn, at_turn(state, *turn)
            self._due = pays_at(self._then, *turn)
        assert self._then is not None
        expected = locked_at_turn(state, self._then, fact.award, self._due[fact.award], fact.at)
        self._then = apply(self._then, fact)
        if expected != fact:
            raise ValueError(
                f"award {fact.award} is not the amount that the paytable pays on the meter at its turn"
            )


def verify_locked_again(state: LinkState) -> None:
    """Raise if a claim was released and not locked again, or never locked."""
    for award in state.awards.values():
        if award.status == "claimed" and not award.locked:
            raise ValueError(f"award {award.id} was claimed or released, and not locked again")


def _hit_of(state: LinkState, award: Award) -> list[str]:
    """The awards of the same prize, confirmed already or about to be."""
    together = [
        other.id
        for other in state.awards.values()
        if (other.table, other.round) == (award.table, award.round)
        and other.status in ("claimed", "confirmed")
    ]
    return next(hit for hit in hits(state, together) if award.id in hit)


def _verify_confirmed(state: LinkState, fact: Confirmed) -> None:
    award = state.awards[fact.award]
    pay = MeterPay(
        level=fact.level, from_meter=fact.from_meter, from_house=fact.from_house, restarts=fact.restarts
    )
    if not award.locked or fixed_pay(award) != pay:
        raise ValueError(f"award {fact.award} was confirmed for a different amount than the one due")
    waits_for = (other for other in state.awards.values() if other.id not in state.aside)
    if not state.link.is_house and any(_comes_before(other, award) for other in waits_for):
        raise ValueError(f"award {fact.award} was confirmed before an earlier claim on its level")
    people = {fact.supervisor, fact.executive} - {""}
    if not fact.supervisor or award.claimed_by in people:
        raise ValueError(f"award {fact.award} was confirmed without another person's badge")
    total = sum(state.awards[name].amount for name in _hit_of(state, award))
    if needs_executive(state.link, level=fact.level, amount=total) and (
        not fact.executive or (len(people) < 2 and not state.link.executive_alone)
    ):
        raise ValueError(f"award {fact.award} was confirmed without the badges that its amount needs")


def _verify_released(state: LinkState, fact: Released) -> None:
    if fact != released(state, state.awards[fact.award], fact.at):
        raise ValueError(f"award {fact.award} returns a different amount than it had locked")


def _verify_moved(state: LinkState, fact: MeterMoved) -> None:
    logged = state.awards[fact.award].status == "confirmed"
    if not logged or fact.award not in state.unmoved.get(fact.level, {}):
        raise ValueError(f"award {fact.award} leaves the signs, and was not logged or has left them before")


def _verify_set_aside(state: LinkState, fact: SetAside) -> None:
    """Raise unless two people set an open claim aside that none of them entered."""
    award = state.awards[fact.award]
    people = {fact.by, fact.approved_by} - {"", award.claimed_by}
    if award.status != "claimed" or not fact.reason or len(people) < 2:
        raise ValueError(f"award {fact.award} was not set aside by two people, with a reason")


def _comes_before(other: Award, award: Award) -> bool:
    """Whether another claim is open and was locked on the same level before this one."""
    return (
        other.status == "claimed"
        and other.locked
        and award.locked
        and other.level == award.level
        and other.lock_number < award.lock_number
    )


def _verify_queue_released(state: LinkState, voided: Award) -> None:
    """Raise if a claim was voided before everything behind it was released to be recomputed without it.

    The place in the queue is that of the round: a claim that joins a round with an award shares its place.
    """
    queue = queue_of(state, voided.level)
    last = state.locks + 1
    own = queue.get((voided.table, voided.round), last)
    has_later_claim = any(
        other.status == "claimed"
        and other.locked
        and other.level == voided.level
        and not state.aside.get(other.id)
        and queue.get((other.table, other.round), last) >= own
        for other in state.awards.values()
    )
    queued = voided.first_lock and not state.link.is_house
    if voided.locked or (queued and has_later_claim):
        raise ValueError(f"award {voided.id} was voided, but later claims were not recalculated without it")


def _verify_reversed(state: LinkState, fact: Reversed) -> None:
    """Raise unless an award goes back as it was locked, by two people who did not confirm it [LT-04]."""
    award = state.awards[fact.award]
    if award.status not in ("confirmed", "paid") or fact.was_paid != (award.status == "paid"):
        raise ValueError(f"award {fact.award} was {award.status} when it was reversed")
    seed, reserve = restart_returned(state, award)
    due = given_back(award, seed=seed, reserve=reserve)
    same = all(getattr(fact, name) == value for name, value in due.items()) and fact.table == award.table
    if not same or not award.locked:
        raise ValueError(f"award {fact.award} returns a different amount than it had locked")
    if {fact.by, fact.approved_by} & {award.supervisor, award.executive} or fact.by == fact.approved_by:
        raise ValueError(f"award {fact.award} was reversed by somebody who confirmed it, or by one person")


def _verify_overflow(state: LinkState, fact: Overflowed) -> None:
    """Raise unless the overflow is the amount above the meter's cap, now or at the turn of a claim."""
    places = {(award.table, award.round) for award in state.awards.values() if award.status == "claimed"}
    held = [state, *(at_turn(state, place, fact.level) for place in places)]
    if fact.amount not in [link_state.meter(fact.level) - state.cap(fact.level) for link_state in held]:
        raise ValueError(f"the overflow of the {fact.level} meter is not the amount above its cap")


def _verify_amount_set(state: LinkState, fact: AmountSet) -> None:
    """Raise unless two people replaced the posted amount, and on a house jackpot [WA-01]."""
    if not state.link.is_house or fact.before != state.amounts.get(fact.level, 0) or fact.after <= 0:
        raise ValueError(f"the posted amount of {fact.level} does not follow from the one before it")
    if not fact.by or fact.by == fact.approved_by or not fact.approved_by:
        raise ValueError(f"the amount that {fact.level} posts was not set by two people")


def _verify_paid(award: Award, fact: Paid) -> None:
    signed = {award.supervisor, award.executive} - {""}
    if fact.by in signed or (fact.by == award.claimed_by and fact.witness not in signed):
        raise ValueError(f"award {fact.award} was paid by somebody who entered or confirmed it")


def _verify_confiscated(award: Award, fact: Confiscated) -> None:
    """Raise unless two people confiscated the whole award, and neither entered it [WA-35]."""
    people = {fact.by, fact.approved_by} - {"", award.claimed_by}
    if award.status != "confirmed" or fact.amount != award.amount or not fact.reason or len(people) < 2:
        raise ValueError(f"award {fact.award} was not confiscated in full by two people, with a reason")
