"""Exact against simulated: rounds dealt and settled by the rules, played by the solved strategies.

The rules share nothing with the counting kernels, so that a mistake in either shows as a difference. Every
mean must lie within 3.5 standard errors of the exact figure. Each test says how many rounds it deals.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

import pytest

from feltwork.money import DOLLAR
from feltwork.odds import strategy
from feltwork.odds.titles.blackjack.rules import Rules
from feltwork.odds.titles.crazy_4 import solve as crazy_4
from feltwork.odds.titles.holdem_bonus import solve as holdem_bonus
from feltwork.odds.titles.six_five_four import solve as six_five_four
from feltwork.titles import registry
from feltwork.titles.games.blackjack.rules import left_on_spot
from feltwork.titles.settlement import SeatResult
from tests.figures.simulated import (
    ERRORS,
    STAKE,
    Samples,
    dealt,
    figure,
    first_choice,
    mirrored,
    priced,
    results,
    table,
)
from tests.odds.blackjack_reference import game_value

C4P = ("C4P-09", "C4P-10", "C4P-11", "C4P-12")
NUMBERED = ("1", "2", "3")
#: Outcomes rarer than this many in a sample are left to the mean: too few for a standard error.
ENOUGH = 25


def net(result: SeatResult, *bets: str) -> Fraction:
    """What some bets won, in stakes."""
    won = sum(result.bets[bet].returned - result.bets[bet].staked for bet in bets if bet in result.bets)
    return Fraction(won, STAKE)


def at_risk(result: SeatResult, bets: Sequence[str], element: Fraction) -> float:
    """What is lost beyond the element of risk of all that is staked: nothing on average."""
    staked = sum(result.bets[bet].staked for bet in bets if bet in result.bets)
    return -float(net(result, *bets)) - float(element) * staked / STAKE


def unlikely(counts: Mapping[Fraction, int], chances: Mapping[Fraction, Fraction]) -> dict[Fraction, str]:
    """Net results that come up too often or too seldom."""
    rounds = sum(counts.values())
    assert sum(chances.values()) == 1
    assert set(counts) <= {net for net, chance in chances.items() if chance}
    deviations = {}
    for outcome, chance in chances.items():
        expected = float(rounds * chance)
        off = abs(counts.get(outcome, 0) - expected)
        if expected >= ENOUGH and off > ERRORS * sqrt(expected * (1 - float(chance))):
            deviations[outcome] = f"{counts.get(outcome, 0)} times, not {expected:.1f}"
    return deviations


@pytest.mark.whole
@pytest.mark.parametrize(
    ("game", "rounds"),
    [("crazy_4", 1_200), ("six_five_four", 60), ("holdem_bonus", 150), ("blackjack", 1_500)],
)
def test_the_quick_players_never_differ_from_optimal_play(game: str, rounds: int) -> None:
    """So many rounds of each game."""
    wagers = {"crazy_4": ["ante", "super_bonus"], "blackjack": ["bet", "house_money"]}
    opened = table(game, [wagers.get(game, ["ante"])])
    quick = strategy.player(game, opened.paytables, opened.options)
    slow = strategy.optimal(game, opened.paytables)
    for quick_round, other in zip(
        dealt(opened, quick, rounds=rounds, seed=1), dealt(opened, slow, rounds=rounds, seed=1), strict=True
    ):
        assert quick_round == other


@pytest.mark.whole
def test_crazy_4() -> None:
    """25,000 pairs of rounds: base game, Super Bonus, Bad Beat; Queens Up where a fold loses it."""
    base = ("ante", "super_bonus", "play")
    solution = crazy_4.solution()
    opened = table("crazy_4", [[*base[:2], "queens_up", "bad_beat"]])
    decide = strategy.player("crazy_4", opened.paytables, opened.options)
    samples, counts = Samples(), Counter[Fraction]()
    for pair in mirrored(opened, decide, rounds=25_000, seed=4, cards=10, hand=5):
        first = [results(played, bets={"bad_beat": "BBB-01", "queens_up": "C4P-09"})[0] for played in pair]
        other = [results(played, bets={"bad_beat": "BBB-02", "queens_up": "C4P-12"})[0] for played in pair]
        won = [net(result, *base) for result in first]
        counts[won[0]] += 1
        wins = [result.bets["play"].outcome == "win" for result in first if "play" in result.bets]
        samples.add("crazy_4/base/house_edge", *(-float(amount) for amount in won))
        samples.add("crazy_4/base/fold_frequency", 1 - len(wins) / 2)
        samples.add("crazy_4/base/hit_frequency", sum(wins) / 2)
        paid = [result.bets["super_bonus"].outcome == "win" for result in first]
        samples.add("crazy_4/super_bonus/hit_frequency", *paid)
        samples.add("risk", *(at_risk(result, base, solution.element_of_risk) for result in first))
        samples.add_bet("crazy_4/bad_beat/BBB-01", [result.bets["bad_beat"] for result in first])
        samples.add_bet("crazy_4/bad_beat/BBB-02", [result.bets["bad_beat"] for result in other])
        samples.add_bet("crazy_4/queens_up/C4P-09", [result.bets["queens_up"] for result in first])
        samples.add_bet("crazy_4/queens_up/C4P-12", [result.bets["queens_up"] for result in other])
    assert samples.misses({"risk": 0}) == {}
    chances = {won: Fraction(deals, solution.deals) for won, deals in solution.distribution.items()}
    assert unlikely(counts, chances) == {}


@pytest.mark.whole
def test_six_five_four() -> None:
    """15,000 pairs of rounds: base game with the Ante Bonus."""
    base = ("ante", "play", "ante_bonus")
    solution = six_five_four.solution()
    opened = table("six_five_four", [["ante"]])
    decide = strategy.player("six_five_four", opened.paytables, opened.options)
    samples, counts = Samples(), Counter[Fraction]()
    for pair in mirrored(opened, decide, rounds=15_000, seed=6, cards=11, hand=5):
        both = [results(played)[0] for played in pair]
        won = [net(result, *base) for result in both]
        counts[won[0]] += 1
        samples.add("six_five_four/base/house_edge", *(-float(amount) for amount in won))
        samples.add("six_five_four/base/fold_frequency", *("play" not in result.bets for result in both))
        samples.add("risk", *(at_risk(result, base, solution.element_of_risk) for result in both))
    assert samples.misses({"risk": 0}) == {}
    chances = {won: Fraction(deals, solution.deals) for won, deals in solution.distribution.items()}
    assert unlikely(counts, chances) == {}


@pytest.mark.whole
@pytest.mark.parametrize("criterion", ["flush", "straight", "three_tens"])
def test_holdem_bonus(criterion: str) -> None:
    """15,000 pairs of rounds for each criterion of the Ante."""
    base = ("ante", "flop", "turn", "river")
    solution = holdem_bonus.solution(criterion)
    opened = table("holdem_bonus", [["ante"]], ante_wins_with=criterion)
    decide = strategy.player("holdem_bonus", opened.paytables, opened.options)
    samples, counts = Samples(), Counter[Fraction]()
    for pair in mirrored(opened, decide, rounds=15_000, seed=len(criterion), cards=9, hand=2):
        both = [results(played)[0] for played in pair]
        won = [net(result, *base) for result in both]
        counts[won[0]] += 1
        samples.add(f"holdem_bonus/base/{criterion}/house_edge", *(-float(amount) for amount in won))
        samples.add("turn", *("turn" in result.bets for result in both))
        samples.add("river", *("river" in result.bets for result in both))
        samples.add("risk", *(at_risk(result, base, solution.element_of_risk) for result in both))
    bets = {"turn": solution.turn_bet_frequency, "river": solution.river_bet_frequency}
    assert samples.misses({"risk": Fraction(0), **bets}) == {}
    chances = {Fraction(won): chance for won, chance in solution.distribution.items()}
    assert unlikely(counts, chances) == {}


@pytest.mark.whole
def test_bets_on_five_cards_of_crazy_4() -> None:
    """3,000 rounds of seven seats: Queens Up, four-card jackpot, five-card link, each by every paytable."""
    opened = table(
        "crazy_4",
        [["ante", "super_bonus", "queens_up"]] * 7,
        jackpots=("four_card", "five_card"),
        queens_up_on_fold=True,
    )
    samples = Samples()
    exact = {
        f"envy {paytable}": 6 * priced("four_card", "jackpot", paytable).envy_per_bettor
        for paytable in NUMBERED
    }
    for played in dealt(opened, first_choice, rounds=3_000, seed=41):
        for c4p, four, five in zip(C4P, (*NUMBERED, ""), ("01", "ML01", "ML03", ""), strict=True):
            jackpots = {"four_card": four, "five_card": five} if four else {}
            seats = results(played, bets={"queens_up": c4p}, jackpots=jackpots)
            samples.add_bet(f"crazy_4/queens_up/{c4p}", [seat.bets["queens_up"] for seat in seats])
            if jackpots:
                paid = [seat.jackpots["four_card"] for seat in seats]
                samples.add_jackpot(f"four_card/{four}", paid)
                samples.add(f"envy {four}", *(result.envy / DOLLAR for result in paid))
                linked = [seat.jackpots["five_card"] for seat in seats]
                samples.add_jackpot(f"five_card/{five}", linked, query="?game=crazy_4")
    assert samples.misses(exact) == {}


@pytest.mark.whole
def test_queens_up_of_six_five_four() -> None:
    """6,000 rounds of seven seats that all fold: Queens Up is paid all the same."""
    opened = table("six_five_four", [["ante", "queens_up"]] * 7)
    samples = Samples()
    for played in dealt(opened, first_choice, rounds=6_000, seed=61):
        for paytable in NUMBERED:
            seats = results(played, bets={"queens_up": paytable})
            samples.add_bet(f"six_five_four/queens_up/{paytable}", [seat.bets["queens_up"] for seat in seats])
    assert samples.misses() == {}


@pytest.mark.whole
def test_bets_on_hole_cards_and_board() -> None:
    """2,500 rounds of nine seats that all fold: Bonus, hold'em jackpot and link still count."""
    opened = table("holdem_bonus", [["ante", "bonus"]] * 9, jackpots=("holdem", "five_card"))
    samples = Samples()
    exact = {
        f"holdem/{paytable}/hit_frequency": priced("holdem", "jackpot", paytable).hit_frequency
        for paytable in ("THBP-08", "QH-11")
    }
    for played in dealt(opened, first_choice, rounds=2_500, seed=21, cards=25):
        for bonus, holdem, five in (("1", "THBP-08", "01"), ("2", "QH-11", "ML01"), ("1", "", "ML03")):
            jackpots = {"five_card": five} | ({"holdem": holdem} if holdem else {})
            seats = results(played, bets={"bonus": bonus}, jackpots=jackpots)
            linked = [seat.jackpots["five_card"] for seat in seats]
            samples.add_jackpot(f"five_card/{five}", linked, query="?game=holdem_bonus")
            if holdem:
                samples.add_bet(f"holdem_bonus/bonus/{bonus}", [seat.bets["bonus"] for seat in seats])
                samples.add_jackpot(f"holdem/{holdem}", [seat.jackpots["holdem"] for seat in seats])
    assert samples.misses(exact) == {}


