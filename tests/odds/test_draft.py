"""Drafts: rows are added where they are paid, and removed."""

from dataclasses import replace

import pytest

from feltwork.odds.sheet import bets, known_rows, sheet
from feltwork.odds.what_if.draft import edited, other_rows
from feltwork.odds.what_if.fields import before_and_after, question_from
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

FIRST = [registry.paytable(title, bet, registry.library(title).ids_of(bet)[0]) for title, bet in bets()]
QUEENS_UP = registry.paytable("crazy_4", "queens_up", "C4P-09")
FOUR_ACES = registry.paytable("four_card", "jackpot", "3")


@pytest.mark.parametrize("paytable", FIRST, ids=lambda paytable: paytable.name)
def test_a_row_removed_and_added_again_is_paid_as_before(paytable: Paytable) -> None:
    deals = sheet(paytable).price.row_returns()
    for row in paytable.rows:
        if len(paytable.rows) == 1 or row.envy:
            continue
        without = replace(edited(paytable, {row.hand: "none"}), id=paytable.id)
        assert [other.hand for other in without.rows] == [
            other.hand for other in paytable.rows if other.hand != row.hand
        ]
        again = replace(edited(without, {row.hand: str(row.pays)}), id=paytable.id)
        assert set(sheet(again).price.row_returns()) == set(deals)


def test_a_row_is_added_before_one_that_would_pay_all_of_its_hands() -> None:
    # Four aces are also four of a kind, and pay nothing more in this paytable.
    bare = edited(QUEENS_UP, {"four_aces": "none"})
    added = edited(bare, {"four_aces": "100 to 1"})
    hands = [row.hand for row in added.rows]
    assert hands.index("four_aces") < hands.index("four_of_a_kind")
    assert added.id.endswith("-draft")


def test_a_figure_follows_from_rows_added_and_removed() -> None:
    fields = {"pays.flush": "none"}
    before, after = (what_if(question) for question in before_and_after(QUEENS_UP, fields))
    # A flush paid four to one is also queens or better, which pay one to one: three units less.
    lost = after.bet["house_edge"].value - before.bet["house_edge"].value
    assert lost == 3 * next(row.probability for row in before.rows if row.hand == "flush")


def test_a_meter_left_without_rows_is_gone_with_its_terms() -> None:
    share = next(row.hand for row in FOUR_ACES.rows if "100%" in str(row.pays))
    question = question_from(FOUR_ACES, {f"pays.{share}": "none", "seed.jackpot": "5000"})
    assert not question.terms
    assert "house_edge" in what_if(question).bet


def test_unknown_rows_and_empty_paytables_are_refused() -> None:
    with pytest.raises(ProblemsError, match=r"did you mean four_aces\?"):
        edited(QUEENS_UP, {"four_acess": "5 to 1"})
    with pytest.raises(ProblemsError, match="has no rows left"):
        edited(QUEENS_UP, {row.hand: "none" for row in QUEENS_UP.rows})
    assert set(other_rows(QUEENS_UP)) == known_rows(QUEENS_UP) - {row.hand for row in QUEENS_UP.rows}
