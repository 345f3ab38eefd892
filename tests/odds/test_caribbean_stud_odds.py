"""Caribbean Stud: the count against the rules, published prices, advice against settled rounds."""

import json
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, sqrt
from statistics import fmean, pstdev

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.four_card.classes import canonical_hand
from feltwork.odds.question import advice_for
from feltwork.odds.titles.caribbean_stud import strategy
from feltwork.odds.titles.caribbean_stud.dealer_hands import dealer_hands
from feltwork.odds.titles.caribbean_stud.raise_counts import RaiseCounts, cached_counts, count
from feltwork.odds.titles.caribbean_stud.solve import CLASS_NAMES, pays_of, solution, solve
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, Card, parse_cards
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.games.caribbean_stud.rules import RAISE_ROWS, dealer_qualifies
from feltwork.titles.hands.category import names_of
from feltwork.titles.hands.five_card import best_five
from feltwork.titles.paytables.paytable import Odds, Paytable
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from tests.odds.four_card_reference import deck_of, unpack
from tests.sizes import size
from tests.support.commands import run

GAME = registry.game("caribbean_stud")
STANDARD = registry.paytable("caribbean_stud", "raise", "standard")


def test_the_published_figures() -> None:
    """As published for the usual pays; the fraction is that of all 19,933,230,517,200 deals."""
    play = solution()
    assert sum(play.distribution.values()) == comb(52, 5) * 47 * comb(46, 4)
    assert play.house_edge == Fraction(142031221, 2718662100)
    assert round(float(play.house_edge) * 100, 3) == 5.224
    assert round(float(play.element_of_risk) * 100, 3) == 2.555
    assert round(1 - float(play.fold_frequency), 4) == 0.5223
    assert round(sqrt(play.variance), 2) == 2.24


def by_the_rules(deck: list[Card], pays: dict[frozenset[str], Fraction]) -> Counter[Fraction]:
    """Optimal play of a small deck, each hand ranked and each dealer hand compared by the rules."""
    hands = {frozenset(cards): best_five(cards) for cards in combinations(deck, 5)}
    nets: Counter[Fraction] = Counter()
    alike = Counter(canonical_hand([card.index for card in cards]) for cards in hands)
    for packed, times in alike.items():
        cards = frozenset(DECK[card] for card in unpack(packed))
        hand = hands[cards]
        pay = pays[names_of(hand, RAISE_ROWS)]
        for up in set(deck) - cards:
            raised: Counter[Fraction] = Counter()
            for hidden in combinations(set(deck) - cards - {up}, 4):
                dealer = hands[frozenset((*hidden, up))]
                if not dealer_qualifies(dealer):
                    raised[Fraction(1)] += 1
                else:
                    raised[1 + 2 * pay if hand > dealer else Fraction(0 if hand == dealer else -3)] += 1
            deals = sum(raised.values())
            better = sum(net * often for net, often in raised.items()) > -deals
            for net, often in (raised if better else {Fraction(-1): deals}).items():
                nets[net] += times * often
    return nets


@pytest.mark.parametrize("ranks", ["9KA", pytest.param("2TKA", marks=pytest.mark.whole)])
@pytest.mark.parametrize("low", [Odds(1, 1, True), Odds(0, 1, False), Odds(7, 3, True)])
def test_a_small_deck_is_solved_as_by_the_rules(ranks: str, low: Odds) -> None:
    """The last row pays pairs and less: at "0 for 1" a low pair folds, at 7 to 3 more ace-kings raise."""
    deck = deck_of(ranks)
    paytable = replace(STANDARD, rows=(*STANDARD.rows[:-1], replace(STANDARD.rows[-1], pays=low)))
    pays = dict(zip(CLASS_NAMES, pays_of(paytable), strict=True))
    expected = by_the_rules([DECK[card] for card in deck], pays)
    solved = solve(RaiseCounts(**count(deck)), pays_of(paytable))
    assert {net: deals for net, deals in solved.distribution.items() if deals} == expected