@pytest.mark.whole
@pytest.mark.parametrize("hands", range(2, 9))
def test_cover_all(hands: int) -> None:
    """6,000 rounds for each number of hands; one seat bets, everybody's hand counts."""
    opened = table("caribbean_stud", [["ante", "cover_all"], *[["ante"]] * (hands - 2)])
    samples = Samples()
    for played in dealt(opened, first_choice, rounds=6_000, seed=hands, cards=5 * hands):
        bet = results(played)[0].bets["cover_all"]
        samples.add_bet("caribbean_stud/cover_all", [bet], query=f"?hands={hands}")
    assert samples.misses() == {}


@pytest.mark.whole
@pytest.mark.parametrize("decks", [1, 4, 6, 8])
def test_baccarat(decks: int) -> None:
    """15,000 rounds for each number of decks: base bets, and Dragon Bonus by every paytable."""
    sides = ("player", "banker")
    opened = table(
        "mini_baccarat", [[*sides, "tie", *(f"dragon_bonus_{side}" for side in sides)]], decks=decks
    )
    samples = Samples()
    for played in dealt(opened, first_choice, rounds=15_000, seed=decks, cards=6):
        for paytable in NUMBERED if decks > 1 else NUMBERED[:1]:
            (result,) = results(played, bets={"dragon_bonus": paytable})
            for side in sides if decks > 1 else ():
                bet = result.bets[f"dragon_bonus_{side}"]
                query = f"?decks={decks}&side={side}"
                samples.add_bet(f"mini_baccarat/dragon_bonus/{paytable}", [bet], query=query)
        for name in (*sides, "tie"):
            bet = result.bets[name]
            samples.add(f"mini_baccarat/{name}/house_edge?decks={decks}", 1 - bet.returned / bet.staked)
    assert samples.misses() == {}


