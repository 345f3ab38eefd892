"""A bet with cards exposed before the wager: against every hand that is left, and against the mean."""

import random
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.four_card.classes import Int32Array, class_atoms, pay_classes
from feltwork.odds.kernels.dealing import best_fours
from feltwork.odds.pricing import price, returned
from feltwork.odds.title_odds import Cards
from feltwork.odds.what_if import exposed_bet
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.games.holdem_bonus.rules import bonus_names


def figures(title: str, bet: str, identifier: str, exposed: str, **fields: str) -> dict[str, Fraction]:
    question = question_from(registry.paytable(title, bet, identifier), {"exposed": exposed, **fields})
    return {name: figure.value for name, figure in what_if(question).bet.items()}


def gone(count: int, seed: int) -> Cards:
    return tuple(random.Random(seed).sample(DECK, count))


def values_of(left: list[int]) -> Int32Array:
    """The value of every hand of five of these cards."""
    hands = np.array(list(combinations(left, 5)), dtype=np.int64)
    values = np.empty(len(hands), dtype=np.int64)
    best_fours(hands, values)
    return values.astype(np.int32)


def text(cards: Cards) -> str:
    return " ".join(map(str, cards))


@pytest.mark.parametrize("count", [8, 30])
def test_queens_up_with_exposed_cards_is_the_mean_of_the_hands_that_are_left(count: int) -> None:
    """The other way: each hand of the cards left is ranked by the kernel; 30 cards are added up directly."""
    exposed = gone(count, count)
    left = [card.index for card in DECK if card not in exposed]
    classes = pay_classes(values_of(left))
    pays = pays_by_class(registry.paytable("crazy_4", "queens_up", "C4P-09"))
    tally = np.bincount(classes, minlength=len(pays)).tolist()
    won = sum(
        (deals * (-1 if pay is None else pay) for deals, pay in zip(tally, pays, strict=True)), Fraction(0)
    )
    assert figures("crazy_4", "queens_up", "C4P-09", text(exposed))["exposed_edge"] == -won / sum(tally)


def test_a_meter_pays_what_it_shows() -> None:
    exposed = gone(8, 3)
    prices = figures("four_card", "jackpot", "3", text(exposed), **{"meter.jackpot": "20000", "wager": "1"})
    left = [card.index for card in DECK if card not in exposed]
    values = values_of(left)
    paytable = registry.paytable("four_card", "jackpot", "3")
    priced = price(paytable, class_atoms(values, np.ones(len(values), dtype=np.int8)))
    back = priced.fixed_return + 20_000 * priced.mean_share("jackpot")
    assert prices["exposed_edge"] == 1 - back


def test_a_capped_meter_must_say_what_it_shows() -> None:
    with pytest.raises(ProblemsError, match="give the current meter amount"):
        figures("four_card", "jackpot", "3", "1", **{"cap.jackpot": "20000"})
    meter_fields = {"cap.jackpot": "20000", "meter.jackpot": "15000"}
    assert figures("four_card", "jackpot", "3", "1", **meter_fields)["exposed_gain"] == 0


@pytest.mark.whole
def test_the_holdem_bonus_with_exposed_cards_by_the_rules() -> None:
    paytable, exposed = registry.paytable("holdem_bonus", "bonus", "1"), gone(22, 5)
    left = [card for card in DECK if card not in exposed]
    nets = []
    for own in combinations(left, 2):
        for dealer in combinations([card for card in left if card not in own], 2):
            row = paytable.row_for(bonus_names(own, dealer))
            nets.append(-1 if row is None else returned(row) - 1)
    assert figures("holdem_bonus", "bonus", "1", text(exposed))["exposed_edge"] == -Fraction(
        sum(nets), len(nets)
    )


@pytest.mark.parametrize(
    ("title", "bet", "identifier"),
    [
        pytest.param("six_five_four", "queens_up", None, marks=pytest.mark.whole),
        ("holdem_bonus", "bonus", "2"),
    ],
)
def test_exposed_cards_average_to_the_house_edge(title: str, bet: str, identifier: str | None) -> None:
    """Over all sets of three cards the edge is that of the bet, and what is won is what is not negative."""
    known = identifier or registry.library(title).ids_of(bet)[0]
    question = question_from(registry.paytable(title, bet, known), {"exposed": "3"})
    sums, classes = exposed_bet._sums(question), exposed_bet.set_classes(3)
    totals = [Fraction(total, sums.deals(3)) for total in sums.without(classes.sets).tolist()]
    weights = [Fraction(ways, 22_100) for ways in classes.ways.tolist()]
    prices = {name: figure.value for name, figure in what_if(question).bet.items()}
    assert (
        sum((weight * value for weight, value in zip(weights, totals, strict=True))) == -prices["house_edge"]
    )
    won = sum((weight * max(value, Fraction(0)) for weight, value in zip(weights, totals, strict=True)))
    assert prices["exposed_gain"] == won
    assert prices["exposed_favorable"] == sum(
        (weight for weight, value in zip(weights, totals, strict=True) if value > 0), Fraction(0)
    )


def test_an_estimate_agrees_with_all_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = figures("crazy_4", "queens_up", "C4P-09", "4")
    monkeypatch.setattr(exposed_bet, "MOST_EXACT", 0)
    fields = {"exposed": "4", "sampled": "yes"}
    drawn = what_if(question_from(registry.paytable("crazy_4", "queens_up", "C4P-09"), fields)).bet
    for name in ("exposed_favorable", "exposed_gain"):
        assert drawn[name].how == "sampled"
        assert 0 < abs(drawn[name].value - exact[name]) <= drawn[name].error


@pytest.mark.parametrize(
    ("title", "bet", "identifier", "exposed"),
    [
        ("mini_baccarat", "dragon_bonus", "1", "2"),
        ("crazy_4", "queens_up", "C4P-09", "As As"),
        ("crazy_4", "queens_up", "C4P-09", "41"),
        ("crazy_4", "queens_up", "C4P-09", "xx"),
    ],
)
def test_what_is_not_counted_is_refused(title: str, bet: str, identifier: str, exposed: str) -> None:
    with pytest.raises(ProblemsError, match="exposed"):
        figures(title, bet, identifier, exposed)
