"""What a letter says of a whole game: its rules hold, and wagers beside it change nothing of it."""

import random
from dataclasses import replace
from typing import Any

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles import meter_pays, registry
from feltwork.titles.bet_limits import TableLimits
from feltwork.titles.cards.shoe import Shoe, decks_of
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round, TableJackpot
from feltwork.titles.sample_round import open_round
from feltwork.titles.settle import settle
from feltwork.titles.settlement import Settlement

#: A round of each letter's game that its rules do not allow.
AGAINST_THE_RULES: dict[str, dict[str, Any]] = {
    "C4": {
        "game": "crazy_4",
        "paytables": {"super_bonus": "C4P-09"},
        "dealer": "Ks Qd 9h 8c 2d",
        "seats": [
            {
                "seat": 1,
                "cards": "Kh Kd 4c 7s 3d",
                "wagers": {"ante": "10", "super_bonus": "10", "play": "30"},
            }
        ],
    },
    "DB": {
        "game": "mini_baccarat",
        "player": "2c 3d",
        "banker": "Ks Qd Jh",
        "seats": [{"seat": 1, "wagers": {"player": "10"}}],
    },
    "TH": {
        "game": "holdem_bonus",
        "dealer": "Ks Qd",
        "board": "Kd 9h 4c 2s 7d",
        "seats": [{"seat": 1, "cards": "Ah As", "wagers": {"ante": "10", "flop": "10"}}],
    },
    "HM": {
        "game": "blackjack",
        "paytables": {"house_money": "1"},
        "dealer": "Ah Kd",
        "seats": [
            {
                "seat": 1,
                "cards": "8c 8d",
                "wagers": {"bet": "10", "house_money": "5"},
                "house_money_left": "5",
            }
        ],
    },
    "SF": {
        "game": "six_five_four",
        "paytables": {"ante_bonus": "1"},
        "dealer": "9s 9d 4c 4h Kd 2s",
        "seats": [{"seat": 1, "cards": "Ah Ad 7c 6s 2d", "wagers": {"ante": "10", "play": "20"}}],
    },
}


@pytest.mark.letter("titles.settle.verify", "{C4,DB,TH,HM,SF}.approval.enclosed-rules")
@pytest.mark.parametrize("letter", AGAINST_THE_RULES)
def test_a_round_against_the_enclosed_rules_is_refused(letter: str) -> None:
    with pytest.raises(ProblemsError):
        settle(round_from(AGAINST_THE_RULES[letter]))


#: A game and the jackpots on it, with their paytables and variants.
JACKPOTS = [
    ("crazy_4", "four_card", "1", ""),
    ("crazy_4", "five_card", "01", ""),
    ("holdem_bonus", "holdem", "THBP-08", ""),
    ("holdem_bonus", "five_card", "01", ""),
    ("mini_baccarat", "dragon", "1", ""),
    ("blackjack", "blazing_7s", "1", "player_cards"),
    ("blackjack", "blazing_7s", "1", "dealer_up_card"),
    ("blackjack", "trilux", "6", ""),
]
SIDE_BETS = [
    ("crazy_4", "bad_beat"),
    ("caribbean_stud", "cover_all"),
    ("mini_baccarat", "dragon_bonus_player"),
]
DEALS = 40


def played(opened: Round, seed: int) -> tuple[Round, Settlement]:
    """A round from a shuffled shoe, the players deciding by the rule of thumb."""
    cards = list(decks_of(int(opened.options.get("decks", 1))))
    random.Random(seed).shuffle(cards)
    dealt = opened.game.play(opened, Shoe(cards), opened.game.rule_of_thumb)
    return dealt, settle(dealt)


def on_table(jackpot: str, paytable: str, variant: str) -> TableJackpot:
    title = registry.jackpot(jackpot)
    rows = registry.paytable(jackpot, "jackpot", paytable)
    return TableJackpot(
        jackpot=title,
        paytable=rows,
        wager=DOLLAR,
        meters=dict.fromkeys(rows.levels, 10_000 * DOLLAR),
        options={option.name: option.default for option in (*meter_pays.OPTIONS, *title.options)},
        variant=variant or title.variants[0],
    )


def without_jackpots(game: str) -> Round:
    opened = open_round(registry.game(game), 5)
    seats = tuple(replace(seat, jackpots=frozenset()) for seat in opened.seats)
    return replace(opened, jackpots=(), seats=seats)


def assert_same_game(plain: Round, more: Round, beside: str) -> None:
    """The same cards to the players and the dealer, and the same results of the regular bets."""
    for seed in range(DEALS):
        (plain_round, plainly), (full_round, fully) = played(plain, seed), played(more, seed)
        place = next(iter(plain_round.table_cards))
        assert plain_round.cards(place) == full_round.cards(place)
        assert [seat.cards for seat in plain_round.seats] == [seat.cards for seat in full_round.seats]
        for plain_seat, full_seat in zip(plainly.seats, fully.seats, strict=True):
            assert plain_seat.bets == {name: bet for name, bet in full_seat.bets.items() if name != beside}


