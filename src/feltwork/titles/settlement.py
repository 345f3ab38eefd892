"""The result of a round: every bet, jackpot pay and meter, with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from feltwork import money
from feltwork.money import Micros

Outcome: TypeAlias = Literal["win", "push", "lose", "void"]


@dataclass(frozen=True, slots=True)
class BetResult:
    """One bet of one seat; ``returned`` includes a returned stake."""

    staked: Micros
    returned: Micros
    outcome: Outcome
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotResult:
    """One jackpot wager of one seat: the row its hand matches, the award and its sources."""

    wager: Micros
    hand: str | None
    award: Micros = 0
    sources: Mapping[str, Micros] = field(default_factory=dict)
    envy: Micros = 0
    stake_returned: Micros = 0
    #: Whether the meter resets after this award.
    restarts: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """The results of one seat."""

    seat: int
    bets: Mapping[str, BetResult]
    jackpots: Mapping[str, JackpotResult]

    @property
    def net(self) -> Micros:
        """Everything returned to the seat minus everything staked."""
        bets = sum(bet.returned - bet.staked for bet in self.bets.values())
        jackpots = sum(
            jackpot.award + jackpot.envy + jackpot.stake_returned - jackpot.wager
            for jackpot in self.jackpots.values()
        )
        return bets + jackpots


@dataclass(frozen=True, slots=True)
class MeterChange:
    """A meter before and after the round's awards."""

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
    """Return the settlement for programs; amounts are strings, so none is rounded."""
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
