"""Optimal play as answers to a table's questions, where the house rules make the difference."""

import pytest

from feltwork.odds import strategy
from feltwork.odds.title_odds import Advice
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.title import Decision, OptionValue


def asked(cards: str, up: str, *choices: str, **options: OptionValue) -> Advice:
    """A blackjack hand, the choices that the table gives it, and the house rules that are not usual."""
    house = {option.name: option.default for option in registry.game("blackjack").options}
    decision = Decision(
        seat=1,
        name="hand",
        choices=choices,
        cards=parse_cards(cards),
        sees={"dealer": parse_cards(up)},
        options={**house, **options},
    )
    return strategy.advise("blackjack", decision, {})


@pytest.mark.parametrize("double_after_split", [True, False])
def test_eleven_is_doubled_whatever_split_hands_may_do(double_after_split: bool) -> None:
    """A hand that no split made is doubled where split hands may not be."""
    advice = asked("6c 5d", "6h", "hit", "stand", "double", double_after_split=double_after_split)
    assert advice.best == "double"
    assert advice.cost_of("hit") > 0


def test_only_what_the_table_offers_is_advised() -> None:
    assert asked("8c 8d", "6h", "hit", "stand", "double", "split").best == "split"
    assert asked("8c 8d", "6h", "hit", "stand", "double").best == "stand"
    assert asked("6c 5d", "6h", "hit", "stand", double_after_split=False).best == "hit"
    offered = ("hit", "stand", "double", "surrender")
    assert asked("Tc 6d", "Th", *offered, surrender="late").best == "surrender"
    assert asked("Tc 6d", "Th", "hit", "stand").best == "hit"


def test_a_game_without_a_solution_is_named_with_those_that_have_one() -> None:
    decision = Decision(seat=1, name="raise", choices=("fold",), cards=(), sees={}, options={})
    with pytest.raises(ProblemsError) as excinfo:
        strategy.advise("mini_baccarat", decision, {})
    assert "crazy_4" in excinfo.value.problems[0].remedy


def test_advice_is_for_the_rules_of_the_table() -> None:
    """Eleven against an ace: a dealer who has not looked for blackjack takes the doubled wager as well."""
    hand = ("6h 5d", "Ac", "hit", "stand", "double")
    assert asked(*hand, dealer_peeks=True, soft_17="hit").best == "double"
    assert asked(*hand, dealer_peeks=False, soft_17="hit").best == "hit"
