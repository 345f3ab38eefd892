"""Blackjack: what worked rounds cannot show, such as refused play, legal choices and many random rounds."""

import random
from collections import Counter
from itertools import combinations
from typing import TypeAlias

import pytest

from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_cards
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.games.blackjack.hand_play import Spot
from feltwork.titles.games.blackjack.rules import house_money_names
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decide, Decision, OptionValue

GAME = registry.game("blackjack")
HOUSE_MONEY: dict[str, object] = {"wagers": {"bet": "10", "house_money": "5"}}
PAYTABLE_1 = {"paytables": {"house_money": "1"}}
BLAZING = {"jackpot": "blazing_7s", "paytable": "1", "meters": {"jackpot": "9000"}}
TRILUX = {"jackpot": "trilux", "paytable": "6", "meters": {"jackpot": "9000"}}


def round_of(table: dict[str, object], seat: dict[str, object]) -> Round:
    """One seat with two eights against 17, but for what is said otherwise."""
    plain = {"seat": 1, "cards": "8c 8d", "wagers": {"bet": "10"}}
    return round_from({"game": "blackjack", "dealer": "Th 7d", **table, "seats": [plain | seat]})


def table_of(*numbers: int, **table: object) -> Round:
    """A table before the deal, with bets and House Money on every seat."""
    jackpots = ["blazing_7s"] if "jackpots" in table else []
    seats = [{"seat": n, "cards": "", "jackpots": jackpots, **HOUSE_MONEY} for n in numbers]
    return round_from({"game": "blackjack", "dealer": "", "seats": seats, **PAYTABLE_1, **table})


def options_of(chosen: dict[str, OptionValue]) -> dict[str, OptionValue]:
    return {option.name: option.default for option in GAME.options} | chosen


REFUSED_SEATS = {
    "no bet": ({"wagers": {}}, "seat 1, wagers", "no bet"),
    "three cards": ({"cards": "8c 8d 2c"}, "seat 1, cards", "3 cards"),
    "insurance against a ten": ({"wagers": {"bet": "10", "insurance": "5"}}, "insurance", "ace only"),
    "no card after hit": ({"play": "hit"}, "seat 1, play", "before the next card of 8c 8d (16)"),
    "no card for a split hand": (
        {"play": "split Ts stand"},
        "seat 1, play",
        "before the next card of 8d (8)",
    ),
    "a card that nothing draws": ({"play": "stand 5c"}, "play, word 2", "no action draws the card 5c"),
    "no card at all": ({"play": "hit 5x"}, "play, word 2", "'5x' is not a card"),
    "an action where a card is due": ({"play": "hit stand"}, "play, word 2", "stand is not allowed on"),
    "double on three cards": ({"play": "hit 2c double 3d"}, "play, word 3", "double is not allowed on"),
    "double for more": ({"play": "double:10.01 3d"}, "play, word 1", "cannot double"),
    "an amount on a hit": ({"play": "hit:5 3d"}, "play, word 1", "takes no amount"),
    "split of no pair": ({"cards": "8c 9d", "play": "split 2c 2d"}, "play, word 1", "split is not allowed"),
    "surrender not offered": ({"play": "surrender"}, "play, word 1", "surrender is not allowed"),
    "aces split twice": ({"cards": "Ac Ad", "play": "split As split 2c 2d 2h"}, "word 3", "not allowed"),
    "left without House Money": ({"house_money_left": "5"}, "house_money_left", "only 0.00 came"),
    "left as words": ({"house_money_left": "all"}, "house_money_left", "not an amount"),
}


@pytest.mark.letter("titles.games.blackjack.check.check", "HM.house_money.1")
@pytest.mark.parametrize(("seat", "where", "what"), REFUSED_SEATS.values(), ids=REFUSED_SEATS)
def test_refused_at_a_seat(seat: dict[str, object], where: str, what: str) -> None:
    assert_refused(round_of({}, seat), where, what)


