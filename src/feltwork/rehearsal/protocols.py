"""Interfaces for a rehearsal: the buttons of a table, and the sites of a network."""

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
        self, table: str, by: str, wagers: Mapping[str, Sequence[int]], players: Sequence[int]
    ) -> None:
        """Press START GAME."""

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


class RehearsedNetwork(Protocol):
    """The hub and the sites of a network."""

    async def cut(self, site: str) -> None:
        """Cut a site off from the hub."""

    async def mend(self, site: str) -> None:
        """Reconnect a site."""

    async def settle(self) -> None:
        """Wait until the hub and its connected sites are in sync."""

    async def shown(self) -> Result:
        """Return the meters that the hub and every site show."""
