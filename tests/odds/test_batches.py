"""Simulations in batches: rounds that are told to be alike are decided and settled alike by the rules."""

import time
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest

from feltwork.odds.batches import Strategy
from feltwork.odds.sheet import solved_base
from feltwork.odds.simulate import net_of_bets, opened_for, simulate
from feltwork.odds.strategy import player
from feltwork.odds.title_odds import odds_of
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision
from tests.sizes import size

TITLES = ["caribbean_stud", "crazy_4", "holdem_bonus"]


@pytest.mark.parametrize(
    ("title", "strategy"),
    [*((title, "exact") for title in TITLES), *((title, "simple") for title in (*TITLES, "six_five_four"))],
)
def test_rounds_of_one_class_are_played_and_paid_alike(title: str, strategy: Strategy) -> None:
    """Every round is played by itself, and must choose and return what the first of its class did."""
    game = registry.game(title)
    opened = opened_for(game)
    tell = odds_of(title).alike
    assert tell is not None
    alike = tell(opened.paytables, opened.options, strategy)
    assert alike is not None
    decide = game.rule_of_thumb
    if strategy == "exact":
        decide = player(title, opened.paytables, opened.options)
    dice = np.random.default_rng(8)
    dealt = np.array([dice.permutation(52)[: alike.cards] for _ in range(size(1_500, 30_000))])
    decided, settled = alike.decided(dealt).tolist(), alike.settled(dealt).tolist()
    choices: dict[int, tuple[str, ...]] = {}
    nets: dict[tuple[int, tuple[str, ...]], dict[str, Fraction]] = {}
    again = 0
    for cards, by_choice, by_result in zip(dealt.tolist(), decided, settled, strict=True):
        choices_made: list[str] = []

        def note(decision: Decision, choices_made: list[str] = choices_made) -> str:
            choices_made.append(decide(decision))
            return choices_made[-1]

        round_ = game.play(opened, Shoe(DECK[card] for card in cards), note)
        won = net_of_bets(round_.seats[0], settle(round_).seats[0])
        assert choices.setdefault(by_choice, tuple(choices_made)) == tuple(choices_made)
        again += (by_result, tuple(choices_made)) in nets
        assert nets.setdefault((by_result, tuple(choices_made)), won) == won
    assert again > len(dealt) / 2


def solved_figures(title: str) -> Mapping[str, Fraction]:
    solved = solved_base(title)
    return solved.solve(**{name: values[0] for name, values in solved.options.items()}).figures


@pytest.mark.parametrize("title", TITLES)
def test_batches_agree_with_the_exact_house_edge(title: str) -> None:
    report = simulate(registry.game(title), rounds=size(300_000, 3_000_000), seed=5, strategy="exact")
    edge = float(solved_figures(title)["house edge"])
    assert abs(report.base.mean + edge) <= 4.5 * report.base.standard_error
    assert report.base.rounds == size(300_000, 3_000_000)


@pytest.mark.whole
@pytest.mark.parametrize("title", TITLES)
def test_a_processor_plays_two_hundred_thousand_rounds_a_second(title: str) -> None:
    """Measured in processor time, with half of it to spare for a slower machine."""
    game = registry.game(title)
    simulate(game, rounds=50_000, seed=1, strategy="exact")
    start = time.process_time()
    simulate(game, rounds=400_000, seed=2, strategy="exact")
    assert 400_000 / (time.process_time() - start) > 100_000
