"""Interface of a rehearsed table: its buttons, on a screen or on a controller."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from feltwork.rehearsal.state import AwardState, Rounds
from feltwork.rehearsal.step import Step

#: A step's result as the output shows it.
Result: TypeAlias = dict[str, Any]


class RehearsedTable(Protocol):
    """The buttons of a table, on a screen or on a controller."""

    async def sensors(self, table: str, by: str, wagers: Mapping[str, Sequence[int]]) -> None:
        """Cover these sensors and no others."""

    async def start(
        self, table: str, by: str, wagers: Mapping[str, Sequence[int]], players: Sequence[int] | None
    ) -> None:
        """Press START GAME for these wagers, or for the covered sensors if there are none."""

    async def hand(self, link: str, table: str, step: Step) -> None:
        """Press a hand button."""

    async def fold(self, link: str, table: str, step: Step) -> None:
        """Mark a seat as folded."""

    async def correct(self, link: str, table: str, step: Step) -> None:
        """Correct one locked seat."""

    async def turn_key(self, link: str, table: str, by: str, to: Literal["JPH", "RUN"]) -> None:
        """Turn the key of an Aquarius table."""

    async def end(self, table: str, by: str) -> None:
        """Press END GAME."""

    async def misdeal(self, table: str, step: Step) -> None:
        """Void the round."""

    async def rounds_at(self, table: str, awards: Mapping[str, Sequence[AwardState]]) -> Rounds:
        """Return the current round on each link, once the table knows its awards."""
