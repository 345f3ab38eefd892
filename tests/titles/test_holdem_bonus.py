"""Texas Hold'em Bonus: what worked rounds cannot show."""

import random
from typing import Any

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles import meter_pays, registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.notation import round_from
from feltwork.titles.round import Round, Seat, TableJackpot
from feltwork.titles.settle import settle
from feltwork.titles.title import Decide, Decision

GAME = registry.game("holdem_bonus")
PAID = {"dealer": "Ks Qd", "board": "Kd 9h 4c 2s 7d", "game": "holdem_bonus"}


def one_seat(wagers: dict[str, str], **changes: Any) -> dict[str, Any]:
    return {**PAID, "seats": [{"seat": 1, "cards": "Ah As", "wagers": wagers}], **changes}


def problems_of(data: dict[str, Any]) -> list[str]:
    with pytest.raises(ProblemsError) as raised:
        settle(round_from(data))
    return [str(problem) for problem in raised.value.problems]


@pytest.mark.letter("titles.games.holdem_bonus.rules.check", "TH.deal.2")
@pytest.mark.letter("titles.settle._wrong_sizes", "TH.deal.{4.b,7.b,9.b}")
@pytest.mark.parametrize(
    ("wagers", "what"),
    [
        ({"flop": "20"}, "there is no ante"),
        ({"ante": "10", "flop": "10"}, "flop must be exactly two antes"),
        ({"ante": "10", "flop": "20", "turn": "5"}, "turn must be exactly one ante"),
        ({"ante": "10", "flop": "20", "river": "20"}, "river must be exactly one ante"),
        ({"ante": "10", "turn": "10"}, "turn is wagered on a folded hand"),
    ],
)
def test_unlawful_wagers_are_located(wagers: dict[str, str], what: str) -> None:
    assert any(problem.startswith(f"seat 1, wagers: {what}; ") for problem in problems_of(one_seat(wagers)))


def test_board_may_be_left_out_only_when_everybody_folds() -> None:
    folded = one_seat({"ante": "10"})
    stays = one_seat({"ante": "10", "flop": "20"})
    del folded["board"], stays["board"]
    assert not settle(round_from(folded)).void
    assert not settle(round_from({**folded, "board": ""})).void
    assert problems_of(stays) == ['board: the cards are missing; write "board": "Ah Kd ..."']
    assert settle(round_from({**stays, "board": ""})).void


def test_four_cards_on_the_board_are_a_misdeal_even_when_everybody_folds() -> None:
    assert settle(round_from(one_seat({"ante": "10"}, board="Kd 9h 4c 2s"))).void


def table(*, jackpots: dict[str, str], seats: int = 5, folded_hands_qualify: bool = True) -> Round:
    standing = tuple(
        TableJackpot(
            jackpot=registry.jackpot(name),
            paytable=registry.paytable(name, "jackpot", paytable),
            wager=DOLLAR,
            meters=dict.fromkeys(registry.paytable(name, "jackpot", paytable).levels, 10_000 * DOLLAR),
            options={option.name: option.default for option in meter_pays.OPTIONS}
            | {"folded_hands_qualify": folded_hands_qualify},
        )
        for name, paytable in jackpots.items()
    )
    wagers = {"ante": 5 * DOLLAR, "bonus": DOLLAR}
    return Round(
        game=GAME,
        seats=tuple(Seat(number, wagers, jackpots=frozenset(jackpots)) for number in range(1, seats + 1)),
        paytables={"bonus": registry.paytable(GAME.name, "bonus", "2")},
        options={option.name: option.default for option in GAME.options},
        jackpots=standing,
    )


def shuffled(seed: int) -> Shoe:
    return Shoe(random.Random(seed).sample(DECK, 52))


def always(choice: str) -> Decide:
    return lambda decision: choice if choice in decision.choices else "check"


@pytest.mark.letter("titles.games.holdem_bonus.rules.play", "TH.deal.{3,6,8}")
def test_two_cards_go_to_each_from_the_left_then_three_one_and_one_to_the_board() -> None:
    dealt = GAME.play(table(jackpots={}, seats=3), Shoe(DECK), always("bet"))
    assert [seat.cards for seat in dealt.seats] == [DECK[0:2], DECK[2:4], DECK[4:6]]
    assert dealt.cards("dealer") == DECK[6:8]
    assert dealt.cards("board") == DECK[8:13]


@pytest.mark.letter("titles.games.holdem_bonus.rules._asked", "TH.deal.{4,5,6,7,8,9}", "TH.overview.stages")
def test_choices_are_asked_stage_by_stage_of_those_who_stayed() -> None:
    decisions: list[tuple[str, int, tuple[str, ...], int]] = []

    def decide(decision: Decision) -> str:
        decisions.append((decision.name, decision.seat, decision.choices, len(decision.sees["board"])))
        return "fold" if decision.name == "flop" and decision.seat == 1 else "bet"

    played = GAME.play(table(jackpots={}, seats=2), shuffled(1), decide)
    assert decisions == [
        ("flop", 1, ("fold", "bet"), 0),
        ("flop", 2, ("fold", "bet"), 0),
        ("turn", 2, ("check", "bet"), 3),
        ("river", 2, ("check", "bet"), 4),
    ]
    assert played.seats[0].wagers == {"ante": 5 * DOLLAR, "bonus": DOLLAR}
    wagers = {
        "ante": 5 * DOLLAR,
        "bonus": DOLLAR,
        "flop": 10 * DOLLAR,
        "turn": 5 * DOLLAR,
        "river": 5 * DOLLAR,
    }
    assert played.seats[1].wagers == wagers


@pytest.mark.letter("titles.games.holdem_bonus.rules._waits_for_board", "TH.{aquarius,nexus}.8", "TH.link.10")
@pytest.mark.parametrize(("qualify", "cards_on_board"), [(True, 5), (False, 0)])
def test_board_is_dealt_for_folded_hands_only_where_they_may_win(qualify: bool, cards_on_board: int) -> None:
    round_ = table(jackpots={"holdem": "THBP-08"}, folded_hands_qualify=qualify)
    played = GAME.play(round_, shuffled(2), always("fold"))
    assert len(played.cards("board")) == cards_on_board
    assert not settle(played).void


@pytest.mark.parametrize("decide", [GAME.rule_of_thumb, always("bet"), always("fold")])
def test_played_rounds_settle_within_what_the_paytables_allow(decide: Decide) -> None:
    round_ = table(jackpots={"holdem": "QH-11", "five_card": "ML03"})
    for seed in range(150):
        settlement = settle(GAME.play(round_, shuffled(seed), decide))
        for seat in settlement.seats:
            for name, bet in seat.bets.items():
                most = 1001 if name == "bonus" else 2
                assert 0 <= bet.returned <= most * bet.staked
        for jackpot, levels in settlement.meters.items():
            paid = [seat.jackpots[jackpot].sources for seat in settlement.seats]
            for level, change in levels.items():
                assert change.before - change.after == sum(sources.get(level, 0) for sources in paid)