def test_the_counts_of_a_hand_are_those_of_every_dealer_hand() -> None:
    dice, counts, raises = random.Random(5), cached_counts(), 0
    while raises < size(12, 500):
        *cards, up = dice.sample(DECK, 6)
        hand = best_five(cards)
        if hand.category or hand.ranks[:2] != (14, 13):
            continue
        case = counts.case([card.index for card in cards], up.index)
        assert counts.cases[case, 1:5].tolist() == strategy.dealer_outcomes(tuple(cards), up)
        raises += 1


@pytest.mark.parametrize(
    ("cards", "up", "best"),
    [
        ("As Kd Qc 7h 2s", "7c", "raise"),
        ("As Kd 8c 7h 2s", "Qc", "fold"),
        ("2s 2d 8c 7h 4s", "Ac", "raise"),
        ("As Qd Jc 7h 2s", "2c", "fold"),
    ],
)
def test_advice_is_the_mean_of_settled_rounds(cards: str, up: str, best: str) -> None:
    advice = advice_for(GAME, cards, {"dealer": up}, {})
    assert advice.best == best
    assert advice.worth["fold"] == -1
    hand = parse_cards(cards)
    opened = open_round(GAME, 1)
    seat = replace(opened.seats[0], wagers={"ante": DOLLAR}, jackpots=frozenset())
    opened = replace(opened, seats=(seat,), jackpots=())
    dealt, dice = parse_cards(up), random.Random(3)
    rest = [card for card in DECK if card not in (*hand, *dealt)]
    nets = []
    for _ in range(size(400, 20_000)):
        round_ = GAME.play(opened, Shoe([*hand, *dealt, *dice.sample(rest, 4)]), lambda _: "raise")
        nets.append(settle(round_).seats[0].net / DOLLAR)
    assert abs(fmean(nets) - float(advice.worth["raise"])) <= 4.5 * pstdev(nets) / sqrt(len(nets))


def test_the_player_answers_like_the_exact_advice() -> None:
    """With the usual pays, and where a win below two pair takes the Raise."""
    dice = random.Random(11)
    costly = replace(STANDARD, rows=STANDARD.rows[:-1])
    for paytable in (STANDARD, costly):
        decide = strategy.player({"raise": paytable}, {})
        for _ in range(size(40, 1_000)):
            *cards, up = dice.sample(DECK, 6)
            decision = strategy.question(tuple(cards), {"dealer": (up,)}, {})
            assert decide(decision) == strategy.advise(decision, {"raise": paytable}).best


def test_a_pay_of_any_size_is_compared_exactly() -> None:
    huge = Odds(10**30, 10**15 + 1, True)
    paytable = Paytable("x", "caribbean_stud", "raise", (replace(STANDARD.rows[-1], pays=huge),))
    cases = cached_counts().cases
    assert solve(cached_counts(), pays_of(paytable)).raises[cases[:, 2] > 0].all()


@pytest.mark.parametrize(
    ("known", "hidden"),
    [
        ("As", "Ks Qs Js Ts 9s 8s Ah Ad Kd 2s 3s 4s 5s 5d"),
        ("5c 4c", "Ac 2c 3c 6c 7c 5d 5h 5s 4d 3d 3h Ks"),
        ("5c 4d", "Ac 2c 3c 6c 7c 5d 5h 5s 4s 3d 3h Ks"),
        ("9h 9d 2s 2h 2c", "Ac"),
    ],
)
def test_dealer_hands_are_those_of_the_rules(known: str, hidden: str) -> None:
    known_cards, left = parse_cards(known), parse_cards(hidden)
    dealt = Counter(best_five((*known_cards, *drawn)) for drawn in combinations(left, 5 - len(known_cards)))
    counts: Counter[int] = Counter()
    for value, ways in dealer_hands([card.index for card in known_cards], [card.index for card in left]):
        counts[value] += ways
    assert [ways for _, ways in sorted((+counts).items())] == [dealt[hand] for hand in sorted(dealt)]


def test_advise_and_odds_on_the_command_line() -> None:
    advice = json.loads(
        run("advise", "caribbean_stud", "As Kd Qc 7h 2s", "--sees", "dealer=7c", "--json").stdout
    )
    assert advice["best"] == "raise"
    assert advice["choices"]["fold"]["value"] == "-1"
    (report,) = json.loads(run("odds", "caribbean_stud", "--json").stdout)
    assert report["figures"]["house edge"]["value"] == str(solution().house_edge)
