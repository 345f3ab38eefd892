"""Contributions against the rules: what wagers added to every level."""

from feltwork.progressive.contribution import taken_in
from feltwork.progressive.facts import Contributed, WagerAdded
from feltwork.progressive.state import LinkState


def verify_parts(state: LinkState, fact: Contributed | WagerAdded, count: int) -> None:
    """Raise unless so many wagers add to every level what the version says [WA-05]."""
    due = taken_in(state, count)
    for level in state.link.level_names:
        said = (fact.to_meter[level], fact.overflow.get(level, 0), fact.to_reserve[level])
        if said != (due.to_meter[level], due.overflow.get(level, 0), due.to_reserve[level]):
            raise ValueError(f"what it adds to {level} is not what the version says")
