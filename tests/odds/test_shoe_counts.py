"""Bets out of a shoe: counts against dealing every order, totals, and the figures that others print."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb, sqrt
from random import Random

import pytest

from feltwork.odds.atoms import Atoms, Names
from feltwork.odds.figures import catalog
from feltwork.odds.pricing import net_pay, price
from feltwork.odds.title_odds import odds_of
from feltwork.odds.titles.blackjack.parlay import house_money
from feltwork.odds.titles.mini_baccarat import counts as baccarat
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, Card, parse_cards
from feltwork.titles.games.mini_baccarat.rules import dragon_bonus_names
from feltwork.titles.jackpots.dragon import rules as dragon
from feltwork.titles.paytables.paytable import Paytable
from tests.odds import reference
from tests.odds.reference import blackjack_jackpot

DIAMONDS = parse_cards("2d 3d 4d Td Jd Ad 9d 5d Qd")
MIXED = parse_cards("2d 3d 4d 4h Kc Td 7s 9c")
COPIES = parse_cards("2c 3c 4c 2d Tc Tc 8h As")

DRAGON_BONUS = registry.paytable("mini_baccarat", "dragon_bonus", "1")
DRAGON_2 = registry.paytable("dragon", "jackpot", "2")
DRAGON_3 = registry.paytable("dragon", "jackpot", "3")
HOUSE_MONEY = registry.paytable("blackjack", "house_money", "1")
BLAZING_2 = registry.paytable("blazing_7s", "jackpot", "2")
TRILUX = registry.paytable("trilux", "jackpot", "6")


def some_shoes(size: int) -> list[tuple[Card, ...]]:
    """Small shoes with copies in them, the same on every run."""
    random = Random(7)
    return [tuple(random.choices(DECK, k=size)) for _ in range(4)]


def counted_shoe(cards: tuple[Card, ...]) -> baccarat.BaccaratCounts:
    return baccarat.count_shoe(tuple(cards.count(card) for card in DECK))


def rows(paytable: Paytable, atoms: Atoms) -> Counter[str]:
    """Deals by the row that pays them."""
    names: dict[int | None, str] = {place: row.hand for place, row in enumerate(paytable.rows)}
    deals = price(paytable, atoms).deals
    return +Counter({names.get(place, reference.NOTHING): count for place, count in deals.items()})


SMALL_SHOES = pytest.mark.parametrize(
    "cards", [DIAMONDS, MIXED, COPIES, *some_shoes(8)], ids=["diamonds", "mixed", "copies", *"abcd"]
)


@SMALL_SHOES
def test_baccarat_atoms_are_the_names_of_every_order_dealt(cards: tuple[Card, ...]) -> None:
    dealt: dict[str, Counter[Names]] = {bet: Counter() for bet in ("winners", "player", "banker", "either")}
    bonus: dict[str, Counter[Names]] = {side: Counter() for side in baccarat.SIDES}
    for player, banker in reference.baccarat_rounds(cards):
        called, winner = dragon.names((player, banker)), dragon.winning_side((player, banker))
        dealt["winners"][frozenset({winner or "tie"})] += 1
        dealt["player"][called if winner == "player" else frozenset()] += 1
        dealt["banker"][called if winner == "banker" else frozenset()] += 1
        dealt["either"][called] += 1
        bonus["player"][dragon_bonus_names(player, banker)] += 1
        bonus["banker"][dragon_bonus_names(banker, player)] += 1
    counted = counted_shoe(cards)
    assert +Counter(counted.winners()) == dealt.pop("winners")
    assert {side: +Counter(counted.dragon(side)) for side in dealt} == dealt
    assert {side: +Counter(counted.dragon_bonus(side)) for side in bonus} == bonus
    assert counted.deals == sum(dealt["either"].values())


@SMALL_SHOES
def test_baccarat_rows_are_those_of_every_order_dealt(cards: tuple[Card, ...]) -> None:
    dealt: dict[tuple[str, str], Counter[str]] = {}
    for player, banker in reference.baccarat_rounds(cards):
        for side, own, other in (("player", player, banker), ("banker", banker, player)):
            for bet, row in (
                ("bonus", reference.dragon_bonus_row(own, other)),
                ("dragon 2", reference.dragon_row(own, other)),
                ("dragon 3", reference.dragon_suited_row(own, other)),
            ):
                dealt.setdefault((bet, side), Counter())[row] += 1
    counted = counted_shoe(cards)
    for side in baccarat.SIDES:
        assert rows(DRAGON_BONUS, counted.dragon_bonus(side)) == dealt["bonus", side]
        assert rows(DRAGON_2, counted.dragon(side)) == dealt["dragon 2", side]
        assert rows(DRAGON_3, counted.dragon(side)) == dealt["dragon 3", side]


def test_diamonds_shoe_reaches_the_rare_rows() -> None:
    counted = counted_shoe(DIAMONDS)
    assert rows(DRAGON_2, counted.dragon("player"))["two_three_four_diamonds"] > 0
    assert rows(DRAGON_3, counted.dragon("player"))["suited_six_card_win_by_9"] > 0
    assert rows(DRAGON_3, counted.dragon("banker"))["suited_four_card_win_by_9"] > 0


@pytest.mark.parametrize("decks", [1, 4, 6, 8])
def test_baccarat_counts_add_up_to_all_deals(decks: int) -> None:
    counted = baccarat.count_decks(decks)
    assert sum(counted.finals.values()) == counted.deals
    bets = [counted.winners(), *map(counted.dragon_bonus, baccarat.SIDES)]
    bets += map(counted.dragon, (*baccarat.SIDES, "either"))
    assert {sum(atoms.values()) for atoms in bets} == {counted.deals}


#: Eight decks, as published: in how many of all ordered deals of six cards each side wins.
PUBLISHED = {
    "banker": 2_292_252_566_437_888,
    "player": 2_230_518_282_592_256,
    "tie": 475_627_426_473_216,
}


def test_eight_deck_baccarat_is_the_published_one() -> None:
    edges = [catalog.figure(f"mini_baccarat/{bet}/house_edge?decks=8").value for bet in PUBLISHED]
    assert [f"{float(edge):.4%}" for edge in edges] == ["1.0579%", "1.2351%", "14.3596%"]
    variances = [catalog.figure(f"mini_baccarat/{bet}/variance?decks=8").value for bet in PUBLISHED]
    assert [f"{sqrt(variance):.2f}" for variance in variances] == ["0.93", "0.95", "2.64"]


@pytest.mark.parametrize(("tie_pays", "tie_edge"), [("8", "14.3596%"), ("9", "4.8440%")])
def test_the_moments_of_baccarat_follow_from_the_published_deals(tie_pays: str, tie_edge: str) -> None:
    """The net results written out: a side wins, loses or pushes; the Banker pays a commission of 5%."""
    deals = sum(PUBLISHED.values())
    banker, player, tie = (Fraction(ways, deals) for ways in PUBLISHED.values())
    results = {
        "player": [(Fraction(1), player), (Fraction(-1), banker)],
        "banker": [(Fraction(95, 100), banker), (Fraction(-1), player)],
        "tie": [(Fraction(tie_pays), tie), (Fraction(-1), banker + player)],
    }
    solved = base_game(decks="8", tie_pays=tie_pays)
    for bet, nets in results.items():
        mean = sum((net * chance for net, chance in nets), Fraction(0))
        assert solved[f"house edge, {bet}"] == -mean
        assert solved[f"variance, {bet}"] == sum(net * net * chance for net, chance in nets) - mean**2
    assert f"{float(solved['house edge, tie']):.4%}" == tie_edge


def base_game(**options: str) -> Mapping[str, Fraction]:
    game = odds_of("mini_baccarat").base_game
    assert game is not None
    return game.solve(**options).figures


def test_dragon_bonus_rows_are_the_published_combinations() -> None:
    # Wizard of Odds, Baccarat Appendix 5, eight decks.
    counted = baccarat.count_decks(8)
    player, banker = (rows(DRAGON_BONUS, counted.dragon_bonus(side)) for side in baccarat.SIDES)
    assert counted.deals == 4_998_398_275_503_360
    assert (player["win_by_9"], player["win_by_4"]) == (18_409_431_764_992, 186_780_352_174_080)
    assert (banker["win_by_9"], banker["win_by_4"]) == (15_390_342_909_952, 201_147_167_287_296)
    assert player["natural_winner"] == banker["natural_winner"] == 812_685_054_124_032
    assert player["natural_tie"] == 89_325_908_267_520


def test_dragon_progressive_paytable_3_is_the_printed_one() -> None:
    # Letter 001: one in 171,375 and 3.48%, either side, eight decks.
    priced = price(DRAGON_3, baccarat.count_decks(8).dragon("either"))
    assert round(priced.top_odds) == 171_375
    assert f"{float(priced.hit_frequency):.2%}" == "3.48%"


@pytest.mark.parametrize("decks", [1, 2, 6])
def test_house_money_counts_equal_all_pairs(decks: int) -> None:
    assert rows(HOUSE_MONEY, house_money(decks)) == reference.house_money_rows(decks)


@pytest.mark.whole
@pytest.mark.parametrize("decks", [1, 3])
def test_blazing_counts_equal_all_orders(decks: int) -> None:
    """Three decks hold three sevens of one suit; one has none."""
    counted = rows(BLAZING_2, blackjack_jackpot("blazing_7s", decks))
    in_either_order = Counter({row: 2 * deals for row, deals in counted.items()})
    assert in_either_order == reference.blazing_rows(decks)


@pytest.mark.whole
@pytest.mark.parametrize("decks", [1, 3])
def test_trilux_counts_equal_all_hands(decks: int) -> None:
    """No row asks which of the three cards is the dealer's."""
    hands = reference.trilux_rows(decks)
    expected = Counter({row: 3 * deals for row, deals in hands.items()})
    assert rows(TRILUX, blackjack_jackpot("trilux", decks)) == expected


