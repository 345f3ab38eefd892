"""Adjustments: the closed list, its limits, and two people."""

from dataclasses import replace
from typing import Any

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive import life_cycle
from feltwork.site.progressive.adjustment import (
    REASONS,
    Adjustment,
    adjust,
    buy_merchandise,
    verify_adjustment,
)
from feltwork.site.progressive.facts import Adjusted, Opened
from feltwork.site.progressive.postings import LAWFUL, entry_for
from tests.progressive.room import Room, asked, four_card, level, link_of
from tests.progressive.test_award import take_back

SEED = 10_000 * DOLLAR


def ask(reason: str, change: int, pool: str = "meter", **changes: Any) -> Adjustment:
    base = Adjustment(
        id="J1",
        reason=reason,
        pool=pool,  # type: ignore[arg-type]
        level="jackpot",
        change=change,
        text="the sign was wrong",
        evidence="memo 7",
        by="ann",
        approved_by="bob",
    )
    return replace(base, **changes)


def grown() -> Room:
    """A meter of 10,001.68 and a reserve of 0.35."""
    room = Room(four_card()).open()
    room.start("T1")
    return room


def refused(room: Room, request: Adjustment) -> str:
    with pytest.raises(ProblemsError) as raised:
        adjust(room.state, request, at=room.later())
    (problem,) = raised.value.problems
    assert problem.remedy
    return problem.requirement


@pytest.mark.requirement("WA-15", "WA-08", "GEN-05")
def test_an_adjustment_says_who_when_before_after_why_and_with_what_evidence() -> None:
    room = grown()
    fact = adjust(room.state, ask("MALFUNCTION_CORRECTION", -168 * CENT), at=room.later())
    assert (fact.before, fact.after) == (SEED + 168 * CENT, SEED)
    assert (fact.by, fact.approved_by, fact.text, fact.evidence) == (
        "ann",
        "bob",
        "the sign was wrong",
        "memo 7",
    )
    room.book(fact)
    assert room.state.meter("jackpot") == SEED
    assert room.state.balances["correction/L1"] == 168 * CENT
    assert room.entries[-1].entry.kind == "Adjusted.MALFUNCTION_CORRECTION"
    assert refused(room, ask("MALFUNCTION_CORRECTION", 1)) == "WA-15", "an id is used once"


@pytest.mark.requirement("WA-15")
@pytest.mark.parametrize("change", [500 * DOLLAR, -500 * DOLLAR])
@pytest.mark.parametrize("rounds", [0, 1, 9])
def test_rounds_booked_while_an_adjustment_waits_stay_on_the_meter(change: int, rounds: int) -> None:
    alone, room = grown(), grown()
    request = ask("MALFUNCTION_CORRECTION", change)
    for each in (alone, room):
        each.end("T1")
    for _ in range(rounds):
        for each in (alone, room):
            each.start("T1")
            each.end("T1")
    fact = adjust(room.state, request, at=room.later())
    room.book(fact)
    assert (fact.before, fact.after) == (alone.state.meter("jackpot"), alone.state.meter("jackpot") + change)
    assert room.state.meter("jackpot") == alone.state.meter("jackpot") + change


@pytest.mark.requirement("WA-15", "GEN-05")
@pytest.mark.parametrize("reason", ["WIN", "PROMOTION", "", "seed_recovery"])
def test_no_other_reason_is_lawful(reason: str) -> None:
    assert refused(grown(), ask(reason, 1)) == "WA-15"


@pytest.mark.requirement("WA-15", "WA-08", "GEN-19")
@pytest.mark.parametrize(
    ("changes", "requirement"),
    [
        ({"approved_by": "ann"}, "WA-15"),
        ({"approved_by": ""}, "WA-15"),
        ({"by": ""}, "WA-15"),
        ({"text": " "}, "WA-08"),
        ({"evidence": ""}, "WA-08"),
        ({"id": ""}, "WA-08"),
        ({"level": "mega"}, "WA-15"),
        ({"change": -SEED - 168 * CENT - 1}, "WA-15"),
        ({"change": 0}, "WA-15"),
    ],
)
def test_what_an_adjustment_must_have(changes: dict[str, Any], requirement: str) -> None:
    assert refused(grown(), replace(ask("MALFUNCTION_CORRECTION", -168 * CENT), **changes)) == requirement


