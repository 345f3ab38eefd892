"""The value of each choice and simulated rounds, held against each other and against the exact figures."""

import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt
from statistics import correlation, fmean, pstdev, pvariance

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.question import advice_for
from feltwork.odds.report import base_report
from feltwork.odds.simulate import PairTally, simulate
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_cards
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from tests.sizes import size
from tests.support.commands import run


@pytest.mark.parametrize("choice", ["fold", "1x", "3x"])
def test_advice_is_the_mean_of_settled_rounds(choice: str) -> None:
    """A pair of aces in Crazy 4 Poker, dealt against random dealer hands."""
    game, hand = registry.game("crazy_4"), parse_cards("As Ad 9c 5h 2s")
    advice = advice_for(game, "As Ad 9c 5h 2s", {}, {})
    opened = open_round(game, 1)
    seat = replace(opened.seats[0], wagers={"ante": DOLLAR, "super_bonus": DOLLAR}, jackpots=frozenset())
    opened = replace(opened, seats=(seat,), jackpots=())
    dice, rest = random.Random(7), [card for card in DECK if card not in hand]
    nets = []
    for _ in range(size(400, 20_000)):
        round_ = game.play(opened, Shoe([*hand, *dice.sample(rest, 5)]), lambda _: choice)
        nets.append(settle(round_).seats[0].net / DOLLAR)
    error = pstdev(nets) / sqrt(len(nets))
    assert abs(fmean(nets) - float(advice.worth[choice])) <= 4.5 * error
    assert advice.best == "3x"


@pytest.mark.parametrize(
    ("title", "cards", "sees", "best"),
    [
        ("six_five_four", "2s 4d 6c 8h Ts", {"dealer": "9h"}, "fold"),
        ("holdem_bonus", "As Ad", {}, "bet"),
        ("holdem_bonus", "2s 7d", {}, "fold"),
        ("blackjack", "8s 8d", {"dealer": "6h"}, "split"),
        ("blackjack", "Ts 6d", {"dealer": "6h"}, "stand"),
        ("blackjack", "5s 4d 2c", {"dealer": "6h"}, "hit"),
    ],
)
def test_the_best_choice_of_well_known_hands(title: str, cards: str, sees: dict[str, str], best: str) -> None:
    advice = advice_for(registry.game(title), cards, sees, {})
    assert advice.best == best
    assert advice.cost_of(best) == 0
    assert all(advice.cost_of(choice) >= 0 for choice in advice.worth)


@pytest.mark.parametrize(
    ("title", "cards", "sees", "options", "message"),
    [
        ("crazy_4", "As Ad 9c 5h", {}, {}, "number of cards is 4; it must be 5"),
        ("crazy_4", "As As 9c 5h 2s", {}, {}, "more times than the shoe allows"),
        ("crazy_4", "As Ad 9c 5h xx", {}, {}, "xx"),
        ("crazy_4", "As Ad 9c 5h 2s", {"dealer": "2c"}, {}, "does not see cards there"),
        ("crazy_4", "As Ad 9c 5h 2s", {}, {"foo": "1"}, "cannot be '1'"),
        ("six_five_four", "2s 4d 6c 8h Ts", {"dealer": "9h 8c"}, {}, "after a 10 or higher"),
        ("blackjack", "As Kd", {"dealer": "6h"}, {}, "no decision left"),
        ("blackjack", "Ts 6d", {}, {}, "number of cards is 0; it must be 1"),
        ("mini_baccarat", "As", {}, {}, "no solved strategy"),
    ],
)
def test_a_hand_that_asks_nothing_is_refused(
    title: str, cards: str, sees: dict[str, str], options: dict[str, str], message: str
) -> None:
    with pytest.raises(ProblemsError, match=message):
        advice_for(registry.game(title), cards, sees, options)


def test_advise_as_data() -> None:
    answer = run("advise", "crazy_4", "As Ad 9c 5h 2s", "--option", "super_bonus=C4P-10", "--json")
    advice = json.loads(answer.stdout)
    assert list(advice) == ["choices", "best", "cost_of", "exact"]
    assert advice["best"] == "3x"
    assert advice["choices"]["fold"] == {"value": "-2", "decimal": -2.0}
    assert advice["cost_of"]["3x"]["value"] == "0"


@pytest.mark.parametrize("title", ["crazy_4", "holdem_bonus"])
def test_a_simulation_agrees_with_the_exact_house_edge(title: str) -> None:
    report = simulate(registry.game(title), rounds=size(1_500, 100_000), seed=3, strategy="exact")
    edge = float(base_report(title, {}).figures["house edge"])
    assert abs(report.base.mean + edge) <= 4.5 * report.base.standard_error


def test_simulate_as_data() -> None:
    answer = run("simulate", "mini_baccarat", "--rounds", "200", "--strategy", "simple", "--json")
    report = json.loads(answer.stdout)
    assert list(report) == ["mean_net", "standard_error", "bets", "with_base", "distribution"]
    assert sum(line["rounds"] for line in report["distribution"]) == 200


def test_bets_together_vary_as_their_sum() -> None:
    pairs = [
        (Fraction(first), Fraction(second)) for first, second in ((3, 5), (1, -1), (-1, -1), (-2, -1), (1, 2))
    ]
    figures = PairTally(Counter(pairs)).as_json()
    own, other = ([float(pair[place]) for pair in pairs] for place in (0, 1))
    assert figures["variance_together"] == pytest.approx(
        pvariance([a + b for a, b in zip(own, other, strict=True)])
    )
    assert figures["correlation"] == pytest.approx(correlation(own, other))
    played = simulate(registry.game("crazy_4"), rounds=2_000, seed=3, strategy="simple")
    assert set(played.with_base) == set(played.bets)
    # Queens Up pays for the hands that win the base game.
    queens_up = played.with_base["queens_up"].as_json()
    assert queens_up["covariance"] > 4.5 * queens_up["standard_error"]
