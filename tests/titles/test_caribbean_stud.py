"""What the worked rounds of Caribbean Stud Poker cannot show: errors, decisions, and play from a shoe."""

from dataclasses import replace
from random import Random

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_cards
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.games.caribbean_stud import rules
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision

#: The printed table of Cover All, columns from eight hands down to two [C4.cover_all.cover-all].
COVER_ALL = {
    "royal_flush": (100, 125, 150, 200, 250, 300, 500),
    "straight_flush": (40, 70, 80, 90, 100, 125, 200),
    "four_of_a_kind": (7, 15, 17, 20, 30, 40, 60),
    "full_house": (6, 9, 12, 15, 20, 30, 40),
    "flush": (5, 7, 9, 10, 15, 20, 35),
    "straight": (4, 5, 7, 8, 10, 17, 25),
    "three_of_a_kind": (3, 3, 3, 4, 5, 6, 9),
}


def a_round(**wagers: str) -> Round:
    return round_from(
        {
            "game": "caribbean_stud",
            "dealer": "Ah Kd 9c 7s 3h",
            "seats": [{"seat": 2, "cards": "4c 4d 8h 6s 2d", "wagers": wagers}],
        }
    )


@pytest.mark.parametrize(
    ("wagers", "what"),
    [
        ({"cover_all": "5"}, "there is no ante"),
        ({"ante": "10", "raise": "10"}, "raise must be exactly two antes"),
        ({"ante": "10", "raise": "30"}, "raise must be exactly two antes"),
    ],
)
def test_unlawful_wagers_are_located(wagers: dict[str, str], what: str) -> None:
    with pytest.raises(ProblemsError) as error:
        settle(a_round(**wagers))
    (problem,) = error.value.problems
    assert (problem.where, problem.what) == ("seat 2, wagers", what)
    assert problem.remedy


@pytest.mark.letter("titles.registry.paytable", "C4.cover_all.cover-all")
@pytest.mark.parametrize("hands", range(2, 9))
def test_every_column_of_cover_all_is_as_printed(hands: int) -> None:
    paytable = registry.paytable("caribbean_stud", "cover_all", str(hands))
    printed = {hand: f"{pays[8 - hands]} to 1" for hand, pays in COVER_ALL.items()}
    assert {row.hand: str(row.pays) for row in paytable.rows} == printed


@pytest.mark.letter("titles.games.caribbean_stud.rules.play", "C4.cover_all.1")
def test_the_decision_shows_the_dealers_first_card_and_no_other() -> None:
    decisions: list[Decision] = []

    def raise_(decision: Decision) -> str:
        decisions.append(decision)
        return "raise"

    cards = parse_cards("4c 4d 8h 6s 2d Ah Kd 9c 7s 3h")
    dealt = rules.play(a_round(ante="10"), Shoe(cards), raise_)
    (decision,) = decisions
    assert (decision.seat, decision.choices) == (2, ("fold", "raise"))
    assert decision.sees == {"dealer": parse_cards("Ah")}
    assert dealt.seats[0].wagers == {"ante": 10 * DOLLAR, "raise": 20 * DOLLAR}


@pytest.mark.parametrize(
    ("cards", "up", "choice"),
    [
        ("2c 2d 3h 4s 6c", "Ah", "raise"),
        ("Ac Qd Jh Ts 8c", "Ah", "fold"),
        ("Ac Kd 8h 6s 3c", "8d", "raise"),
        ("Ac Kd 8h 6s 3c", "7d", "fold"),
        ("Ac Kd Jh 6s 3c", "As", "raise"),
        ("Ac Kd 8h 6s 3c", "Ks", "fold"),
        ("Ac Kd Qh 8s 3c", "7d", "raise"),
        ("Ac Kd Qh 8s 3c", "9d", "fold"),
    ],
)
def test_rule_of_thumb(cards: str, up: str, choice: str) -> None:
    decision = Decision(
        seat=1,
        name="raise",
        choices=("fold", "raise"),
        cards=parse_cards(cards),
        sees={"dealer": parse_cards(up)},
        options={},
    )
    assert rules.rule_of_thumb(decision) == choice


@pytest.mark.letter("titles.games.caribbean_stud.rules.settle", "C4.cover_all.9")
def test_cover_all_is_the_last_bet() -> None:
    (seat,) = settle(a_round(**{"ante": "10", "raise": "20", "cover_all": "5"})).seats
    assert list(seat.bets) == ["ante", "raise", "cover_all"]


def test_play_from_a_shoe_settles_and_pays_no_more_than_the_paytables() -> None:
    random = Random(7)
    game = registry.game("caribbean_stud")
    opening = a_round(ante="10", cover_all="5")
    for seats in range(1, game.max_seats + 1):
        places = tuple(replace(opening.seats[0], number=number) for number in range(1, seats + 1))
        most = {"ante": 2, "raise": 101, "cover_all": 1 + COVER_ALL["royal_flush"][7 - seats]}
        for _ in range(50):
            shoe = Shoe(random.sample(DECK, 52))
            dealt = game.play(replace(opening, seats=places), shoe, game.rule_of_thumb)
            settled = settle(dealt).seats
            for seat in settled:
                for name, bet in seat.bets.items():
                    assert 0 <= bet.returned <= most[name] * bet.staked
            assert len({seat.bets["cover_all"] for seat in settled}) == 1