@pytest.mark.whole
def test_dragon() -> None:
    """20,000 rounds of eight decks; one seat backs the player, one the banker."""
    opened = table("mini_baccarat", [["player"], ["banker"]], jackpots=("dragon",), decks=8)
    samples = Samples()
    exact = {
        f"dragon/{paytable}/fixed_return?decks=8&side={side}": priced(
            "dragon", "jackpot", paytable, decks="8", side=side
        ).fixed_return
        for paytable in (*NUMBERED, "1-5")
        for side in ("player", "banker", "either")
    }
    for played in dealt(opened, first_choice, rounds=20_000, seed=88, cards=6):
        for paytable in (*NUMBERED, "1-5"):
            paid = [seat.jackpots["dragon"] for seat in results(played, jackpots={"dragon": paytable})]
            for side, own in {"player": paid[:1], "banker": paid[1:], "either": paid}.items():
                query = f"?decks=8&side={side}"
                hits = sum(result.hand is not None for result in own)
                back = sum(result.award + result.stake_returned for result in own) / DOLLAR
                samples.add(f"dragon/{paytable}/hit_frequency{query}", hits)
                samples.add(f"dragon/{paytable}/fixed_return{query}", back)
    assert samples.misses(exact) == {}


@pytest.mark.whole
@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_house_money_and_blackjack_jackpots(decks: int) -> None:
    """3,000 rounds of seven seats that take and stand; the jackpots are for six and eight decks."""
    jackpots = ("blazing_7s", "trilux") if decks >= 6 else ()
    opened = table(
        "blackjack",
        [["bet", "house_money"]] * 7,
        jackpots=jackpots,
        variant="dealer_up_card",
        decks=decks,
    )
    query, money = f"?decks={decks}", "2" if decks == 1 else "1"
    samples = Samples()
    exact: dict[str, Fraction] = {}
    for played in dealt(opened, first_choice, rounds=3_000, seed=decks, cards=40):
        for blazing in ("1", "2", "ML03", "ML04") if jackpots else ("",):
            paytables = {"blazing_7s": blazing, "trilux": "6"} if jackpots else {}
            seats = results(played, bets={"house_money": money}, jackpots=paytables)
            if jackpots:
                paid = [seat.jackpots["blazing_7s"] for seat in seats]
                samples.add_jackpot(f"blazing_7s/{blazing}", paid, query=query)
        lost = [1 - seat.bets["house_money"].returned / STAKE for seat in seats]
        samples.add(f"blackjack/house_money/{money}/house_edge{query}", *lost)
        if jackpots:
            samples.add_jackpot("trilux/6", [seat.jackpots["trilux"] for seat in seats], query=query)
    for blazing in ("1", "2", "ML03", "ML04") if jackpots else ():
        price = priced("blazing_7s", "jackpot", blazing, decks=str(decks))
        exact[f"blazing_7s/{blazing}/fixed_return{query}"] = price.fixed_return
    assert samples.misses(exact) == {}


