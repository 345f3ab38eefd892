"""The minimum and maximum of every bet, from a table's posted limits and the game's rules."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from feltwork import money
from feltwork.money import DOLLAR, Micros
from feltwork.titles.paytables.paytable import Odds, Paytable
from feltwork.titles.title import Game, Wager

#: A bet of the game, a side bet, or an addition to a bet during play.
BetKind: TypeAlias = Literal["game", "side_bet", "added"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLimits:
    """The posted limits of a table; no single wager of the game exceeds ``highest``."""

    highest: Micros
    #: None if no minimum is posted.
    lowest: Micros | None = None
    #: The lowest wager on a side bet; None if it is that of the game.
    lowest_side_bet: Micros | None = None
    #: The side bets on offer, by paytable bet, each with its highest wager.
    side_bets: Mapping[str, Micros]


@dataclass(frozen=True, slots=True, kw_only=True)
class BetLimits:
    """The limits of one bet at a table, and the rule behind them."""

    bet: str
    kind: BetKind
    minimum: Micros | None
    maximum: Micros
    rule: str
    cites: str

    @property
    def range_text(self) -> str:
        """The limits as text: ``5.00 to 300.00``."""
        up_to = f"up to {money.text(self.maximum)}"
        return f"{money.text(self.minimum)} to {money.text(self.maximum)}" if self.minimum else up_to

    def as_json(self) -> dict[str, object]:
        """Return the limits as JSON data."""
        return {
            "bet": self.bet,
            "kind": self.kind,
            "minimum": None if self.minimum is None else money.text(self.minimum),
            "maximum": money.text(self.maximum),
            "rule": self.rule,
            "cites": self.cites,
        }

    def allows(self, amount: Micros) -> bool:
        """Whether a player may bet this amount."""
        return (self.minimum or 0) <= amount <= self.maximum


def bet_limits(game: Game, table: TableLimits, paytables: Mapping[str, Paytable]) -> tuple[BetLimits, ...]:
    """Return the limits of every bet on offer, each after the bet that it depends on."""
    limits_by_bet: dict[str, BetLimits] = {}
    added = {wager.name for wager in game.added_wagers}
    for wager in (*game.wagers, *game.added_wagers):
        if (limits := _range(game, wager, table, paytables, limits_by_bet)) is not None:
            limits_by_bet[wager.name] = BetLimits(
                bet=wager.name,
                kind="side_bet" if wager.is_side_bet else "added" if wager.name in added else "game",
                minimum=limits[0],
                maximum=limits[1],
                rule=wager.says,
                cites=wager.cites,
            )
    return tuple(limits_by_bet.values())


def paid_on(game: Game, bet: str) -> str:
    """Return the wager that a paytable pays; a bonus without its own stake is paid on the base wager."""
    return next((wager.name for wager in game.wagers if wager.paytable == bet), game.base[0])


def _range(
    game: Game,
    wager: Wager,
    table: TableLimits,
    paytables: Mapping[str, Paytable],
    limits_by_bet: Mapping[str, BetLimits],
) -> tuple[Micros | None, Micros] | None:
    """Return the range of a wager, or None if it is not on offer."""
    if wager.is_side_bet:
        lowest = table.lowest if table.lowest_side_bet is None else table.lowest_side_bet
        return (lowest, table.side_bets[wager.paytable]) if wager.paytable in table.side_bets else None
    if wager.size is None:
        return table.lowest, _highest_base(game, wager.name, table.highest)
    if wager.size.of not in limits_by_bet or (wager.needs and wager.needs not in limits_by_bet):
        return None
    size, base = wager.size, limits_by_bet[wager.size.of]
    side_bet = limits_by_bet.get(size.plus_proceeds_of)
    proceeds = _most_returned(paytables[side_bet.bet], side_bet.maximum) if side_bet else 0
    minimum = None if base.minimum is None else int(size.least * base.minimum)
    return minimum, int(size.most * base.maximum) + proceeds


def _highest_base(game: Game, name: str, highest: Micros) -> Micros:
    """Return the highest wager whose largest multiple is within the limit, in whole dollars."""
    most = max(
        [Fraction(1), *(wager.size.most for wager in game.wagers if wager.size and wager.size.of == name)]
    )
    return highest if most == 1 else highest // most // DOLLAR * DOLLAR


def _most_returned(paytable: Paytable, wager: Micros) -> Micros:
    """Return the highest pay plus any returned stake."""
    odds = [row.pays for row in paytable.rows if isinstance(row.pays, Odds)]
    return max(row_odds.pay(wager) + (wager if row_odds.stake_returned else 0) for row_odds in odds)