@pytest.mark.whole
@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_side_bets_add_up_to_all_deals(decks: int) -> None:
    cards = 52 * decks
    assert sum(house_money(decks).values()) == comb(cards, 2)
    for jackpot in ("blazing_7s", "trilux"):
        assert sum(blackjack_jackpot(jackpot, decks).values()) == comb(cards, 2) * (cards - 2)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("paytable", "decks", "seeds", "printed"),
    [
        ("1", 6, (2000,), "24.78%"),
        ("2", 6, (2000,), "23.59%"),
        ("ML04", 6, (2000, 1000), "22.39%"),
        ("ML03", 8, (2000, 1000, 500), "21.65%"),
    ],
)
def test_blazing_holds_follow_from_a_contribution_of_24_percent(
    paytable: str, decks: int, seeds: tuple[int, ...], printed: str
) -> None:
    """What the house keeps: contributions go back to the players in time, seeds each time a meter starts."""
    priced = price(
        registry.paytable("blazing_7s", "jackpot", paytable), blackjack_jackpot("blazing_7s", decks)
    )
    levels = priced.paytable.levels
    seeded = sum(
        seed * priced.whole_share_probability(level) for level, seed in zip(levels, seeds, strict=True)
    )
    hold = 1 - priced.fixed_return - Fraction(24, 100) - seeded
    assert f"{float(hold):.2%}" == printed


@pytest.mark.parametrize(("side", "wins"), [("player", Fraction(1)), ("banker", Fraction(19, 20))])
def test_the_dragon_bonus_moves_with_a_bet_on_its_side(side: str, wins: Fraction) -> None:
    paytable = registry.paytable("mini_baccarat", "dragon_bonus", "2")
    base_net = {"player": Fraction(-1), "banker": Fraction(-1), "tie": Fraction(0), side: wins}
    counts = baccarat.count_decks(6)
    sums = [Fraction(0)] * 4
    for final, ways in counts.finals.items():
        own, other = baccarat.example(final)[:: 1 if side == "player" else -1]
        row = paytable.row_for(dragon_bonus_names(own, other))
        base, bonus = base_net[final.winner], Fraction(-1) if row is None else net_pay(row)
        for place, value in enumerate((base, bonus, base * bonus, base * base)):
            sums[place] += value * ways / counts.deals
    with_base = odds_of("mini_baccarat").bets["dragon_bonus"].with_base
    assert with_base is not None
    covariance = with_base(paytable, decks="6", side=side)
    assert covariance.covariance == sums[2] - sums[0] * sums[1] > 0
    assert covariance.base_variance == sums[3] - sums[0] ** 2
