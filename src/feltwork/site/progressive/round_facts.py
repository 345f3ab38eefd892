"""Round facts: messages of a table from START GAME to END GAME."""

from dataclasses import dataclass

from feltwork.money import Micros
from feltwork.site.progressive.facts import Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundStarted(Fact):
    """START GAME locked these seats; each of them has wagered."""

    table: str
    round: int
    wager: Micros
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPressed(Fact):
    """The dealer entered a seat's hand."""

    table: str
    round: int
    seat: int
    hand: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCleared(Fact):
    """The dealer cleared a seat's hand."""

    table: str
    round: int
    seat: int
    hand: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundEnded(Fact):
    """END GAME, with the amounts that the tray paid."""

    table: str
    round: int
    fixed: Micros
    envy: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundVoided(Fact):
    """The round was misdealt."""

    table: str
    round: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RegularWagers(Fact):
    """START GAME on the dealer's screen: seats with a regular wager, and hands that may pay envy."""

    table: str
    round: int
    players: tuple[int, ...]
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyTurned(Fact):
    """The supervisor's Aquarius key was turned to JPH or back to RUN."""

    table: str
    round: int
    #: jackpot or run.
    to: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTakenOver(Fact):
    """A supervisor took over the open round of a failed controller at the screen."""

    table: str
    round: int
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatFolded(Fact):
    """The dealer marked a seat as folded, or removed the mark."""

    table: str
    round: int
    seat: int
    folded: bool
    by: str
