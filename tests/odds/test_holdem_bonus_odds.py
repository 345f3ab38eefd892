"""Hold'em Bonus: kernels against the reference on complete small decks, published values, strategy."""

from collections import defaultdict
from dataclasses import astuple
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from feltwork.odds.kernels import holdem as kernel
from feltwork.odds.titles.holdem_bonus.counts import HoldemBonusCounts, Outcomes, count_outcomes, rank_orders
from feltwork.odds.titles.holdem_bonus.showdowns import Showdowns
from feltwork.odds.titles.holdem_bonus.solve import CRITERIA, Criterion, net_total, solve
from feltwork.odds.titles.holdem_bonus.strategy import after_flop, after_turn, before_flop
from feltwork.odds.titles.holdem_bonus.strategy_text import before_the_flop
from feltwork.titles.cards.card import DECK
from feltwork.titles.hands.five_card import THREE_TENS, FiveCardCategory, best_five
from tests.odds.five_card_reference import Showdown, showdowns
from tests.sizes import size

IDENTITY = ((0, 1, 2, 3),)
SMALL_DECKS = {
    "five ranks of two suits": tuple(4 * rank + suit for rank in (0, 1, 2, 3, 12) for suit in (1, 3)),
    "six ranks of two suits": tuple(4 * rank + suit for rank in (0, 1, 2, 3, 11, 12) for suit in (1, 3)),
    "four ranks of three suits": tuple(4 * rank + suit for rank in (7, 8, 9, 10) for suit in (0, 2, 3)),
    "three ranks of four suits": tuple(4 * rank + suit for rank in (3, 8, 12) for suit in range(4)),
}


def cards(text: str) -> tuple[int, ...]:
    return tuple(
        4 * "23456789TJQKA".index(rank) + "cdhs".index(suit)
        for rank, suit in zip(text[::2], text[1::2], strict=True)
    )


def settle_board(board: NDArray[np.int64], row: NDArray[np.int64], row_tens: NDArray[np.uint16]) -> None:
    """Settle one board of five cards by the steps that `settle_turn` repeats for each river."""
    orders, values = rank_orders()
    types, work = np.empty(52, np.uint8), np.zeros(kernel.WORK_SIZE, np.int64)
    spread, tens = np.zeros((27, 27), np.int64), np.zeros((27, 27), np.uint16)
    shape = kernel._board_shape(board, work[:5])
    live = kernel._sort_cards(board, (1 << 52) - 1, shape[0], types, work[5:31])
    kernel._settle_types(shape, live, orders, values, spread, tens, work)
    kernel._add_spread(types, spread, tens, row, row_tens)


BOARDS = ["2c7d9hJsKc", "2c2d2h2sAc", "5s5h5dKsKh", "6h7h8hJcQd", "6h7h8h9hAd", "TsJsQsKsAs", "3c3dAcKcQc"]


@pytest.mark.whole
@pytest.mark.parametrize("text", BOARDS)
def test_every_hole_pair_on_a_board_of_the_full_deck(text: str) -> None:
    board = cards(text)
    expected = showdowns(board, range(52))
    row, tens = np.zeros(kernel.COLUMNS, np.int64), np.zeros(kernel.COLUMNS, np.uint16)
    settle_board(np.array(board), row, tens)
    for (low, high), showdown in expected.items():
        column = high * (high - 1) // 2 + low
        packed = int(row[column])
        counts = [packed & 0xFFFF, packed >> 16 & 0xFFFF, packed >> 32 & 0xFFFF, packed >> 48 & 0xFFFF]
        won = showdown.won
        assert counts == [
            won,
            showdown.lost,
            won * showdown.meets("straight"),
            won * showdown.meets("flush"),
        ]
        assert int(tens[column]) == won * showdown.meets("three_tens")


