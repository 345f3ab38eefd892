"""Prices: examples small enough to check by hand, and what holds for every paytable."""

from fractions import Fraction
from math import comb

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.atoms import Atoms
from feltwork.odds.pricing import Price, price, returned
from feltwork.odds.titles.blackjack.parlay import house_money
from feltwork.odds.titles.mini_baccarat.counts import count_decks
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Odds, Pay, Paytable, Push, Row, Share
from tests.odds.reference import blackjack_jackpot


def named(*names: str) -> frozenset[str]:
    return frozenset(names)


def table(**rows: Pay) -> Paytable:
    return Paytable("test", "test", "bet", tuple(Row(hand, pays, "") for hand, pays in rows.items()))


def to(wins: int, per: int = 1) -> Odds:
    return Odds(wins, per, stake_returned=True)


def for_one(wins: int) -> Odds:
    return Odds(wins, 1, stake_returned=False)


def value(priced: Price, meters: dict[str, Fraction], others: int = 0) -> Fraction:
    """What one dollar returns with the meters at these amounts, added up deal by deal."""
    total = Fraction(0)
    for place, row in enumerate(priced.paytable.rows):
        pays = returned(row)
        if isinstance(row.pays, Share):
            pays = meters[row.pays.level] * row.pays.basis_points / 10_000
        total += priced.deals[place] * (pays + others * Fraction(row.envy, DOLLAR))
    return total / priced.total


def test_a_push_gives_the_stake_back_and_is_no_hit() -> None:
    atoms: Atoms = {named("win"): 1, named("push"): 2, named(): 1}
    priced = price(table(win=to(1), push=Push()), atoms)
    assert (priced.total, priced.deals) == (4, {0: 1, 1: 2, None: 1})
    assert priced.house_edge == 0
    assert priced.variance == Fraction(1, 2)
    assert priced.hit_frequency == Fraction(1, 4)
    assert [priced.probability(place) for place in (0, 1, None)] == [
        Fraction(1, 4),
        Fraction(1, 2),
        Fraction(1, 4),
    ]


def test_to_returns_the_stake_and_for_does_not() -> None:
    atoms: Atoms = {named("win"): 1, named(): 1}
    assert price(table(win=to(1)), atoms).house_edge == 0
    assert price(table(win=for_one(1)), atoms).house_edge == Fraction(1, 2)
    assert price(table(win=to(3, 2)), atoms).fixed_return == Fraction(5, 4)


def test_the_first_row_pays_a_hand_of_several_names() -> None:
    atoms: Atoms = {named("flush", "straight"): 1, named("straight"): 2, named("pair"): 5}
    priced = price(table(straight=to(4), flush=to(9)), atoms)
    assert priced.deals == {0: 3, 1: 0, None: 5}
    assert priced.top_odds == Fraction(8, 3)
    assert price(table(flush=to(9), straight=to(4)), atoms).deals == {0: 1, 1: 2, None: 5}


def test_a_share_is_no_part_of_the_fixed_return() -> None:
    atoms: Atoms = {named("top"): 1, named("part"): 3, named("fixed"): 6, named(): 90}
    priced = price(table(top=Share(10_000, "jackpot"), part=Share(1_000, "jackpot"), fixed=for_one(5)), atoms)
    assert priced.fixed_return == Fraction(30, 100)
    assert priced.hit_frequency == Fraction(10, 100)
    assert priced.whole_share_probability("jackpot") == Fraction(1, 100)
    assert priced.mean_share("jackpot") == Fraction(13, 1000)
    # A meter of 700/13: 70/13 by the whole and 21/13 by the tenths of 100 deals, 0.7 together.
    assert priced.break_even_meter() == Fraction(700, 13)
    assert value(priced, {"jackpot": priced.break_even_meter()}) == 1


def test_envy_lowers_the_break_even_meter() -> None:
    rows = (
        Row("top", Share(10_000, "jackpot"), "", envy=10 * DOLLAR),
        Row("fixed", for_one(20), "", envy=DOLLAR // 2),
    )
    priced = price(Paytable("test", "test", "bet", rows), {named("top"): 1, named("fixed"): 2, named(): 97})
    assert priced.envy_per_bettor == Fraction(11, 100)
    assert priced.break_even_meter() == 60
    assert priced.break_even_meter(other_bettors=2) == 38
    assert value(priced, {"jackpot": Fraction(38)}, others=2) == 1


def test_levels_are_told_apart() -> None:
    atoms: Atoms = {named("a"): 1, named("b"): 4, named(): 5}
    priced = price(table(a=Share(10_000, "major"), b=Share(10_000, "minor")), atoms)
    assert [priced.whole_share_probability(level) for level in priced.paytable.levels] == [
        Fraction(1, 10),
        Fraction(2, 5),
    ]
    with pytest.raises(ValueError, match="too many values"):
        priced.break_even_meter()


def test_a_meter_bet_has_no_edge_of_its_own() -> None:
    with pytest.raises(AssertionError, match="no fixed edge"):
        _ = price(table(top=Share(10_000, "jackpot")), {named("top"): 1}).house_edge


def test_house_money_by_hand() -> None:
    """One deck: 4 ace-kings, 48 other suited runs, 78 pairs, 156 unsuited runs in 1,326 hands."""
    priced = price(registry.paytable("blackjack", "house_money", "2"), house_money(1))
    assert priced.deals == {0: 4, 1: 48, 2: 78, 3: 156, None: 1_326 - 286}
    assert priced.house_edge == 1 - Fraction(4 * 10 + 48 * 6 + 78 * 4 + 156 * 2, comb(52, 2))
    assert priced.hit_frequency == Fraction(286, 1_326)


@pytest.mark.parametrize("identifier", registry.library("mini_baccarat").ids_of("dragon_bonus"))
def test_natural_ties_push_and_are_no_hits(identifier: str) -> None:
    paytable = registry.paytable("mini_baccarat", "dragon_bonus", identifier)
    priced = price(paytable, count_decks(8).dragon_bonus("player"))
    (push,) = (place for place, row in enumerate(paytable.rows) if isinstance(row.pays, Push))
    assert priced.probability(push) > 0
    assert priced.hit_frequency + priced.probability(push) + priced.probability(None) == 1


@pytest.mark.parametrize("identifier", ["1", "1-5", "2", "3"])
@pytest.mark.parametrize("side", ["player", "banker", "either"])
def test_the_dragon_returns_exactly_one_at_its_break_even_meter(identifier: str, side: str) -> None:
    counted = count_decks(8)
    priced = price(registry.paytable("dragon", "jackpot", identifier), counted.dragon(side))
    assert priced.total == counted.deals
    assert value(priced, {"jackpot": priced.break_even_meter()}) == 1


@pytest.mark.whole
@pytest.mark.parametrize(
    ("jackpot", "identifier", "decks"),
    [("trilux", "6", 6), ("trilux", "6", 8), ("blazing_7s", "1", 6), ("blazing_7s", "2", 8)],
)
def test_blackjack_jackpots_return_exactly_one_at_their_break_even_meter(
    jackpot: str, identifier: str, decks: int
) -> None:
    priced = price(registry.paytable(jackpot, "jackpot", identifier), blackjack_jackpot(jackpot, decks))
    assert value(priced, {"jackpot": priced.break_even_meter()}) == 1
