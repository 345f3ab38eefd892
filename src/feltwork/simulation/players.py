"""Players: what they stake, whether they cover the jackpot's sensor, and how well they play.

``optimal`` players use exact odds for games whose strategy can be looked up; otherwise, and for all others,
the title's rule of thumb represents a published strategy. ``human`` players also make occasional mistakes.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from feltwork.money import DOLLAR, Micros
from feltwork.odds import strategy
from feltwork.site.compliance.floor import FloorTable
from feltwork.titles.title import Decide, Decision

Style: TypeAlias = Literal["optimal", "human"]

#: Games whose exact strategy is always looked up; the tables of others take up to a minute to make.
LOOKED_UP = ("crazy_4",)
#: The error rate of human players.
ERRS = 0.03
#: The rates of leaving after a round, and of taking an empty seat.
LEAVES, SITS_DOWN = 0.03, 0.10
#: The rates of jackpot bets, equally common among players.
LIKES = (0.0, 0.6, 0.9, 1.0)
#: The average share of seats that bet a jackpot.
BETTING = SITS_DOWN / (SITS_DOWN + LEAVES) * sum(LIKES) / len(LIKES)
#: The chips of players, in dollars.
STAKES = (5, 5, 10, 10, 15, 25, 50)
SIDE_STAKE = 5 * DOLLAR


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player at a seat."""

    style: Style
    stake: Micros
    opening: tuple[str, ...]
    #: The rate of jackpot bets.
    likes_jackpots: float


def new_player(table: FloorTable, dice: random.Random) -> Player:
    """Seat a new player."""
    opening = dice.choice(table.game.openings)
    offered = {table_bet.bet for table_bet in table.bets}
    return Player(
        style=dice.choice(("optimal", "human", "human")),
        stake=dice.choice(STAKES) * DOLLAR,
        opening=tuple(name for name in opening if name in offered),
        likes_jackpots=dice.choice(LIKES),
    )


def wagers_of(player: Player, table: FloorTable) -> dict[str, Micros]:
    """The wagers of a player before the deal, within the table's limits."""
    return {
        table_bet.bet: max(
            table_bet.minimum or 0,
            min(SIDE_STAKE if table_bet.kind == "side_bet" else player.stake, table_bet.maximum),
        )
        for table_bet in table.bets
        if table_bet.bet in player.opening
    }


def decides(table: FloorTable, players: Mapping[int, Player], dice: random.Random, best: Decide) -> Decide:
    """The decisions of all players at a table; ``best`` decides for optimal players."""
    thumb = table.game.rule_of_thumb

    def decide(decision: Decision) -> str:
        player = players[decision.seat]
        if player.style == "optimal":
            return best(decision)
        if dice.random() < ERRS:
            return dice.choice(decision.choices)
        return thumb(decision)

    return decide


def best_play(table: FloorTable, *, exact: bool = False) -> Decide:
    """Choose the strategy of optimal players; ``exact`` makes missing strategy tables."""
    game = table.game.name
    if (exact or game in LOOKED_UP) and game in strategy.solved():
        return strategy.player(game, table.paytables, table.options)
    return table.game.rule_of_thumb