def reference_outcomes(deck: tuple[int, ...]) -> dict[tuple[int, int, int], list[int]]:
    """Outcomes by (starting hand, turn bet, river bet), decision by decision as a player would reason."""
    tables: dict[tuple[int, ...], dict[tuple[int, int], Showdown]] = {
        board: showdowns(board, deck) for board in combinations(deck, 5)
    }
    results: defaultdict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0] * 6)
    for hole in combinations(deck, 2):
        rest = [card for card in deck if card not in hole]
        high, low = max(hole), min(hole)
        suited = high % 4 == low % 4
        index = 13 * (high // 4) + low // 4 if suited else 13 * (low // 4) + high // 4
        for flop in combinations(rest, 3):
            rivers = {
                turn: [
                    tables[tuple(sorted((*flop, turn, river)))][hole]
                    for river in rest
                    if river not in flop and river != turn
                ]
                for turn in rest
                if turn not in flop
            }
            turn_bet = sum(s.won - s.lost for showdowns in rivers.values() for s in showdowns) > 0
            for river_showdowns in rivers.values():
                river_bet = sum(s.won - s.lost for s in river_showdowns) > 0
                into = results[index, int(turn_bet), int(river_bet)]
                into[0] += 1
                into[1] += sum(s.won for s in river_showdowns)
                into[2] += sum(s.lost for s in river_showdowns)
                for place, criterion in ((3, "three_tens"), (4, "straight"), (5, "flush")):
                    into[place] += sum(s.won for s in river_showdowns if s.meets(criterion))
    return results


@pytest.mark.parametrize(
    "deck",
    [
        # The deals of the others take many times as long.
        pytest.param(deck, id=name, marks=[] if name.startswith("five ranks") else [pytest.mark.whole])
        for name, deck in SMALL_DECKS.items()
    ],
)
def test_whole_game_with_a_small_deck(deck: tuple[int, ...]) -> None:
    counted = count_outcomes(deck=deck, renamings=IDENTITY)
    expected = reference_outcomes(deck)
    for index, hand in enumerate(counted.outcomes):
        for turn_bet in (0, 1):
            for river_bet in (0, 1):
                sums = expected.get((index, turn_bet, river_bet), [0] * 6)
                assert hand[turn_bet][river_bet] == Outcomes(*sums)


@pytest.mark.letter("odds.titles.holdem_bonus.solve.net_total", "TH.deal.12")
@pytest.mark.parametrize(("criterion", "antes"), [("flush", 2), ("straight", 3), ("three_tens", 5)])
def test_a_win_pays_the_bets_and_a_loss_takes_the_ante_too(criterion: Criterion, antes: int) -> None:
    outcomes = Outcomes(decisions=1, won=10, lost=4, won_three_tens=5, won_straight=3, won_flush=2)
    assert net_total(outcomes, criterion, bets=3) == 3 * 10 + antes - (3 + 1) * 4


def test_renaming_suits_changes_nothing() -> None:
    deck = SMALL_DECKS["three ranks of four suits"]
    assert count_outcomes(deck=deck) == count_outcomes(deck=deck, renamings=IDENTITY)


def test_every_deal_is_counted_once_and_both_sides_are_alike(counts: HoldemBonusCounts) -> None:
    every = [outcome for hand in counts.outcomes for bets in hand for outcome in bets]
    assert sum(outcome.decisions for outcome in every) == 1326 * 19_600 * 47
    assert sum(outcome.won for outcome in every) == sum(outcome.lost for outcome in every)


def test_criteria_against_published_values(counts: HoldemBonusCounts) -> None:
    straight = solve(counts, "straight")
    assert straight.house_edge == Fraction(578107733, 28381438800)
    assert round(float(straight.house_edge), 4) == 0.0204
    assert round(float(straight.element_of_risk), 4) == 0.0053
    assert straight.folds == ("32o", "42o", "52o", "62o", "72o")
    assert solve(counts, "flush").house_edge == Fraction(19447087313, 347672625300)
    assert solve(counts, "three_tens").house_edge == Fraction(3149881957, 463563500400)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_distribution_sums_to_one(counts: HoldemBonusCounts, criterion: str) -> None:
    solution = solve(counts, criterion)  # type: ignore[arg-type]
    assert sum(solution.distribution.values()) == 1


@pytest.mark.whole
def test_worth_after_the_flop_averages_to_the_worth_before_it(counts: HoldemBonusCounts) -> None:
    """Sampled flops stay near the exact mean, and a turn's worth averages exactly to its flop's."""
    hole, flop = cards("9c8c"), cards("7cTdAh")
    advice = after_flop(hole, flop, "straight")
    turn_bet = int(advice.best == "bet")
    turns = [card for card in range(52) if card not in hole + flop]
    worth = [
        max(after_turn(hole, (*flop, turn), "straight", turn_bet=turn_bet).worth.values()) for turn in turns
    ]
    assert sum(worth, Fraction()) / len(turns) == advice.worth[advice.best]

    rng = np.random.default_rng(5)
    exact = before_flop(hole, "straight", counts).worth["bet"]
    rest = [card for card in range(52) if card not in hole]
    sample = [
        float(max(after_flop(hole, rng.choice(rest, 3, replace=False).tolist(), "straight").worth.values()))
        for _ in range(size(100, 300))
    ]
    error = np.std(sample) / len(sample) ** 0.5
    assert abs(np.mean(sample) - float(exact)) < 3.5 * error


@pytest.mark.parametrize(
    ("hole", "board", "others"),
    [
        ("AcKd", "2c7c9cTh", "3c4c5c8cTcJcQs2d7h9d9h9sKsAdAhTd"),
        ("AcKd", "2c7c9cTc", "3c4c5c6cQs2d7h9d9h9sKsAdAhTd8cJcJd"),
        ("2h2s", "3c4c5c6c", "7c8c2c2dAsAc9d9hTdKcQcJc3d3h"),
        ("ThTs", "Tc4d4h9s", "4s4c9d9hTdKcQcJc8c7c7d7hAsAd"),
        ("9d8d", "7dTd2h6s", "JdQd6d5dAdKd3d2s2c6h6cTh9h8h"),
    ],
)
def test_showdowns_are_those_of_the_rules(hole: str, board: str, others: str) -> None:
    own, board_cards, left = cards(hole), cards(board), cards(others)
    sums = [0] * 6
    for river in left:
        hand = best_five(DECK[card] for card in (*own, *board_cards, river))
        for dealer in combinations([card for card in left if card != river], 2):
            other = best_five(DECK[card] for card in (*dealer, *board_cards, river))
            won = hand > other
            sums[1] += won
            sums[2] += hand < other
            sums[3] += won and hand >= THREE_TENS
            sums[4] += won and hand.category >= FiveCardCategory.STRAIGHT
            sums[5] += won and hand.category >= FiveCardCategory.FLUSH
    deck = sum(1 << card for card in (*own, *board_cards, *left))
    assert astuple(Showdowns(own, deck).after(board_cards)) == (1, *sums[1:])


def test_advice_names_what_is_wrong_with_the_cards() -> None:
    with pytest.raises(ValueError, match="all different"):
        after_flop(cards("AcAc"), cards("2c3c4c"), "straight")


def test_fold_rule_in_words(counts: HoldemBonusCounts) -> None:
    assert before_the_flop(solve(counts, "flush")) == (
        "Fold 3-2 offsuit, 4-2 offsuit, 5-2 offsuit, 6-2 offsuit, 7-2 offsuit, 4-3 offsuit; "
        "make the Flop bet with everything else."
    )
