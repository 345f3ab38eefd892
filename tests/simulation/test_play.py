"""The pure floor: the same seed plays the same rounds, and the rules agree with its dealers."""

import random
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.simulation.controller_driver import cards_seen
from feltwork.simulation.dealers import hands_to_name, presses
from feltwork.simulation.floors import room
from feltwork.simulation.simulated_table import DealtRound, SimulatedTable, tables_of
from feltwork.site.compliance.check import check
from feltwork.site.progressive.button_pays import tray_pays, verify_cards
from feltwork.site.progressive.link import Link
from feltwork.titles import registry
from feltwork.titles.meter_pays import in_pay_order
from feltwork.titles.paytables.paytable import Share
from feltwork.titles.settle import settle
from feltwork.titles.transcript import transcript

LANTERN = room()
TABLES = [table.id for table in LANTERN.tables]
HITS = [
    (table.table.id, link.id, level)
    for table in tables_of(LANTERN, seed=0).values()
    for link in table.links.values()
    for level in link.level_names
]


def rounds(table: str, seed: int, count: int) -> list[DealtRound]:
    simulated = SimulatedTable(LANTERN, LANTERN.table_by_id[table], seed=seed)
    return [simulated.next() for _ in range(count)]


def named(dealt: DealtRound, link: str) -> dict[int, str]:
    """What the buttons say once all are pressed: a second press clears."""
    hands: dict[int, str] = {}
    for press in dealt.presses.get(link, ()):
        if hands.get(press.seat) == press.hand:
            del hands[press.seat]
        else:
            hands[press.seat] = press.hand
    return hands


def test_the_room_is_lawful_and_has_every_game_and_every_jackpot() -> None:
    findings = check(LANTERN, on=datetime.now(tz=UTC).date())
    assert [finding for finding in findings if finding.severity != "note"] == []
    assert {table.game.name for table in LANTERN.tables} == {game.name for game in registry.games()}
    assert {link.jackpot.name for link in LANTERN.links} == {jackpot.name for jackpot in registry.jackpots()}


@pytest.mark.parametrize("table", TABLES)
def test_the_same_seed_deals_the_same_rounds(table: str) -> None:
    first, again = (
        [(transcript(deal.round), deal.presses, deal.misdealt) for deal in rounds(table, seed=7, count=30)]
        for _ in range(2)
    )
    other = [
        (transcript(deal.round), deal.presses, deal.misdealt) for deal in rounds(table, seed=8, count=30)
    ]
    assert first == again
    assert first != other


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_every_round_settles_and_balances(table: str, seed: int) -> None:
    """What a meter loses is what seats win from it; every stake is answered for."""
    for dealt in rounds(table, seed, 8):
        settlement = settle(dealt.round)
        assert not settlement.void
        for seat, result in zip(dealt.round.seats, settlement.seats, strict=True):
            assert set(seat.wagers) <= set(result.bets)
            assert set(seat.jackpots) == set(result.jackpots)
        for jackpot, levels in settlement.meters.items():
            won = [seat.jackpots[jackpot] for seat in settlement.seats if jackpot in seat.jackpots]
            for level, change in levels.items():
                reseeded = sum(result.restarts and level in result.sources for result in won)
                total = sum(result.sources.get(level, 0) for result in won)
                seed_amount = next(
                    known.reseed[level] for known in dealt.round.jackpots if known.jackpot.name == jackpot
                )
                assert change.before - total + reseeded * seed_amount == change.after


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_dealer_names_exactly_the_hands_that_the_rules_pay(table: str, seed: int) -> None:
    """Claims, fixed pays and envy off the buttons are those of a settlement off the cards."""
    simulated = SimulatedTable(LANTERN, LANTERN.table_by_id[table], seed=seed)
    for dealt in (simulated.next() for _ in range(8)):
        for link in simulated.links.values():
            _same_as_the_cards(link, dealt)


