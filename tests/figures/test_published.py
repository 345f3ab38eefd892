"""Our figures beside those that others have published."""

from fractions import Fraction

import pytest

from feltwork.odds.pricing import Price
from feltwork.odds.titles.blackjack.rules import Rules
from feltwork.odds.titles.blackjack.tables import advise
from feltwork.odds.titles.mini_baccarat.counts import count_decks
from tests.figures.simulated import figure, priced
from tests.odds.blackjack_reference import game_value

#: In percent, to the digits published.
PERCENT = {
    "mini_baccarat/banker/house_edge?decks=8": "1.0579",
    "mini_baccarat/player/house_edge?decks=8": "1.2351",
    "mini_baccarat/tie/house_edge?decks=8": "14.3596",
    "mini_baccarat/banker/house_edge?decks=6": "1.0558",
    "mini_baccarat/player/house_edge?decks=6": "1.2374",
    "mini_baccarat/tie/house_edge?decks=6": "14.4382",
    "mini_baccarat/dragon_bonus/1/house_edge?decks=8&side=player": "2.65",
    "mini_baccarat/dragon_bonus/1/house_edge?decks=8&side=banker": "9.37",
    "crazy_4/base/house_edge": "3.42",
    "crazy_4/base/element_of_risk": "1.09",
    "holdem_bonus/base/straight/house_edge": "2.04",
    "blackjack/house_money/1/house_edge_with_parlay?decks=6&soft_17=stand": "2.6",
}


@pytest.mark.parametrize(("identifier", "published"), PERCENT.items())
def test_a_published_percentage(identifier: str, published: str) -> None:
    decimals = len(published.partition(".")[2])
    assert round(100 * figure(identifier), decimals) == Fraction(published)


#: Eight decks, ordered deals of six cards [Wizard of Odds, baccarat appendix 5].
DRAGON_PLAYER = {
    "win_by_9": 18_409_431_764_992,
    "win_by_8": 34_097_645_543_424,
    "win_by_7": 89_590_261_473_280,
    "win_by_6": 141_238_897_317_888,
    "win_by_5": 166_169_165_987_840,
    "win_by_4": 186_780_352_174_080,
    "natural_winner": 812_685_054_124_032,
    "natural_tie": 89_325_908_267_520,
}


def test_the_rows_of_the_dragon_bonus() -> None:
    atoms = count_decks(8).dragon_bonus("player")
    for name, published in DRAGON_PLAYER.items():
        assert sum(deals for names, deals in atoms.items() if name in names) == published
    assert sum(atoms.values()) == 4_998_398_275_503_360


def by_row(price: Price) -> dict[str, int]:
    return {row.hand: price.deals[place] for place, row in enumerate(price.paytable.rows)}


def test_best_four_of_five() -> None:
    """The public table of four-card hands out of five cards."""
    rows = by_row(priced("crazy_4", "queens_up", "C4P-09"))
    published = {
        "four_of_a_kind": 624,
        "straight_flush": 2_072,
        "three_of_a_kind": 58_656,
        "flush": 114_616,
        "straight": 101_808,
        "two_pair": 123_552,
    }
    assert {row: rows[row] for row in published} == published


def test_five_cards() -> None:
    """The frequencies of poker hands that every book prints."""
    rows = by_row(priced("five_card", "jackpot", "01"))
    published = {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3_744,
        "flush": 5_108,
        "straight": 10_200,
        "three_of_a_kind": 54_912,
    }
    shared = published.keys() & rows.keys()
    assert {"royal_flush", "straight_flush", "four_of_a_kind", "full_house"} <= shared
    assert {row: rows[row] for row in shared} == {row: published[row] for row in shared}


def test_best_five_of_seven() -> None:
    """133,784,560 sets of seven cards; the hole cards lie on any two of seven places."""
    rows = by_row(priced("holdem", "jackpot", "THBP-08"))
    published = {
        "straight_flush": 37_260,
        "four_of_a_kind": 224_848,
        "full_house": 3_473_184,
        "flush": 4_047_644,
        "straight": 6_180_020,
        "three_of_a_kind": 6_461_620,
    }
    shared = published.keys() & rows.keys()
    assert {"straight_flush", "four_of_a_kind"} <= shared
    assert {row: rows[row] for row in shared} == {row: 21 * published[row] for row in shared}
    assert sum(deals for row, deals in rows.items() if "royal" in row) == 21 * 4_324


#: Decks, soft 17, double after split; the player's expectation [Wizard of Odds, blackjack appendix 9].
BLACKJACK = (
    (5, "hit", True, -0.005918),
    (5, "hit", False, -0.007366),
    (5, "stand", True, -0.003804),
    (5, "stand", False, -0.005225),
    (2, "hit", True, -0.003797),
    (2, "hit", False, -0.005252),
    (1, "stand", True, 0.001839),
    (1, "stand", False, 0.000423),
)


@pytest.mark.whole
@pytest.mark.parametrize(("decks", "soft_17", "double_after_split", "published"), BLACKJACK)
def test_blackjack(decks: int, soft_17: str, double_after_split: bool, published: float) -> None:
    """His player knows how many hands he has split, ours does not: that is worth a little, never less."""
    rules = Rules(
        decks=decks,
        soft_17="hit" if soft_17 == "hit" else "stand",
        double_after_split=double_after_split,
        max_hands=4,
    )
    value = game_value(rules)
    assert published - 2.1e-5 < value < published + 1e-6


def test_one_hand_of_blackjack() -> None:
    """Six and five against an ace, five decks [Wizard of Odds, blackjack appendix 1]."""
    values = advise((6, 5), 1, Rules(decks=5, soft_17="stand")).values
    assert values["stand"] == pytest.approx(-0.660850, abs=6e-7)
    assert values["hit"] == pytest.approx(0.148532, abs=6e-7)
