"""What a jackpot returns: one number on every surface, and the number that settled rounds give."""

import re

import pytest

from feltwork.money import DOLLAR
from feltwork.odds import strategy
from feltwork.odds.figures import catalog
from feltwork.odds.returns import ALONE, Crowd, returns
from feltwork.odds.title_odds import odds_of
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.what_if import what_if
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.floor import Floor, FloorLink, FloorTable
from feltwork.site.compliance.link_odds import StatedReturn, exactly, percent, stated_returns
from feltwork.site.compliance.posting import posting_sheet
from feltwork.titles import registry
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.title import Decision
from tests.compliance.floors import DAY, example
from tests.figures.simulated_returns import Scenario, interval, play, player_of, scenarios
from tests.sizes import size

FLOORS = ("card_room", "resort")
#: Rounds of each scenario.
ROUNDS = size(600, 20_000)
BY_NAME = {scenario.name: scenario for scenario in scenarios()}


def stated(link: FloorLink, table: FloorTable) -> tuple[StatedReturn, ...]:
    returns = stated_returns(link, table)
    assert isinstance(returns, tuple), returns
    return returns


def fields(link: FloorLink, table: FloorTable, stated_return: StatedReturn, crowd: Crowd) -> dict[str, str]:
    """The workbench's fields for a link of a floor."""
    form = {name: str(value).lower() for name, value in link.options.items()}
    form |= {"wager": f"{link.wager / DOLLAR:.2f}", "game": table.game.name}
    form |= {"side": stated_return.side} if stated_return.side else {}
    form |= {"others": str(crowd.bettors - 1), "players": str(crowd.players)}
    form |= {"decks": str(table.options["decks"])} if table.decks > 1 else {}
    for meter in link.meters:
        form[f"seed.{meter.level}"] = f"{meter.seed / DOLLAR:.2f}"
        form[f"contribution.{meter.level}"] = f"{meter.contribution / 100}%"
        form[f"reserve.{meter.level}"] = f"{meter.reserve / 100}%"
    return form


def crowd_of(stated_return: StatedReturn) -> Crowd:
    numbers = [int(number) for number in re.findall(r"\d+", stated_return.crowd)]
    return Crowd(numbers[-1], numbers[0]) if numbers else ALONE


@pytest.mark.parametrize("name", FLOORS)
def test_check_posting_and_workbench_state_the_same_return(name: str) -> None:
    floor: Floor = example(name)
    text = "\n".join(finding.what for finding in check(floor, on=DAY))
    for link in floor.links:
        table = floor.tables_of(link)[0]
        posted = posting_sheet(floor, table, rulings_of(floor, on=DAY))
        returns = stated(link, table)
        least = min(
            (stated_return for stated_return in returns if crowd_of(stated_return) == ALONE),
            key=lambda stated_return: stated_return.returns.kept,
        )
        assert f"keeps {exactly(least.returns.kept)} of each wager on {link.id}" in text
        for stated_return in returns:
            assert percent(stated_return.returns.total) in posted
            answer = what_if(
                question_from(link.paytable, fields(link, table, stated_return, crowd_of(stated_return)))
            )
            assert answer.bet["hold"].value == stated_return.returns.kept, (
                link.id,
                stated_return.side,
                stated_return.crowd,
            )


def test_the_catalog_states_the_return_of_a_side() -> None:
    floor = example("card_room")
    link = next(link for link in floor.links if link.id == "dragon-1")
    for stated_return in stated(link, floor.tables_of(link)[0]):
        if crowd_of(stated_return) == ALONE:
            figure = f"dragon/3/hold?decks=8&side={stated_return.side}&contribution=0.26&seed=5000"
            assert catalog.figure(figure).value == stated_return.returns.kept


def test_a_bettor_on_one_side_of_dragon_3_keeps_less_than_the_letter_prints() -> None:
    """The letter prints 24.22% for a bet on both sides; a bettor has one."""
    sides = {
        side: catalog.figure(f"dragon/3/hold?decks=8&side={side}&contribution=0.26&seed=5000").value
        for side in ("player", "banker", "either")
    }
    holds = {side: f"{float(hold):.2%}" for side, hold in sides.items()}
    assert holds == {"player": "48.67%", "banker": "49.54%", "either": "24.22%"}


def test_what_is_divided_is_shared_by_everybody_or_by_the_winning_side() -> None:
    """By hand: two bettors, one on each side half of the time; chances p and q of the whole meter."""
    winning = BY_NAME["Dragon, player, winning_side, 3 betting"]
    offered = winning.offer
    p, q = (offered.prices[side].whole_share_probability("jackpot") for side in ("player", "banker"))
    assert p != q
    fixed = offered.prices["player"].fixed_return
    # With two bettors, the other one is on the same side half of the time.
    paid = p + q / 2
    award = (2 * winning.rate + winning.seed * paid) / paid
    assert returns(offered, Crowd(2, 2), side="player").total == fixed + award * (p / 2 + p / 4)
    everybody = BY_NAME["Dragon, player, all_bettors, 3 betting"].offer
    assert returns(everybody, Crowd(2, 2), side="player").total == fixed + award * paid / 2


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("Four card, envy from any_player, 4 of 7 betting", "Four card, envy from bettors, 4 of 7 betting"),
        ("Blazing 7's, seat_order, all 7 betting", "Blazing 7's, split, all 7 betting"),
        ("Blazing 7's, each_in_full, all 7 betting", "Blazing 7's, seat_order, all 7 betting"),
        ("Five card on hold'em, folded hands count", "Five card on hold'em, folded hands do not count"),
    ],
)
def test_house_options_change_the_return(more: str, less: str) -> None:
    assert BY_NAME[more].stated > BY_NAME[less].stated


@pytest.mark.parametrize("scenario", BY_NAME.values(), ids=BY_NAME)
def test_settled_rounds_agree_with_the_stated_return(scenario: Scenario) -> None:
    """1,200 rounds of each, and 20,000 in `just nightly`."""
    values = play(scenario, player_of(scenario), rounds=ROUNDS, seed=4_711)
    mean, within = interval(values)
    assert within > 0
    assert abs(mean - float(scenario.stated)) <= within


@pytest.mark.whole
@pytest.mark.parametrize("game", ["crazy_4", "six_five_four"])
def test_no_hand_that_a_jackpot_pays_is_folded(game: str) -> None:
    """The lowest hands with a prize, against six cards of the dealer: the most that anybody folds to."""
    title = registry.game(game)
    options = {option.name: option.default for option in title.options}
    paytables = {
        bet: registry.paytable(game, bet, registry.library(game).ids_of(bet)[0])
        for bet in title.paytable_bets
    }
    decide = strategy.player(game, paytables, options)
    assert set(odds_of(game).folded) == {"four_card", "five_card"}
    for cards in ("2c 2d 2h 3c 4d", "2c 3d 4h 5c 6d", "2c 3c 4c 5c 7c"):
        decision = Decision(
            seat=1,
            name="play",
            choices=("fold", "1", "3") if game == "crazy_4" else ("fold", "play"),
            cards=parse_cards(cards),
            sees={"dealer": parse_cards("9s")},
            options=options,
        )
        assert decide(decision) != "fold", cards
