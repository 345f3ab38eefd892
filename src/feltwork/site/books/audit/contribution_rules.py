"""Audit of contributions: the amounts that wagers added to every level."""

from feltwork.site.progressive.contribution import taken_in
from feltwork.site.progressive.facts import Contributed, WagerAdded
from feltwork.site.progressive.state import LinkState


def verify_parts(state: LinkState, fact: Contributed | WagerAdded, count: int) -> None:
    """Raise unless this many wagers add the version's amounts to every level [WA-05]."""
    due = taken_in(state, count)
    for level in state.link.level_names:
        parts = (fact.to_meter[level], fact.overflow.get(level, 0), fact.to_reserve[level])
        if parts != (due.to_meter[level], due.overflow.get(level, 0), due.to_reserve[level]):
            raise ValueError(f"its contribution to {level} is not the amount set by the version")
