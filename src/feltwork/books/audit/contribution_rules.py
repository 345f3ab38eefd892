"""Audit of contributions: the amounts that wagers added to every level."""

from collections.abc import Mapping

from feltwork.money import Micros
from feltwork.progressive.contribution import plan_of, taken_in
from feltwork.progressive.facts import Contributed, WagerAdded
from feltwork.progressive.network.facts import PassedBack, PassedOn, SeatPassedOn
from feltwork.progressive.state import LinkState


def verify_parts(
    state: LinkState, fact: Contributed | WagerAdded | PassedOn | SeatPassedOn, count: int
) -> None:
    """Raise unless this many wagers add the version's amounts to every level [WA-05]."""
    if isinstance(fact, PassedOn | SeatPassedOn):
        _verify_passed(state, fact.to_meter, fact.to_reserve, fact.to_house, count)
        return
    due = taken_in(state, count)
    for level in state.link.level_names:
        parts = (fact.to_meter[level], fact.overflow.get(level, 0), fact.to_reserve[level])
        if parts != (due.to_meter[level], due.overflow.get(level, 0), due.to_reserve[level]):
            raise ValueError(f"its contribution to {level} is not the amount set by the version")


def verify_passed_back(state: LinkState, fact: PassedBack) -> None:
    """Raise unless returned wagers are taken back from the hub as they were passed on."""
    _verify_passed(state, fact.from_meter, fact.from_reserve, fact.from_house, fact.wagers)


def _verify_passed(
    state: LinkState, meter: Mapping[str, Micros], reserve: Mapping[str, Micros], house: Micros, count: int
) -> None:
    plan = plan_of(state.link)
    for level in state.link.level_names:
        if (meter[level], reserve[level]) != (plan.to_meter[level] * count, plan.to_reserve[level] * count):
            raise ValueError(f"the amount it passes on for {level} is not the one set by the version")
    if house != plan.to_house * count:
        raise ValueError("the amount the site retains is not the one set by the version")