@pytest.mark.letter(
    "titles.settle.settle",
    "C4.{aquarius,nexus,link}.7",
    "TH.{aquarius,nexus}.7",
    "TH.link.9",
    "DB.{aquarius,nexus}.{3,4,base-game}",
    "HM.{blazing_player,blazing_upcard}.6",
    "HM.trilux.7",
    "HM.{blazing_player,blazing_upcard,trilux}.base-rules",
)
@pytest.mark.parametrize(("game", "jackpot", "paytable", "variant"), JACKPOTS)
def test_a_jackpot_changes_nothing_of_the_regular_game(
    game: str, jackpot: str, paytable: str, variant: str
) -> None:
    plain = without_jackpots(game)
    seats = tuple(replace(seat, jackpots=frozenset({jackpot})) for seat in plain.seats)
    stands = on_table(jackpot, paytable, variant)
    assert_same_game(plain, replace(plain, jackpots=(stands,), seats=seats), jackpot)


@pytest.mark.letter(
    "titles.settle.settle",
    "C4.bad_beat.4",
    "C4.cover_all.7",
    "DB.dragon.2",
    "DB.introduction.base-game",
)
@pytest.mark.parametrize(("game", "side_bet"), SIDE_BETS)
def test_a_side_bet_changes_nothing_of_the_regular_game(game: str, side_bet: str) -> None:
    opened = without_jackpots(game)
    seats = tuple(
        replace(seat, wagers={name: amount for name, amount in seat.wagers.items() if name != side_bet})
        for seat in opened.seats
    )
    plain = replace(opened, seats=seats)
    more = tuple(replace(seat, wagers={**seat.wagers, side_bet: 5 * DOLLAR}) for seat in seats)
    assert_same_game(plain, replace(plain, seats=more), side_bet)


@pytest.mark.letter("titles.games.mini_baccarat.rules.settle", "DB.dragon.{3,4}", "DB.{aquarius,nexus}.5")
def test_a_bonus_bet_is_worth_the_same_in_whatever_order_bets_are_settled() -> None:
    opened = open_round(registry.game("mini_baccarat"), 1)
    names = ("player", "banker", "tie", "dragon_bonus_player", "dragon_bonus_banker")
    (seat,) = opened.seats
    every = replace(seat, wagers=dict.fromkeys(names, 5 * DOLLAR), jackpots=frozenset())
    table = replace(opened, jackpots=(), options={**opened.options, "dragon_bonus_needs_base": False})
    for seed in range(40):
        dealt, settlement = played(replace(table, seats=(every,)), seed)
        for name in names:
            alone = replace(every, wagers={name: 5 * DOLLAR})
            assert settle(replace(dealt, seats=(alone,))).seats[0].bets == {
                name: settlement.seats[0].bets[name]
            }


@pytest.mark.letter(
    "titles.settle._wagers_out_of_place",
    "C4.{aquarius,nexus,link}.5",
    "TH.{aquarius,nexus}.5",
    "TH.link.7",
    "DB.{aquarius,nexus}.1",
    "HM.{blazing_player,blazing_upcard}.{2,4}",
    "HM.trilux.5",
)
@pytest.mark.parametrize(("game", "jackpot", "paytable", "variant"), JACKPOTS)
def test_a_jackpot_needs_the_regular_wager(game: str, jackpot: str, paytable: str, variant: str) -> None:
    plain = without_jackpots(game)
    alone = tuple(replace(seat, wagers={}, jackpots=frozenset({jackpot})) for seat in plain.seats[:1])
    round_ = replace(plain, jackpots=(on_table(jackpot, paytable, variant),), seats=alone)
    with pytest.raises(ProblemsError, match="is wagered without the regular game's wager"):
        settle(round_)


@pytest.mark.letter(
    "titles.settle._outside_limits",
    "C4.deal.{1,1.amounts}",
    "C4.overview.queens-up",
    "SF.deal.{1,1.c}",
    "SF.overview.queens-up",
)
@pytest.mark.parametrize("game", ["crazy_4", "six_five_four"])
@pytest.mark.parametrize(
    ("ante", "queens_up", "message"), [(10, 25, ""), (10, 26, "queens_up is"), (101, 25, "ante is")]
)
def test_bets_are_within_the_table_limits_and_queens_up_may_be_the_larger(
    game: str, ante: int, queens_up: int, message: str
) -> None:
    opened = without_jackpots(game)
    wagers = {"ante": ante * DOLLAR, "queens_up": queens_up * DOLLAR}
    if game == "crazy_4":
        wagers["super_bonus"] = ante * DOLLAR
    limits = TableLimits(highest=100 * DOLLAR, side_bets={"queens_up": 25 * DOLLAR})
    seats = (replace(opened.seats[0], wagers=wagers),)
    cards = opened.game.play(replace(opened, seats=seats), Shoe(decks_of(1)), lambda _: "fold")
    round_ = replace(cards, limits=limits)
    if message:
        with pytest.raises(ProblemsError, match=message):
            settle(round_)
    else:
        assert not settle(round_).void


@pytest.mark.letter("titles.settle._impossible_cards", "C4.overview.introduction", "SF.overview.introduction")
@pytest.mark.parametrize("game", ["crazy_4", "six_five_four"])
def test_one_deck_of_52_cards_holds_each_card_once(game: str) -> None:
    opened = without_jackpots(game)
    dealt = opened.game.play(opened, Shoe(decks_of(1)), lambda _: "fold")
    assert not settle(dealt).void
    first, second, *others = dealt.seats
    twice = replace(dealt, seats=(first, replace(second, cards=first.cards), *others))
    with pytest.raises(ProblemsError, match="more often than 1 deck"):
        settle(twice)