@pytest.mark.whole
@pytest.mark.parametrize("soft_17", ["stand", "hit"])
def test_blackjack_and_house_money_with_parlay(soft_17: str) -> None:
    """40,000 rounds of six decks for each rule: best play, and the best use of the proceeds.

    What is left joins the bet, so both fare alike per unit: the bet's own result is its share of the whole.
    """
    opened = table("blackjack", [["bet", "house_money"]], decks=6, soft_17=soft_17)
    decide = strategy.optimal("blackjack", opened.paytables)
    query = f"?decks=6&soft_17={soft_17}"
    samples, left_up = Samples(), 0
    for played in dealt(opened, decide, rounds=40_000, seed=17, cards=52):
        (result,) = results(played, bets={"house_money": "1"})
        left = left_on_spot(played.seats[0])
        left_up += left > 0
        bet, bonus = result.bets["bet"], result.bets["house_money"]
        per_unit = (bet.returned - bet.staked) / (STAKE + left)
        samples.add("base", per_unit)
        lost = (bonus.staked - bonus.returned - left * per_unit) / STAKE
        samples.add(f"blackjack/house_money/1/house_edge_with_parlay{query}", lost)
    assert left_up > 1_000
    rules = Rules(decks=6, soft_17="hit" if soft_17 == "hit" else "stand")
    assert samples.misses({"base": game_value(rules)}) == {}


def test_a_wrong_figure_is_noticed() -> None:
    """2,000 rounds are enough to tell Blazing 7's from a figure two points off."""
    opened = table("blackjack", [["bet"]] * 7, jackpots=("blazing_7s",), variant="dealer_up_card")
    samples = Samples()
    for played in dealt(opened, first_choice, rounds=2_000, seed=3, cards=40):
        paid = [seat.jackpots["blazing_7s"] for seat in results(played, jackpots={"blazing_7s": "1"})]
        samples.add_jackpot("blazing_7s/1", paid, query="?decks=6")
    hits = samples.keep("hit_frequency")
    name = "blazing_7s/1/hit_frequency?decks=6"
    assert hits.misses() == {}
    assert list(hits.misses({name: figure(name) + Fraction(2, 100)})) == [name]


def test_every_bet_and_jackpot_with_a_figure_is_simulated() -> None:
    """The paytables above are all there are."""
    assert registry.library("crazy_4").ids_of("queens_up") == C4P
    assert registry.library("six_five_four").ids_of("queens_up") == NUMBERED
    assert registry.library("mini_baccarat").ids_of("dragon_bonus") == NUMBERED
    assert registry.library("four_card").ids_of("jackpot") == NUMBERED