def _same_as_the_cards(link: Link, dealt: DealtRound) -> None:
    hands = named(dealt, link.id)
    if dealt.misdealt:
        assert hands == {}
        return
    for seat, hand in hands.items():
        verify_cards(link, hand=hand, cards=cards_seen(dealt.round, link, seat, hand))
    won = {
        result.seat: result.jackpots[link.jackpot]
        for result in settle(dealt.round).seats
        if link.jackpot in result.jackpots
    }
    assert {seat: hand for seat, hand in hands.items() if seat in won} == {
        seat: result.hand for seat, result in won.items() if result.hand is not None
    }
    paid = tray_pays(link, hands=hands, bettors=dealt.covered(link.jackpot))
    for seat, result in won.items():
        assert paid[seat].envy == result.envy
        assert paid[seat].fixed == result.sources.get("tray", 0)


@pytest.mark.parametrize(("table", "link", "level"), HITS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_forced_hit_is_really_dealt(table: str, link: str, level: str, seed: int) -> None:
    simulated = SimulatedTable(LANTERN, LANTERN.table_by_id[table], seed=seed)
    simulated.next()
    dealt = simulated.next(force=(link, level))
    known = simulated.links[link]
    _same_as_the_cards(known, dealt)
    levels = {
        row.pays.level
        for seat, hand in named(dealt, link).items()
        if seat in dealt.covered(known.jackpot)
        and (row := known.row(hand)) is not None
        and isinstance(row.pays, Share)
    }
    assert level in levels


def test_wins_slips_and_misdeals_happen_by_themselves() -> None:
    """Enough rounds bring fixed pays, a wrong button that is cleared, and a misdeal."""
    tables = tables_of(LANTERN, seed=11)
    dealt = [tables["C1"].next() for _ in range(1_500)]
    assert sum(bool(named(deal, "five-card")) for deal in dealt) > 30
    assert any(deal.misdealt for deal in dealt)
    sevens = [tables["B1"].next() for _ in range(600)]
    assert sum(len(deal.presses["sevens"]) for deal in sevens) > sum(
        len(named(deal, "sevens")) for deal in sevens
    )


def test_winners_are_named_from_the_right() -> None:
    """Buttons are pressed in the order in which winners are paid."""
    simulated = SimulatedTable(LANTERN, LANTERN.table_by_id["B1"], seed=3)
    several = [hands for _ in range(400) if len(hands := named(simulated.next(), "sevens")) > 1]
    assert len(several) > 10
    assert all(list(hands) == in_pay_order(hands) for hands in several)


def test_a_hand_without_the_wager_is_named_where_it_gives_envy() -> None:
    simulated = SimulatedTable(LANTERN, LANTERN.table_by_id["C1"], seed=0)
    dealt = simulated.next(force=("five-card", "mega")).round
    jackpot = dealt.jackpots[0]
    (winner,) = (seat for seat, hand in hands_to_name(dealt, jackpot).items() if hand == "royal_flush")
    seats = [replace(seat, jackpots=frozenset()) if seat.number == winner else seat for seat in dealt.seats]
    without = replace(dealt, seats=tuple(seats))
    assert hands_to_name(without, jackpot)[winner] == "royal_flush"
    bettors = replace(jackpot, options={**jackpot.options, "envy_from": "bettors"})
    assert winner not in hands_to_name(without, bettors)


def test_a_slip_is_a_button_that_answers() -> None:
    """A seat without the wager can be named for envy alone, so that no other hand is pressed there first."""
    simulated = SimulatedTable(LANTERN, LANTERN.table_by_id["C1"], seed=0)
    (jackpot,) = simulated.next().round.jackpots
    giving_envy = {row.hand for row in jackpot.paytable.rows if row.envy > 0}

    def slips(bettors: tuple[int, ...]) -> set[str]:
        pressed = [
            presses({3: "royal_flush"}, jackpot, bettors, random.Random(seed)) for seed in range(2_000)
        ]
        return {press.hand for round_presses in pressed for press in round_presses} - {"royal_flush"}

    assert slips(bettors=()) <= giving_envy
    assert slips(bettors=(3,)) - giving_envy
