"""The Dragon jackpot: what its worked rounds cannot show."""

from random import Random
from typing import Any

import pytest

from feltwork import money
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.games.mini_baccarat import rules as mini_baccarat
from feltwork.titles.jackpots.dragon import rules
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round
from feltwork.titles.settle import settle

SEATS = [
    {"seat": seat, "wagers": {wager: "10"}, "jackpots": ["dragon"]}
    for seat, wager in enumerate(("player", "banker", "tie", "player"), 1)
]


def round_of(paytable: str, player: str = "", banker: str = "", **other: Any) -> Round:
    jackpot = {"jackpot": "dragon", "paytable": paytable, "meters": {"jackpot": "20000.00"}}
    data = {"game": "mini_baccarat", "player": player, "banker": banker, "seats": SEATS}
    return round_from({**data, "jackpots": [{**jackpot, **other}]})


def test_it_fits_baccarat_alone() -> None:
    dragon = registry.jackpot("dragon")
    assert [game.name for game in registry.games() if registry.fits(dragon, "", game)] == ["mini_baccarat"]


def test_it_asks_for_a_regular_wager() -> None:
    seats = [{"seat": 1, "wagers": {"dragon_bonus_player": "5"}, "jackpots": ["dragon"]}]
    jackpot = {"jackpot": "dragon", "paytable": "1", "meters": {"jackpot": "20000.00"}}
    data = {"game": "mini_baccarat", "player": "9h Kd", "banker": "4c 2s", "paytables": {"dragon_bonus": "1"}}
    with pytest.raises(ProblemsError, match="seat 1, jackpots"):
        settle(round_from({**data, "seats": seats, "jackpots": [jackpot]}))


@pytest.mark.parametrize(
    ("paytable", "wager"), [("1", "1.00"), ("1-5", "5.00"), ("2", "1.00"), ("3", "1.00")]
)
def test_the_wager_is_that_of_the_paytables_column(paytable: str, wager: str) -> None:
    assert round_of(paytable).jackpots[0].wager == money.parse(wager)


def test_a_bettor_of_the_other_side_is_told_why() -> None:
    settlement = settle(round_of("1", "2d 3d 4d", "Ks Qh Jc", options={"share_with": "winning_side"}))
    assert "two_three_four_diamonds was not on a side" in settlement.seats[1].jackpots["dragon"].why


@pytest.mark.parametrize("share_with", ["winning_side", "all_bettors"])
@pytest.mark.parametrize("paytable", ["1", "1-5", "2", "3"])
def test_played_rounds_take_from_the_meter_what_they_award(paytable: str, share_with: str) -> None:
    dice = Random(paytable)
    options = {"share_with": share_with, "fixed_pays_from": "meter"}
    empty = round_of(paytable, options=options)
    cards = list(decks_of(8))
    for _ in range(300):
        dice.shuffle(cards)
        played = mini_baccarat.play(empty, Shoe(cards), lambda decision: decision.choices[0])
        settlement = settle(played)
        awards = {seat.seat: seat.jackpots["dragon"] for seat in settlement.seats}
        change = settlement.meters["dragon"]["jackpot"]
        from_meter = sum(result.sources.get("jackpot", 0) for result in awards.values())
        assert change.before - change.after == from_meter
        assert awards[1].award == awards[4].award
        assert share_with == "all_bettors" or not (awards[1].award and awards[2].award)
        assert not awards[3].award or share_with == "all_bettors"
        side = rules.winning_side(mini_baccarat.final_hands(played, played.seats[0]))
        assert side or not any(result.award for result in awards.values())
