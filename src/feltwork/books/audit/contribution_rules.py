"""Contributions against the rules: what wagers added, and what corrected seats added or gave back."""

from collections.abc import Iterable
from typing import TypeAlias

from feltwork.progressive.contribution import given_back, taken_in
from feltwork.progressive.facts import Contributed, Fact, WagerAdded, WagerReturned
from feltwork.progressive.state import LinkState

#: A corrected seat: entry, table, round, seat, whether it wagered; the round's seats and entry as it started.
Correction: TypeAlias = tuple[int, str, int, int, bool, list[int] | None, int | None]


class CorrectionRules:
    """Follows a link's corrected seats and raises at the first that the books or the round do not have."""

    def __init__(self, rows: Iterable[Correction]) -> None:
        self._rows = {row[0]: row for row in rows}
        self._seats: dict[tuple[str, int], set[int]] = {}

    def verify(self, state: LinkState, number: int, fact: Fact) -> None:
        """Raise unless a correction is that of one seat of a booked round, and moves exactly one wager."""
        if not isinstance(fact, WagerAdded | WagerReturned):
            return
        adds = isinstance(fact, WagerAdded)
        _, *place, started, booked_in = self._rows.pop(number, (number, "", 0, 0, False, None, None))
        if place != [fact.table, fact.round, fact.seat, adds] or started is None:
            raise ValueError("the corrected seat in the books is not the one that it names")
        seats = self._seats.setdefault((fact.table, fact.round), set(started))
        if (fact.seat in seats) == adds or booked_in is None or booked_in >= number:
            raise ValueError(f"seat {fact.seat} was locked already, or never")
        seats ^= {fact.seat}
        if fact.version != state.link.fingerprint or fact.wager != state.link.wager:
            raise ValueError("it was booked under another version than the one in force")
        if isinstance(fact, WagerAdded):
            verify_parts(state, fact, 1)
            return
        due = given_back(state, 1)
        said = (fact.from_meter, fact.from_reserve, fact.from_house)
        if said != (due.from_meter, due.from_reserve, due.from_house):
            raise ValueError("it gives back something else than one wager added")

    def verify_end(self) -> None:
        """Raise where a corrected seat has no entry."""
        if self._rows:
            raise ValueError(f"a corrected seat names entry {min(self._rows)}, which did not book it")


def verify_parts(state: LinkState, fact: Contributed | WagerAdded, count: int) -> None:
    """Raise unless so many wagers add to every level what the version says [WA-05]."""
    due = taken_in(state, count)
    for level in state.link.level_names:
        said = (fact.to_meter[level], fact.overflow.get(level, 0), fact.to_reserve[level])
        if said != (due.to_meter[level], due.overflow.get(level, 0), due.to_reserve[level]):
            raise ValueError(f"what it adds to {level} is not what the version says")
