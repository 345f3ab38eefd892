"""What a settled round says: every bet, every jackpot pay, every meter, with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from feltwork import money
from feltwork.money import Micros

Outcome: TypeAlias = Literal["win", "push", "lose", "void"]


@dataclass(frozen=True, slots=True)
class BetResult:
    """One bet of one seat; ``returned`` includes the stake where it comes back."""

    staked: Micros
    returned: Micros
    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotResult:
    """One jackpot wager of one seat: the row its hand answers to, the award and where it comes from."""

    wager: Micros
    hand: str | None
    award: Micros = 0
    sources: Mapping[str, Micros] = field(default_factory=dict)
    envy: Micros = 0
    stake_returned: Micros = 0
    #: Whether the meter starts again after this award.
    restarts: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Everything that one seat won and lost."""

    seat: int
    bets: Mapping[str, BetResult]
    jackpots: Mapping[str, JackpotResult]

    @property
    def net(self) -> Micros:
        """What the seat takes home, less all it staked."""
        bets = sum(bet.returned - bet.staked for bet in self.bets.values())
        jackpots = sum(
            jackpot.award + jackpot.envy + jackpot.stake_returned - jackpot.wager
            for jackpot in self.jackpots.values()
        )
        return bets + jackpots


@dataclass(frozen=True, slots=True)
class MeterChange:
    """A meter before the round's awards and after them."""

    before: Micros
    after: Micros


@dataclass(frozen=True, slots=True)
class Settlement:
    """A settled round."""

    void: bool
    seats: tuple[SeatResult, ...]
    meters: Mapping[str, Mapping[str, MeterChange]]
    why_void: str = ""


def as_json(settlement: Settlement) -> dict[str, object]:
    """The settlement in the shape that programs read; amounts are texts, so that none is rounded."""
    void = {"why": settlement.why_void} if settlement.void else {}
    return {
        "void": settlement.void,
        **void,
        "seats": [_seat_as_json(seat) for seat in settlement.seats],
        "meters": {
            jackpot: {
                level: {"before": money.text(change.before), "after": money.text(change.after)}
                for level, change in levels.items()
            }
            for jackpot, levels in settlement.meters.items()
        },
    }


def _seat_as_json(seat: SeatResult) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "bets": {
            name: {
                "staked": money.text(bet.staked),
                "returned": money.text(bet.returned),
                "outcome": bet.outcome,
                "why": bet.why,
            }
            for name, bet in seat.bets.items()
        },
        "jackpots": {
            name: {
                "hand": jackpot.hand,
                "award": money.text(jackpot.award),
                "from": {source: money.text(amount) for source, amount in jackpot.sources.items()},
                "envy": money.text(jackpot.envy),
                "stake_returned": money.text(jackpot.stake_returned),
                "why": jackpot.why,
            }
            for name, jackpot in seat.jackpots.items()
        },
        "net": money.text(seat.net),
    }
