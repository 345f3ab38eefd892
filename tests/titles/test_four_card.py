"""The four-card jackpot: what its worked rounds cannot show."""

import random
from dataclasses import replace

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.cards.shoe import Shoe
from feltwork.titles.notation import round_from
from feltwork.titles.settle import settle
from feltwork.titles.settlement import Settlement
from feltwork.titles.title import OptionValue

ACES = {"seat": 1, "cards": "As Ah Ad Ac 2c"}
NOTHING = {"seat": 6, "cards": "Js 9h 7c 6s 2s"}
BASE = {"ante": "10", "super_bonus": "10"}


def written(**jackpot: object) -> dict[str, object]:
    stands = {"jackpot": "four_card", "paytable": "1", "meters": {"jackpot": "25000.01"}}
    return {
        "game": "crazy_4",
        "paytables": {"super_bonus": "C4P-09"},
        "jackpots": [stands | jackpot],
        "dealer": "Kd Tc 8s 4h 3c",
        "seats": [{**seat, "jackpots": ["four_card"], "wagers": BASE} for seat in (ACES, NOTHING)],
    }


def test_the_regular_wager_comes_first() -> None:
    """[C4.aquarius.5, C4.nexus.5]."""
    data = written()
    data["seats"] = [{**ACES, "jackpots": ["four_card"], "wagers": {}}]
    with pytest.raises(ProblemsError, match="seat 1, jackpots: four_card is wagered without the regular"):
        settle(round_from(data))


@pytest.mark.parametrize(
    ("jackpot", "where"),
    [
        ({"paytable": "4"}, "jackpots[0].paytable"),
        ({"meters": {}}, "jackpots[0].meters.jackpot"),
        ({"meters": {"jackpot": "1", "mega": "1"}}, "jackpots[0].meters.mega"),
        ({"reseed": {"mega": "1"}}, "jackpots[0].reseed.mega"),
        ({"wager": "-1"}, "jackpots[0].wager"),
        ({"options": {"envy_from": "dealer"}}, "jackpots[0].options.envy_from"),
    ],
)
def test_a_wrong_jackpot_is_located(jackpot: dict[str, object], where: str) -> None:
    with pytest.raises(ProblemsError) as error:
        round_from(written(**jackpot))
    assert [problem.where for problem in error.value.problems] == [where]


def settle_two_decks(several_winners: OptionValue, reseed: dict[str, str]) -> Settlement:
    """Four aces twice. No one-deck table sees that, but tables on one meter and other jackpots do."""
    data = written(options={"several_winners": several_winners}, reseed=reseed)
    data["seats"] = [
        {"seat": number, "cards": ACES["cards"], "jackpots": ["four_card"], "wagers": BASE}
        for number in (1, 6)
    ]
    round_ = round_from(data)
    return settle(replace(round_, options={**round_.options, "decks": 2}))


@pytest.mark.parametrize(
    ("policy", "reseed", "left", "right", "after"),
    [
        ("seat_order", {}, "0.00", "25000.01", "0.00"),
        ("seat_order", {"jackpot": "5000"}, "5000.00", "25000.01", "5000.00"),
        ("split", {"jackpot": "5000"}, "12500.00", "12500.01", "5000.00"),
        ("each_in_full", {"jackpot": "5000"}, "25000.01", "25000.01", "5000.00"),
    ],
)
def test_two_shares_of_one_meter(
    policy: str, reseed: dict[str, str], left: str, right: str, after: str
) -> None:
    """[C4.nexus.9.c]: the right seat first, unless the house has another policy."""
    settlement = settle_two_decks(policy, reseed)
    awards = [seat.jackpots["four_card"].award for seat in settlement.seats]
    assert [f"{award / DOLLAR:.2f}" for award in awards] == [left, right]
    assert f"{settlement.meters['four_card']['jackpot'].after / DOLLAR:.2f}" == after


def test_random_rounds_leave_the_meter_alone_unless_four_aces_are_dealt() -> None:
    dice = random.Random(9)
    game = registry.game("crazy_4")
    table = round_from(written())
    seats = tuple(
        replace(
            table.seats[0], number=number, cards=(), jackpots=frozenset({"four_card"} if number % 3 else ())
        )
        for number in range(1, 8)
    )
    for _ in range(300):
        shoe = Shoe(dice.sample(DECK, len(DECK)))
        settlement = settle(game.play(replace(table, seats=seats), shoe, game.rule_of_thumb))
        results = [result for seat in settlement.seats for result in seat.jackpots.values()]
        assert len(results) == 5
        assert all(result.award in (0, 9 * DOLLAR, 100 * DOLLAR, 300 * DOLLAR) for result in results)
        meter = settlement.meters["four_card"]["jackpot"]
        assert meter.before == meter.after
