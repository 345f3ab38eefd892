"""Crazy 4 Poker: what its worked rounds cannot show."""

import random
from dataclasses import replace

import pytest

from feltwork.money import DOLLAR, Micros
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_cards
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.games.crazy_4 import rules
from feltwork.titles.hands.four_card import best_four
from feltwork.titles.notation import round_from
from feltwork.titles.paytables.paytable import Odds
from feltwork.titles.round import Round, Seat
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision

GAME = registry.game("crazy_4")
PAYTABLES = {
    "super_bonus": registry.paytable("crazy_4", "super_bonus", "C4P-09"),
    "queens_up": registry.paytable("crazy_4", "queens_up", "C4P-09"),
    "bad_beat": registry.paytable("crazy_4", "bad_beat", "BBB-01"),
}
STAKES: dict[str, Micros] = {
    "ante": 10 * DOLLAR,
    "super_bonus": 10 * DOLLAR,
    "queens_up": 5 * DOLLAR,
    "bad_beat": DOLLAR,
}


def table_of(players: int) -> Round:
    seats = tuple(Seat(number, STAKES) for number in range(1, players + 1))
    options = {option.name: option.default for option in GAME.options}
    return Round(game=GAME, seats=seats, paytables=PAYTABLES, options=options)


def written(cards: str, **wagers: str) -> dict[str, object]:
    return {
        "game": "crazy_4",
        "paytables": {"super_bonus": "C4P-09", "queens_up": "C4P-09", "bad_beat": "BBB-01"},
        "dealer": "Ks Qd 9h 8c 2d",
        "seats": [{"seat": 3, "cards": cards, "wagers": wagers}],
    }


@pytest.mark.letter(
    "titles.games.crazy_4.rules.check",
    "C4.deal.1.mandatory",
    "C4.deal.3",
    "C4.overview.mandatory-bets",
    "C4.bad_beat.3",
)
@pytest.mark.letter(
    "titles.games.crazy_4.rules.most_play", "C4.overview.mandatory-bets.play-size", "C4.deal.3"
)
@pytest.mark.parametrize(
    ("cards", "wagers", "what"),
    [
        ("Jh Jd 4c 7s 3d", {"queens_up": "5"}, "there is no ante"),
        ("Jh Jd 4c 7s 3d", {"bad_beat": "5"}, "there is no ante"),
        ("Jh Jd 4c 7s 3d", {"ante": "10", "super_bonus": "5"}, "super_bonus must be exactly one ante"),
        ("Jh Jd 4c 7s 3d", {"ante": "10"}, "there is no super_bonus"),
        ("Kh Kd 4c 7s 3d", {"ante": "10", "super_bonus": "10", "play": "20"}, "exactly one ante"),
        ("Ah Ad 4c 7s 3d", {"ante": "10", "super_bonus": "10", "play": "30.01"}, "one to three antes"),
        ("Ah Ad 4c 7s 3d", {"ante": "10", "super_bonus": "10", "play": "9.99"}, "one to three antes"),
    ],
)
def test_an_unlawful_wager_is_located(cards: str, wagers: dict[str, str], what: str) -> None:
    with pytest.raises(ProblemsError) as error:
        settle(round_from(written(cards, **wagers)))
    (problem,) = error.value.problems
    assert problem.where == "seat 3, wagers"
    assert what in problem.what
    assert problem.remedy


@pytest.mark.parametrize(
    ("cards", "qualifies"),
    [
        ("Qh Jh Th 8c 7d", False),
        ("Kd 6c 4s 3h 2c", True),
        ("Ah 9c 7d 4s 2c", True),
        ("2c 2d 5h 7s 9c", True),
    ],
)
def test_the_dealer_qualifies_from_king_high(cards: str, qualifies: bool) -> None:
    assert rules.dealer_qualifies(best_four(parse_cards(cards))) is qualifies


@pytest.mark.letter("titles.games.crazy_4.rules.settle", "C4.deal.6.a.iii")
def test_bets_are_handled_in_the_dealers_order() -> None:
    """[C4.deal.6.a.iii], and Bad Beat last."""
    dealt = GAME.play(table_of(1), Shoe(DECK), lambda decision: decision.choices[-1])
    assert list(settle(dealt).seats[0].bets) == ["play", "ante", "queens_up", "super_bonus", "bad_beat"]


@pytest.mark.letter("titles.games.crazy_4.rules.play", "C4.deal.2", "C4.deal.2.i-deal")
def test_cards_go_to_the_players_from_the_left_and_then_to_the_dealer() -> None:
    """[C4.deal.2]."""
    dealt = GAME.play(table_of(3), Shoe(DECK), lambda _: "fold")
    assert [seat.cards for seat in dealt.seats] == [DECK[0:5], DECK[5:10], DECK[10:15]]
    assert dealt.cards("dealer") == DECK[15:20]


@pytest.mark.letter(
    "titles.games.crazy_4.rules.most_play", "C4.overview.mandatory-bets.play-size", "C4.deal.3"
)
@pytest.mark.parametrize(
    ("cards", "choices"),
    [("Kh Kd Qc Js 9d", ("fold", "1x")), ("Ah Ad 4c 3s 9d", ("fold", "1x", "2x", "3x"))],
)
def test_choices_depend_on_the_hand(cards: str, choices: tuple[str, ...]) -> None:
    """[C4.deal.3]."""
    decisions: list[Decision] = []

    def fold(decision: Decision) -> str:
        decisions.append(decision)
        return "fold"

    shoe = Shoe((*parse_cards(cards), *parse_cards("2c 2h 5h 6h 8s")))
    assert GAME.play(table_of(1), shoe, fold).seats[0].wager("play") == 0
    assert [(decision.seat, decision.choices) for decision in decisions] == [(1, choices)]


@pytest.mark.parametrize(
    ("cards", "choice"),
    [("Ah Ad 4c 3s 9d", "3x"), ("Kh Qd 8c 4s 2d", "1x"), ("Kh Qd 8c 3s 2d", "fold")],
)
def test_rule_of_thumb(cards: str, choice: str) -> None:
    shoe = Shoe((*parse_cards(cards), *parse_cards("2c 2h 5h 6h 8s")))
    seat = GAME.play(table_of(1), shoe, GAME.rule_of_thumb).seats[0]
    assert seat.wager("play") == {"fold": 0, "1x": 10 * DOLLAR, "3x": 30 * DOLLAR}[choice]


def test_random_play_settles_and_pays_no_more_than_the_paytables_allow() -> None:
    dice = random.Random(4)
    most = {bet: max(top(odds.pays) for odds in paytable.rows) for bet, paytable in PAYTABLES.items()}
    most |= {"ante": 1, "play": 1}
    for _ in range(300):
        shoe = Shoe(dice.sample(DECK, len(DECK)))
        dealt = GAME.play(table_of(9), shoe, lambda decision: dice.choice(decision.choices))
        for seat in settle(dealt).seats:
            for name, bet in seat.bets.items():
                assert 0 <= bet.returned <= bet.staked * (1 + most[name])
                assert (bet.outcome == "win") is (bet.returned > bet.staked)


def top(pays: object) -> int:
    assert isinstance(pays, Odds)
    return -(-pays.wins // pays.per)


def test_other_seats_do_not_matter() -> None:
    dice = random.Random(44)
    dealt = GAME.play(table_of(6), Shoe(dice.sample(DECK, len(DECK))), GAME.rule_of_thumb)
    together = settle(dealt).seats
    alone = tuple(settle(replace(dealt, seats=(seat,))).seats[0] for seat in dealt.seats)
    assert together == alone
