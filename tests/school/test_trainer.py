"""The player's trainer: a round is played choice by choice, and each mistake costs what the odds say."""

from fractions import Fraction

import pytest

from feltwork.problem import ProblemsError
from feltwork.site.school.score import Attempt, score
from feltwork.site.school.trainer import Training, train

GAMES = ("crazy_4", "six_five_four", "holdem_bonus", "blackjack")


def play_best(game: str, seed: int) -> Training:
    choices: list[str] = []
    training = train(game, seed)
    while training.question is not None:
        for choice in training.question.choices:
            after = train(game, seed, [*choices, choice])
            if after.decided[-1].cost == 0:
                break
        choices.append(choice)
        training = after
    return training


@pytest.mark.parametrize("game", GAMES)
def test_the_best_choices_cost_nothing_and_end_the_round(game: str) -> None:
    for seed in range(3):
        training = play_best(game, seed)
        assert training.finished is not None
        assert training.cost == 0


@pytest.mark.parametrize("game", GAMES)
def test_every_other_choice_costs_what_it_gives_away(game: str) -> None:
    training = next(
        training for training in (train(game, seed) for seed in range(50)) if training.question is not None
    )
    assert training.question is not None
    after = [train(game, training.seed, [choice]).decided[0] for choice in training.question.choices]
    assert min(option.cost for option in after) == 0
    assert all(option.cost >= 0 for option in after)
    assert any(option.cost > 0 for option in after)


def test_folding_two_pair_at_crazy_4_gives_away_more_than_an_ante() -> None:
    seeds = (train("crazy_4", seed, ["fold"]) for seed in range(200))
    worst = max(seeds, key=lambda training: training.cost)
    assert worst.cost > 1


def test_a_choice_that_is_not_offered_is_refused() -> None:
    with pytest.raises(ProblemsError, match="is not a choice here"):
        train("crazy_4", 1, ["surrender"])
    with pytest.raises(ProblemsError, match="has no solved strategy"):
        train("mini_baccarat", 1)


def test_weak_spots_come_first() -> None:
    result = score(
        [
            Attempt("crazy_4", "ante", right=True),
            Attempt("crazy_4", "super_bonus", right=False),
            Attempt("crazy_4", "super_bonus", right=True),
            Attempt("blackjack", "hand", right=False, cost=Fraction(1, 10)),
        ]
    )
    assert (result.asked, result.right, result.cost) == (4, 2, Fraction(1, 10))
    assert [(spot.game, spot.subject) for spot in result.weak_spots] == [
        ("blackjack", "hand"),
        ("crazy_4", "super_bonus"),
    ]