Refusal: TypeAlias = tuple[dict[str, object], dict[str, object], str, str]
REFUSED_TABLES: dict[str, Refusal] = {
    "dealer draws on 17": ({"dealer": "Th 7d 2c"}, {}, "dealer", "draws 2c on 17"),
    "dealer draws on soft 17": ({"dealer": "Ah 6d 2c"}, {}, "dealer", "draws 2c on soft 17"),
    "insurance of more than half": (
        {"dealer": "Ah 7d"},
        {"wagers": {"bet": "10", "insurance": "5.01"}},
        "wagers",
        "insurance must be at most half the bet",
    ),
    "left more than came": (
        {**PAYTABLE_1},
        {**HOUSE_MONEY, "house_money_left": "20.01"},
        "house_money_left",
        "only 20.00 came",
    ),
    "left against blackjack": (
        {**PAYTABLE_1, "dealer": "Ah Kd"},
        {**HOUSE_MONEY, "house_money_left": "1"},
        "house_money_left",
        "dealer has blackjack",
    ),
    "House Money without a peek": (
        {**PAYTABLE_1, "options": {"dealer_peeks": False}},
        HOUSE_MONEY,
        "options.dealer_peeks",
        "the option dealer_peeks is false",
    ),
    "too few decks for a jackpot": (
        {"options": {"decks": 4}, "jackpots": [TRILUX]},
        {},
        "options.decks",
        "trilux is not offered with 4",
    ),
    **{
        f"too few decks for {variant}": (
            {"options": {"decks": 4}, "jackpots": [BLAZING | {"variant": variant}]},
            {},
            "options.decks",
            "blazing_7s is not offered with 4",
        )
        for variant in ("player_cards", "dealer_up_card")
    },
    "a card drawn too often": (
        {"options": {"decks": 1}},
        {"play": "hit 7d"},
        "cards",
        "7d appears more often",
    ),
}


@pytest.mark.letter("titles.settle._jackpots_out_of_place", "HM.{blazing_player,blazing_upcard,trilux}.decks")
@pytest.mark.parametrize(("table", "seat", "where", "what"), REFUSED_TABLES.values(), ids=REFUSED_TABLES)
def test_refused_at_the_table(
    table: dict[str, object], seat: dict[str, object], where: str, what: str
) -> None:
    assert_refused(round_of(table, seat), where, what)


def assert_refused(round_: Round, where: str, what: str) -> None:
    with pytest.raises(ProblemsError) as error:
        settle(round_)
    (problem,) = error.value.problems
    assert where in problem.where
    assert what in problem.what
    assert problem.remedy


def test_two_jackpots_without_house_money() -> None:
    assert not settle(round_of({"jackpots": [BLAZING, TRILUX]}, {})).void


CHOICES = {
    "a pair": ("8c 8d", {}, "hit stand double split"),
    "tens of different ranks": ("Kc Td", {}, "hit stand double split"),
    "surrender": ("9c 7d", {"surrender": "late"}, "hit stand double surrender"),
    "a blackjack": ("Ac Kd", {}, ""),
}


@pytest.mark.parametrize(("cards", "options", "choices"), CHOICES.values(), ids=CHOICES)
def test_first_choices(cards: str, options: dict[str, OptionValue], choices: str) -> None:
    spot = Spot(parse_cards(cards), 10, options_of(options))
    assert " ".join(spot.choices()) == choices


AFTER_SPLIT = {
    "eights": ("8c 8d", "8h", {}, "hit stand double split"),
    "no double after a split": ("8c 8d", "3h", {"double_after_split": False}, "hit stand"),
    "two hands at most": ("8c 8d", "8h", {"resplit_to": 2}, "hit stand double"),
    "aces get one card": ("Ac Ad", "5h", {}, ""),
    "aces may be split again": ("Ac Ad", "Ah", {"resplit_aces": True}, "stand split"),
    "aces may be hit": ("Ac Ad", "5h", {"hit_split_aces": True}, "hit stand double"),
}


@pytest.mark.parametrize(("cards", "drawn", "options", "choices"), AFTER_SPLIT.values(), ids=AFTER_SPLIT)
def test_choices_after_a_split(cards: str, drawn: str, options: dict[str, OptionValue], choices: str) -> None:
    spot = Spot(parse_cards(cards), 10, options_of(options))
    spot.act("split")
    spot.deal(parse_cards(drawn)[0])
    assert " ".join(spot.choices()) == choices


def test_house_money_over_all_two_card_hands() -> None:
    paytable = registry.paytable("blackjack", "house_money", "1")
    rows = (paytable.row_for(house_money_names(cards)) for cards in combinations(DECK, 2))
    counts = Counter(row.hand for row in rows if row)
    # thirteen runs A-2 .. K-A: one suited in four ways has its own row, twelve are straight flushes
    assert counts == {"ace_king_suited": 4, "straight_flush": 48, "pair": 78, "straight": 156}