@pytest.mark.requirement("WA-16")
def test_gross_receipts_come_only_from_the_reserve() -> None:
    room = grown()
    assert refused(room, ask("NON_DISPLAYED_TO_GROSS_RECEIPTS", -1)) == "WA-16"
    assert refused(room, ask("NON_DISPLAYED_TO_GROSS_RECEIPTS", SEED, pool="reserve")) == "WA-16"
    amount = room.state.meter("jackpot")
    room.book(adjust(room.state, ask("NON_DISPLAYED_TO_GROSS_RECEIPTS", -35 * CENT, pool="reserve"), at=1))
    assert room.state.balances["gross_receipts/L1"] == 35 * CENT
    assert room.state.meter("jackpot") == amount


@pytest.mark.requirement("WA-17")
def test_seed_recovery_never_exceeds_the_unrecovered_seed() -> None:
    room = grown()
    assert room.state.unrecovered_seed("jackpot") == SEED
    assert refused(room, ask("SEED_RECOVERY", -SEED - 1)) == "WA-17"
    room.book(adjust(room.state, ask("SEED_RECOVERY", -SEED), at=1))
    assert room.state.unrecovered_seed("jackpot") == 0
    assert room.state.balances.get("seed_advanced/L1/jackpot", 0) == 0
    assert refused(room, ask("SEED_RECOVERY", -168 * CENT, id="J2")) == "WA-17"


@pytest.mark.requirement("WA-17")
def test_the_seed_may_come_back_from_the_reserve() -> None:
    room = grown()
    room.book(adjust(room.state, ask("SEED_RECOVERY", -35 * CENT, pool="reserve"), at=1))
    assert room.state.unrecovered_seed("jackpot") == SEED - 35 * CENT
    assert refused(room, ask("SEED_RECOVERY", DOLLAR, pool="reserve", id="J2")) == "WA-17", "never upwards"


@pytest.mark.requirement("WA-15")
def test_a_cap_correction_ends_at_the_preset_cap() -> None:
    """A reversal may lift the meter above its cap; the correction takes the excess to the reserve."""
    room = Room(link_of("four_card", "3", [level(cap=10_003 * DOLLAR)], lock_at="claim")).open()
    assert refused(Room(four_card()).open(), ask("CAP_CORRECTION", -1)) == "WA-15"
    room.start("T1")
    award = room.press("T1", 1, "four_aces")
    for _ in range(3):
        room.start("T2")
        room.end("T2")
    room.confirm(award)
    take_back(room, award)
    above = room.state.meter("jackpot")
    assert above > 10_003 * DOLLAR
    before = room.state.reserve("jackpot")
    assert refused(room, ask("CAP_CORRECTION", 10_000 * DOLLAR - above)) == "WA-15"
    room.book(adjust(room.state, ask("CAP_CORRECTION", 10_003 * DOLLAR - above), at=1))
    assert room.state.meter("jackpot") == 10_003 * DOLLAR
    assert room.state.reserve("jackpot") == before + above - 10_003 * DOLLAR


@pytest.mark.requirement("GEN-10")
def test_a_claim_on_a_meter_above_its_cap_is_confirmed_for_the_amount_shown() -> None:
    room = Room(link_of("four_card", "3", [level(cap=10_003 * DOLLAR)])).open()
    room.start("T1")
    award = room.press("T1", 1, "four_aces")
    room.confirm(award)
    for _ in range(3):
        room.start("T2")
        room.end("T2")
    take_back(room, award)
    assert room.state.meter("jackpot") > 10_003 * DOLLAR
    again = room.press("T1", 2, "four_aces")
    assert room.due(again) == 10_003 * DOLLAR
    room.confirm(again)
    assert room.pay(again) == 10_003 * DOLLAR


@pytest.mark.requirement("WA-09")
def test_no_adjustment_lifts_a_meter_above_its_cap() -> None:
    room = Room(link_of("four_card", "3", [level(cap=10_001 * DOLLAR)])).open()
    assert refused(room, ask("HOUSE_ADDITION", DOLLAR + 1)) == "WA-09"
    room.book(adjust(room.state, ask("HOUSE_ADDITION", DOLLAR), at=1))
    assert room.state.balances["house_pays/L1"] == -DOLLAR
    assert refused(room, ask("HOUSE_ADDITION", -DOLLAR, id="J2")) == "WA-08", "the house never takes it back"


