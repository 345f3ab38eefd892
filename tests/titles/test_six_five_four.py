"""What the worked rounds of 6-5-4 Poker cannot show: errors, decisions, and play from a shoe."""

from dataclasses import replace
from random import Random

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK, parse_cards
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.games.six_five_four import rules
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision


def a_round(dealer: str = "9s 9d 4c 4h Kd 2s", **wagers: str) -> Round:
    return round_from(
        {
            "game": "six_five_four",
            "paytables": {"ante_bonus": "1", "queens_up": "1"},
            "dealer": dealer,
            "seats": [{"seat": 3, "cards": "Ah Ad 7c 6s 2d", "wagers": wagers}],
        }
    )


@pytest.mark.letter("titles.games.six_five_four.rules.check", "SF.deal.1.a", "SF.overview.ante")
@pytest.mark.letter("titles.settle._wrong_sizes", "SF.deal.5.b", "SF.overview.decision")
@pytest.mark.parametrize(
    ("wagers", "what"),
    [
        ({"queens_up": "5"}, "there is no ante"),
        ({"ante": "10", "play": "20"}, "play must be exactly one ante"),
        ({"ante": "10", "play": "5"}, "play must be exactly one ante"),
    ],
)
def test_unlawful_wagers_are_located(wagers: dict[str, str], what: str) -> None:
    with pytest.raises(ProblemsError) as error:
        settle(a_round(**wagers))
    (problem,) = error.value.problems
    assert (problem.where, problem.what) == ("seat 3, wagers", what)
    assert problem.remedy


def test_the_ante_bonus_needs_a_paytable_even_without_chips() -> None:
    with pytest.raises(ProblemsError, match="ante_bonus"):
        round_from(
            {
                "game": "six_five_four",
                "dealer": "9s 9d 4c 4h Kd 2s",
                "seats": [{"seat": 1, "cards": "Ah Ad 7c 6s 2d", "wagers": {"ante": "10"}}],
            }
        )


def test_a_folded_hand_gets_no_ante_bonus() -> None:
    (seat,) = settle(a_round(ante="10")).seats
    assert (seat.bets["ante_bonus"].staked, seat.bets["ante_bonus"].returned) == (0, 0)


@pytest.mark.letter(
    "titles.games.six_five_four.rules.discards", "SF.deal.4", "SF.overview.dealer-hand.discard"
)
@pytest.mark.letter("titles.games.six_five_four.rules.exposed", "SF.deal.{2,4}")
@pytest.mark.parametrize(
    ("dealer", "exposed", "discarded"),
    [
        ("9s Ad Kc 4h Kd 2s", "9s", 0),
        ("Ts 9d Kc 4h Kd 2s", "Ts 9d", 1),
        ("As Td Kc 4h Kd 2s", "As Td", 2),
    ],
)
def test_what_the_dealer_exposes_and_discards(dealer: str, exposed: str, discarded: int) -> None:
    cards = parse_cards(dealer)
    assert rules.exposed(cards) == parse_cards(exposed)
    assert rules.discards(cards) == rules.discards(rules.exposed(cards)) == discarded


@pytest.mark.letter("titles.games.six_five_four.rules.play", "SF.deal.{1,2,2.a,5}")
def test_the_decision_shows_the_exposed_cards_and_no_other() -> None:
    decisions: list[Decision] = []

    def fold(decision: Decision) -> str:
        decisions.append(decision)
        return "fold"

    cards = parse_cards("Ah Ad 7c 6s 2d 9c 8c 7d 6d 5d Ks")
    dealt = rules.play(a_round(ante="10"), Shoe(cards), fold)
    assert dealt.cards("dealer") == parse_cards("Ks 9c 8c 7d 6d 5d")
    (decision,) = decisions
    assert (decision.seat, decision.choices) == (3, ("fold", "play"))
    assert decision.sees == {"dealer": parse_cards("Ks 9c")}
    assert dealt.seats[0].wagers == {"ante": 10 * DOLLAR}


@pytest.mark.letter("titles.games.six_five_four.rules.play", "SF.deal.{2,2.a}")
def test_cards_go_to_the_players_from_the_left_and_the_dealers_sixth_is_face_up() -> None:
    opening = a_round(ante="10")
    seats = tuple(replace(opening.seats[0], number=number) for number in (1, 2, 3))
    dealt = rules.play(replace(opening, seats=seats), Shoe(DECK), lambda _: "fold")
    assert [seat.cards for seat in dealt.seats] == [DECK[0:5], DECK[5:10], DECK[10:15]]
    assert dealt.cards("dealer") == (DECK[20], *DECK[15:20])


def test_play_from_a_shoe_settles_and_pays_no_more_than_the_paytables() -> None:
    random = Random(654)
    game = registry.game("six_five_four")
    opening = a_round(ante="10", queens_up="5")
    seats = tuple(replace(opening.seats[0], number=number) for number in range(1, game.max_seats + 1))
    opening = replace(opening, seats=seats)
    played = 0
    for _ in range(200):
        dealt = game.play(opening, Shoe(random.sample(DECK, 52)), game.rule_of_thumb)
        for seat in settle(dealt).seats:
            played += "play" in seat.bets
            for name, most in {"play": 2, "ante": 2, "queens_up": 51}.items():
                if name in seat.bets:
                    assert 0 <= seat.bets[name].returned <= most * seat.bets[name].staked
            assert "play" in seat.bets or not seat.bets["ante_bonus"].returned
            assert seat.net >= -25 * DOLLAR
    assert 0 < played < 200 * game.max_seats
