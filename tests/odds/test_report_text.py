"""Reports for people: percentages with units, standard deviations as published, names instead of ids."""

import re

import pytest

from feltwork.odds.report import base_report
from feltwork.odds.what_if.figure_labels import bet_name, figure_name, in_unit, options_text
from feltwork.odds.what_if.question import usual
from feltwork.odds.what_if.what_if import what_if
from feltwork.titles import registry
from tests.support.commands import run


@pytest.mark.parametrize(
    ("title", "name", "published"),
    [
        ("mini_baccarat", "standard deviation, player", 0.95),
        ("mini_baccarat", "standard deviation, banker", 0.93),
        ("mini_baccarat", "standard deviation, tie", 2.64),
        ("caribbean_stud", "standard deviation", 2.24),
        ("crazy_4", "standard deviation", 3.13),
    ],
)
def test_standard_deviations_are_those_of_the_strategy_sites(title: str, name: str, published: float) -> None:
    figure = base_report(title, {}).computed[name]
    assert round(float(figure.value), 2) == published
    assert figure.unit == "first wagers"


def test_what_if_and_odds_have_one_variance() -> None:
    odds = base_report("crazy_4", {}).computed
    bench = what_if(usual(registry.paytable("crazy_4", "super_bonus", "C4P-09"))).bet
    assert bench["variance"].value == odds["variance"].value
    assert bench["standard_deviation"].value == odds["standard deviation"].value


def test_odds_are_written_for_people() -> None:
    text = run("odds", "four_card", "3").stdout
    assert "Four Card Progressive: jackpot, paytable 3" in text
    assert re.search(r"three of a kind +15 for 1 +58,656 +44\.31 +2\.25690% +33\.8535%", text)
    assert "Standard deviation of fixed pays: 5.7238 first wagers" in text
    assert "Break-even meter: $27,898.33" in text
    assert "Top odds: one in 54,145" in text


def test_names_instead_of_ids() -> None:
    assert bet_name("crazy_4/base") == "Crazy 4 Poker: base game"
    assert bet_name("crazy_4/queens_up/C4P-09") == "Crazy 4 Poker: queens up, paytable C4P-09"
    assert figure_name("dragon/2/hold?decks=8&side=banker") == "Long-run hold, decks 8, side banker"
    assert options_text({"soft_17": "hit", "dealer_peeks": "true"}) == "soft 17: hit; dealer peeks: yes"
    what = what_if(usual(registry.paytable("crazy_4", "queens_up", "C4P-09"))).bet["variance"]
    assert in_unit(what.value, what.unit) == "5.2388 wagers²"