@pytest.mark.requirement("WA-21")
def test_merchandise_replaces_a_fixed_prize_out_of_the_reserve() -> None:
    room = Room(link_of("four_card", "3", [level(reserve=5_000)])).open()
    for _ in range(5):
        room.start("T1")
        room.end("T1")
    request = ask("MERCHANDISE", -15 * DOLLAR, pool="reserve", evidence="invoice 9")
    assert refused(room, request) == "WA-21"

    def buy(hand: str = "three_of_a_kind", value: int = 15 * DOLLAR, notice: str = "a cap") -> Adjusted:
        goods = replace(request, change=-value)
        return buy_merchandise(room.state, goods, hand=hand, notice=notice, at=room.later())

    for changes in ({"hand": "four_aces"}, {"value": 15 * DOLLAR - 1}, {"notice": ""}):
        with pytest.raises(ProblemsError, match="WA-21"):
            buy(**changes)
    other = replace(request, reason="MALFUNCTION_CORRECTION")
    with pytest.raises(ProblemsError, match="WA-21"):
        buy_merchandise(room.state, other, hand="three_of_a_kind", notice="x", at=1)
    room.book(buy())
    assert room.state.balances["merchandise/L1"] == 15 * DOLLAR
    dear = replace(request, id="J9", change=-99 * DOLLAR)
    with pytest.raises(ProblemsError, match=r"takes \$99\.00, and the reserve holds"):
        buy_merchandise(room.state, dear, hand="three_of_a_kind", notice="x", at=1)


@pytest.mark.requirement("GEN-10")
def test_a_logged_award_is_not_adjusted_away() -> None:
    room = Room(four_card(lock_at="run")).open()
    room.start("T1")
    room.press("T1", 1, "four_aces")
    room.turn_key("T1", "JPH")
    room.confirm("A1")
    amount, shown = room.state.awards["A1"].amount, room.state.shown("jackpot")
    room.book(adjust(room.state, ask("MALFUNCTION_CORRECTION", -168 * CENT), at=room.later()))
    assert room.state.shown("jackpot") == shown - 168 * CENT
    room.turn_key("T1", "RUN")
    assert room.pay("A1") == amount


@pytest.mark.requirement("WA-15")
def test_a_removed_or_planned_link_is_not_adjusted() -> None:
    assert refused(Room(four_card()), ask("HOUSE_ADDITION", 1)) == "WA-15"


@pytest.mark.requirement("WA-06", "WA-15")
def test_the_ways_of_money_are_a_closed_list() -> None:
    """Every reason has its ways; an entry that takes another is refused whatever the command says."""
    assert {f"Adjusted.{reason}" for reason in REASONS} <= set(LAWFUL)
    room = grown()
    fact = adjust(room.state, ask("MALFUNCTION_CORRECTION", -168 * CENT), at=1)
    with pytest.raises(ValueError, match=r"NON_DISPLAYED_TO_GROSS_RECEIPTS may not move money meter>"):
        entry_for(replace(fact, reason="NON_DISPLAYED_TO_GROSS_RECEIPTS"))
    to_house = {
        (kind, way)
        for kind, ways in LAWFUL.items()
        for way in ways
        if way.split(">")[0] in {"meter", "reserve", "pending", "payable"}
        and way.split(">")[1] in {"retention", "tray", "gross_receipts", "house_pays", "seed_advanced"}
    }
    assert to_house == {
        ("Adjusted.NON_DISPLAYED_TO_GROSS_RECEIPTS", "reserve>gross_receipts"),
        ("Adjusted.SEED_RECOVERY", "meter>seed_advanced"),
        ("Adjusted.SEED_RECOVERY", "reserve>seed_advanced"),
        ("Released", "meter>seed_advanced"),
        ("Released", "pending>house_pays"),
        ("Reversed", "meter>seed_advanced"),
        ("Reversed", "payable>house_pays"),
    }


@pytest.mark.requirement("WA-08")
def test_the_opening_amount_and_every_change_but_contributions_are_explained() -> None:
    room = grown()
    room.book(life_cycle.stop(room.state, cause="suspended", reason="drill", at=room.later(), by="ann"))
    assert isinstance(room.facts[0], Opened)
    assert room.facts[0].opening == {"jackpot": SEED}
    with pytest.raises(ProblemsError, match="WA-08"):
        life_cycle.stop(room.state, cause="seized", reason="", at=1, by="ann")
    verify_adjustment(room.state, ask("SEED_RECOVERY", -168 * CENT))
    with pytest.raises(ProblemsError, match="WA-08"):
        life_cycle.resume(room.state, asked(" "), at=1)
