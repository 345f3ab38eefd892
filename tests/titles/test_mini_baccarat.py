"""Mini-Baccarat: what its worked rounds cannot show."""

from random import Random
from typing import Any

import pytest

from feltwork.problem import Problem, ProblemsError
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.games.mini_baccarat import rules
from feltwork.titles.hands.points import baccarat_total
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round
from feltwork.titles.settle import settle
from feltwork.titles.title import Decision

WAGERS = {"player": "10", "banker": "10", "tie": "1", "dragon_bonus_player": "5", "dragon_bonus_banker": "5"}


def round_of(player: str, banker: str, **other: Any) -> Round:
    seats = [{"seat": 1, "wagers": WAGERS}]
    paytables = {"dragon_bonus": "1"}
    data = {"game": "mini_baccarat", "paytables": paytables, "player": player, "banker": banker}
    return round_from({**data, "seats": seats, **other})


def problems_of(player: str, banker: str, **other: Any) -> tuple[Problem, ...]:
    with pytest.raises(ProblemsError) as raised:
        settle(round_of(player, banker, **other))
    return raised.value.problems


@pytest.mark.parametrize(
    ("player", "banker", "where", "what"),
    [
        ("9h", "4c 2s", ["player"], "begins with two"),
        ("", "", ["player", "banker"], "begins with two"),
        ("2c 3d", "Ks Qd Jh", ["player"], "draw once on 5"),
        ("2c 4d 3h", "Ks Qd Jh", ["player"], "stand on 6"),
        ("2c 3d 4h 4s", "Ks Qd Jh", ["player"], "draw once on 5"),
        ("2c 3d 4h", "Ks Qd", ["banker"], "draw once on 0"),
        ("9h Kd", "4c Ks 2s", ["banker"], "stand on 4"),
        ("2c 3d 4h", "4c 4s", ["player"], "stand on 5"),
        ("9h Kd 2s", "4c Ks 2s", ["player", "banker"], "stand on"),
        ("Ac 3d 8h", "Ks 3c 2d", ["banker"], "stand on 3"),
        ("6c Ks", "4d Ah", ["banker"], "draw once on 5"),
    ],
)
def test_cards_against_the_drawing_table_are_located(
    player: str, banker: str, where: list[str], what: str
) -> None:
    problems = problems_of(player, banker)
    assert [problem.where for problem in problems] == where
    assert all(what in problem.what for problem in problems)


def test_a_single_deck_holds_each_card_once() -> None:
    assert "2c" in problems_of("2c 2c 4h", "Ks Qd Jh", options={"decks": 1})[0].what


def test_a_seat_has_no_cards() -> None:
    seats = [{"seat": 1, "cards": "Ah Kd", "wagers": WAGERS}]
    assert problems_of("9h Kd", "4c 2s", seats=seats)[0].where == "seats[0].cards"


def test_dragon_bonus_alone_where_the_house_asks_for_a_base_wager() -> None:
    seats = [{"seat": 3, "wagers": {"dragon_bonus_player": "5"}}]
    options = {"dragon_bonus_needs_base": True}
    assert problems_of("9h Kd", "4c 2s", seats=seats, options=options)[0].where == "seat 3, wagers"


@pytest.mark.letter(
    "titles.games.mini_baccarat.rules.dragon_bonus_names", "DB.dragon.5.b.i", "DB.{aquarius,nexus}.6.b.i"
)
@pytest.mark.parametrize(
    ("own", "other", "names"),
    [
        ("8h Kd", "8c Qs", {"natural_tie"}),
        ("9h Kd", "9c Qs", {"natural_tie"}),
        ("6h Kd", "6c Qs", set()),
        ("2h 3d 3c", "4h 4d", set()),
        ("4h 4d", "2h 3d 3c", {"natural_tie"}),
    ],
)
def test_only_tied_naturals_are_a_row(own: str, other: str, names: set[str]) -> None:
    assert rules.dragon_bonus_names(parse_cards(own), parse_cards(other)) == names


# One line for each two-card total of the Banker: over the Player's third cards A 2 .. 9 T, D draws, S stands.
PUBLIC_TABLE = {
    "Ks Qs": "DDDDDDDDDD",
    "Ks As": "DDDDDDDDDD",
    "Ks 2s": "DDDDDDDDDD",
    "Ks 3s": "DDDDDDDSDD",
    "Ks 4s": "SDDDDDDSSS",
    "Ks 5s": "SSSDDDDSSS",
    "Ks 6s": "SSSSSDDSSS",
    "Ks 7s": "SSSSSSSSSS",
    "Ks 8s": "SSSSSSSSSS",
}


@pytest.mark.letter(
    "titles.games.mini_baccarat.rules.banker_draws",
    "DB.introduction.base-game",
    "DB.{aquarius,nexus}.base-game",
)
@pytest.mark.parametrize("banker", PUBLIC_TABLE)
def test_the_banker_draws_by_the_public_table(banker: str) -> None:
    drawn = [
        rules.banker_draws(parse_cards(f"Jc Jd {third}h"), parse_cards(banker)) for third in "A23456789T"
    ]
    assert "".join("D" if draws else "S" for draws in drawn) == PUBLIC_TABLE[banker]


def never(_decision: Decision) -> str:
    raise AssertionError("nobody decides anything at baccarat")


@pytest.mark.parametrize("decks", [1, 4, 6, 8])
def test_played_rounds_settle_and_pay_no_more_than_the_rules_allow(decks: int) -> None:
    dice = Random(decks)
    empty = round_of("", "", options={"decks": decks})
    cards = list(decks_of(decks))
    for _ in range(500):
        dice.shuffle(cards)
        played = rules.play(empty, Shoe(cards), never)
        (seat,) = settle(played).seats
        player, banker = (baccarat_total(played.cards(side)) for side in ("player", "banker"))
        outcomes = {name: bet.outcome for name, bet in seat.bets.items()}
        assert (outcomes["tie"] == "win") == (player == banker) == (outcomes["banker"] == "push")
        assert (outcomes["player"] == "win") == (player > banker) == (outcomes["banker"] == "lose")
        assert outcomes["dragon_bonus_player"] != "win" or outcomes["dragon_bonus_banker"] == "lose"
        assert all(bet.returned <= 31 * bet.staked for bet in seat.bets.values())


@pytest.mark.letter("titles.games.mini_baccarat.rules.play", "DB.dragon.{1,2}")
def test_cards_are_dealt_in_turn_player_first() -> None:
    shoe = Shoe(parse_cards("2c Ks 3d Qd 4h Jh 9s"))
    played = rules.play(round_of("", ""), shoe, never)
    assert played.table_cards == {"player": parse_cards("2c 3d 4h"), "banker": parse_cards("Ks Qd Jh")}
    assert shoe.remaining == 1