def test_a_stand_that_decides_nothing_is_read_over() -> None:
    for play in ("hit 5c stand", "double 5c stand", "split 3d double Tc stand Ks stand"):
        assert settle(round_of({}, {"play": play})).void is False


@pytest.mark.letter("titles.meter_pays.pay_jackpot", "HM.trilux.{8,10}", "HM.blazing_upcard.9")
@pytest.mark.parametrize("jackpot", [TRILUX, BLAZING | {"variant": "dealer_up_card"}])
@pytest.mark.parametrize("dealer", ["Th", "Th 6d"])
def test_an_unfinished_dealer_leaves_the_bet_open_and_settles_the_rest(
    dealer: str, jackpot: dict[str, object]
) -> None:
    """Side bets and jackpots look at the first cards and need no finished hand."""
    name = str(jackpot["jackpot"])
    table: dict[str, object] = {"dealer": dealer, **PAYTABLE_1, "jackpots": [jackpot]}
    (seat,) = settle(round_of(table, {**HOUSE_MONEY, "jackpots": [name]})).seats
    assert seat.bets["bet"].outcome == "void"
    assert seat.bets["bet"].returned == seat.bets["bet"].staked
    assert seat.bets["bet"].why.startswith("open: ")
    assert seat.bets["house_money"].outcome == "win"
    assert name in seat.jackpots


@pytest.mark.parametrize("chosen", [{}, {"surrender": "late", "soft_17": "hit", "resplit_aces": True}])
@pytest.mark.parametrize("thoughtful", [True, False])
def test_played_rounds_settle(chosen: dict[str, object], thoughtful: bool) -> None:
    dice = random.Random(f"{chosen} {thoughtful}")
    decide: Decide = GAME.rule_of_thumb if thoughtful else lambda decision: dice.choice(decision.choices)
    table = table_of(1, 4, 7, options=chosen, jackpots=[BLAZING])
    for _ in range(200):
        cards = list(decks_of(6))
        dice.shuffle(cards)
        round_ = GAME.play(table, Shoe(cards), decide)
        for seat in settle(round_).seats:
            bet, house_money = seat.bets["bet"], seat.bets["house_money"]
            assert house_money.returned <= 10 * house_money.staked
            assert bet.returned <= bet.staked * 5 // 2
            assert bet.staked <= 8 * (table.seats[0].wager("bet") + house_money.returned)


@pytest.mark.letter(
    "titles.games.blackjack.rules._house_money_decided", "HM.house_money.{4.b,5,6,6.blackjack,leave-winnings}"
)
@pytest.mark.letter("titles.games.blackjack.rules.ended_by_peek", "HM.house_money.{4,4.a}")
@pytest.mark.parametrize(
    ("cards", "dealer", "is_asked"),
    [
        ("8c 8d", "Td 7s", True),
        ("8c 8d", "Ad 7s", True),
        ("8c 8d", "9d 8s", True),
        ("Ac Kc", "9d 8s", True),
        ("8c 8d", "Td As", False),
        ("8c Td", "9d 8s", False),
    ],
)
def test_a_winner_of_house_money_is_asked_unless_the_dealer_has_blackjack(
    cards: str, dealer: str, is_asked: bool
) -> None:
    names: list[str] = []

    def note(decision: Decision) -> str:
        names.append(decision.name)
        return "leave" if decision.name == "house_money" else "stand"

    (first, second), (up, hole) = cards.split(), dealer.split()
    round_ = GAME.play(table_of(1), Shoe(parse_cards(f"{first} {up} {second} {hole}")), note)
    assert ("house_money" in names) is is_asked
    assert ("house_money_left" in round_.seats[0].said) is is_asked


def test_questions_are_asked_in_order() -> None:
    decisions: list[Decision] = []

    def note(decision: Decision) -> str:
        decisions.append(decision)
        return {"house_money": "leave"}.get(decision.name, "stand")

    table = table_of(1, 2)
    round_ = GAME.play(table, Shoe(parse_cards("9c 5h Td 9d 6h 8d")), note)
    assert [(decision.seat, decision.name) for decision in decisions] == [
        (1, "house_money"),
        (2, "house_money"),
        (1, "hand"),
        (2, "hand"),
    ]
    assert all(decision.sees == {"dealer": parse_cards("Td")} for decision in decisions)
    assert round_.seats[0].said == {"house_money_left": "20.00", "play": "stand"}
