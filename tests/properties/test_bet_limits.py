"""The limits of every bet, against rounds of every game."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.money import CENT, DOLLAR, Micros
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.bet_limits import BetLimits, TableLimits, bet_limits
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.games.blackjack.hand_play import follow
from feltwork.titles.games.blackjack.rules import spot_of
from feltwork.titles.round import Round, Seat
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision, Game

GAMES = [game.name for game in registry.games()]


def table_of(game: Game, dice: random.Random, *, lowest: Micros | None = None) -> TableLimits:
    side_bets = {wager.paytable for wager in game.wagers if wager.is_side_bet}
    return TableLimits(
        highest=dice.randint(45, 500) * DOLLAR,
        lowest=dice.randint(1, 15) * DOLLAR if lowest is None else lowest,
        lowest_side_bet=dice.choice([None, DOLLAR]),
        side_bets={bet: dice.randint(15, 50) * DOLLAR for bet in side_bets},
    )


def opened(game: Game, table: TableLimits, dice: random.Random) -> Round:
    """A round with random wagers within the limits, some of them at an end."""
    round_ = open_round(game, dice.randint(1, game.max_seats))
    limits = {limits_of_bet.bet: limits_of_bet for limits_of_bet in bet_limits(game, table, round_.paytables)}
    seats = []
    for seat in round_.seats:
        base = dict.fromkeys(dice.choice(game.openings), 0)
        wagers = {name: one_within(limits[name], dice) for name in base}
        sizes = {wager.name: wager.size for wager in game.wagers if wager.size and wager.name in wagers}
        wagers |= {name: wagers[size.of] for name, size in sizes.items()}
        seats.append(replace(seat, wagers=wagers, jackpots=frozenset()))
    return replace(round_, seats=tuple(seats), jackpots=(), limits=table)


def one_within(limits: BetLimits, dice: random.Random) -> Micros:
    least, most = limits.minimum or CENT, limits.maximum
    return dice.choice([least, most, dice.randint(least // CENT, most // CENT) * CENT])


def played(game: Game, seed: int) -> Round:
    dice = random.Random(seed)
    round_ = opened(game, table_of(game, dice), dice)
    cards = list(decks_of(int(round_.options.get("decks", 1))))
    dice.shuffle(cards)

    def decide(decision: Decision) -> str:
        return dice.choice(decision.choices)

    return game.play(round_, Shoe(cards), decide)


def limits_of(round_: Round) -> dict[str, BetLimits]:
    assert round_.limits
    return {limits.bet: limits for limits in bet_limits(round_.game, round_.limits, round_.paytables)}


@pytest.mark.requirement("WA-26")
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=100, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_no_lawful_round_has_a_bet_outside_of_its_limits(name: str, seed: int) -> None:
    round_ = played(registry.game(name), seed)
    limits = limits_of(round_)
    settle(round_)
    for seat in round_.seats:
        for bet, amount in seat.wagers.items():
            assert limits[bet].allows(amount), (bet, amount, limits[bet])
        if name == "blackjack":
            merged = spot_of(round_, seat).hands[0].wager
            assert limits["bet_with_house_money"].allows(merged)
            for hand in follow(spot_of(round_, seat), seat).hands:
                assert limits["double"].allows(hand.wager - merged)


@pytest.mark.requirement("WA-26")
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_bet_just_outside_of_its_limits_is_refused(name: str, seed: int) -> None:
    round_ = played(registry.game(name), seed)
    for place, seat in enumerate(round_.seats):
        for bet in seat.wagers:
            limits = limits_of(round_)[bet]
            for amount in (limits.maximum + CENT, (limits.minimum or 0) - CENT):
                seats = list(round_.seats)
                seats[place] = seat.adding(bet, amount)
                with pytest.raises(ProblemsError):
                    settle(replace(round_, seats=tuple(seats)))


def test_the_largest_play_at_the_largest_ante_is_taken() -> None:
    """With $300 for a wager the Ante ends at $100, so that three of them are $300 [C4.deal.3]."""
    game = registry.game("crazy_4")
    table = TableLimits(highest=300 * DOLLAR, lowest=5 * DOLLAR, side_bets={})
    limits = {
        bet_limit.bet: (bet_limit.minimum, bet_limit.maximum) for bet_limit in bet_limits(game, table, {})
    }
    assert limits == {
        "ante": (5 * DOLLAR, 100 * DOLLAR),
        "super_bonus": (5 * DOLLAR, 100 * DOLLAR),
        "play": (5 * DOLLAR, 300 * DOLLAR),
    }
    deck = list(decks_of(1))
    aces = [card for card in deck if str(card)[0] == "A"]
    cards = (*aces, *(card for card in deck if card not in aces))
    wagers = dict.fromkeys(("ante", "super_bonus"), 100 * DOLLAR)
    round_ = replace(open_round(game, 1), seats=(Seat(number=1, wagers=wagers),), jackpots=(), limits=table)
    dealt = game.play(round_, Shoe(cards), lambda decision: decision.choices[-1])
    assert dealt.seats[0].wager("play") == 300 * DOLLAR
    assert settle(dealt).seats[0].bets["play"].outcome == "win"


@pytest.mark.parametrize(
    ("name", "bet", "most"),
    [
        ("holdem_bonus", "ante", 150),
        ("holdem_bonus", "flop", 300),
        ("holdem_bonus", "river", 150),
        ("caribbean_stud", "ante", 150),
        ("caribbean_stud", "raise", 300),
        ("six_five_four", "play", 300),
        ("mini_baccarat", "tie", 300),
        ("blackjack", "bet", 300),
        ("blackjack", "insurance", 150),
        # Ace and king of a suit pay $25 of House Money 9 to 1, and the stake stays too.
        ("blackjack", "bet_with_house_money", 300 + 250),
        ("blackjack", "split", 300 + 250),
    ],
)
def test_limits_follow_from_the_rules(name: str, bet: str, most: int) -> None:
    game = registry.game(name)
    table = TableLimits(highest=300 * DOLLAR, side_bets={"house_money": 25 * DOLLAR})
    limits = {
        bet_limit.bet: bet_limit for bet_limit in bet_limits(game, table, open_round(game, 1).paytables)
    }
    assert (limits[bet].minimum, limits[bet].maximum) == (None, most * DOLLAR)
    assert "bonus" not in limits, "nobody offers it"


def test_without_house_money_nothing_is_left_on_the_bet() -> None:
    game = registry.game("blackjack")
    maxima = {
        bet_limit.bet: bet_limit.maximum
        for bet_limit in bet_limits(game, TableLimits(highest=300, side_bets={}), {})
    }
    assert maxima == {"bet": 300, "insurance": 150, "double": 300, "split": 300}
