"""Locks: what leaves a meter comes back to it, to the last millionth."""

from dataclasses import replace
from typing import Any

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.audit.award_rules import AwardRules
from feltwork.site.progressive import accounts
from feltwork.site.progressive.adjustment import Adjustment, adjust
from feltwork.site.progressive.facts import Locked, Released, Voided
from feltwork.site.progressive.fold import apply
from feltwork.site.progressive.meter_locks import released, restart_undone
from feltwork.site.progressive.state import Award
from tests.progressive.room import Room, four_card, level, link_of
from tests.progressive.test_award import take_back

SEED = 10_000 * DOLLAR


def royals(policy: str, lock_at: Any, **changes: Any) -> Room:
    link = link_of("five_card", "01", [level(**changes)], several_winners=policy, lock_at=lock_at)
    room = Room(link).open()
    room.start("T1")
    return room


@pytest.mark.requirement("LT-02", "LT-07", "LT-08")
@pytest.mark.parametrize("policy", ["seat_order", "split", "each_in_full"])
def test_clearing_every_claim_of_a_round_restores_everything(policy: str) -> None:
    room = royals(policy, "claim")
    before = room.state.balances
    for seat in (3, 1, 6):
        room.press("T1", seat, "royal_flush")
    room.press("T1", 4, "straight_flush")
    assert room.state.locks == 1 + 2 + 3 + 4, "each press computes the round again"
    for seat, hand in ((1, "royal_flush"), (4, "straight_flush"), (6, "royal_flush"), (3, "royal_flush")):
        room.press("T1", seat, hand)
    assert room.state.balances == before
    for award in room.state.awards.values():
        assert (award.status, award.amount, award.seed, award.reserve) == ("voided", 0, 0, 0)
        assert (award.from_meter, award.from_house) == (0, 0)
        assert award.locked is award.restarts is False
    assert sum(isinstance(fact, Locked) for fact in room.facts) == sum(
        isinstance(fact, Released) for fact in room.facts
    )


@pytest.mark.requirement("GEN-10", "LT-04")
def test_what_the_house_added_goes_back_to_it() -> None:
    room = royals("each_in_full", "claim")
    names = [room.press("T1", seat, "royal_flush") for seat in (1, 2)]
    meter = SEED + 7 * 24 * CENT
    assert room.state.pending("jackpot") == 2 * meter
    assert room.state.balances["house_pays/L1"] == -meter
    room.confirm(*names)
    assert room.state.awards[names[0]].from_house == meter
    assert room.state.counters["jackpot"].won == 2 * meter
    assert room.state.awards[names[1]].from_meter == meter
    take_back(room, names[0])
    assert accounts.house_pays("L1") not in room.state.balances
    assert room.state.counters["jackpot"].reversed == 2 * meter
    assert (room.state.meter("jackpot"), room.state.reserve("jackpot")) == (meter, 7 * 5 * CENT)


@pytest.mark.requirement("WA-03")
def test_a_restart_gives_back_no_more_than_the_meter_holds() -> None:
    room = Room(four_card()).open()
    room.start("T1", [1])
    room.press("T1", 1, "four_aces")
    award = replace(room.state.awards["A1"], level="jackpot", from_meter=0, seed=SEED, reserve=4_000 * DOLLAR)
    held = room.state.meter("jackpot")
    assert restart_undone(room.state, award) == (held - 4_000 * DOLLAR, 4_000 * DOLLAR)


@pytest.mark.requirement("WA-17")
def test_a_restart_gives_back_no_more_seed_than_is_unrecovered() -> None:
    room = royals("seat_order", "claim", reserve=0)
    award = room.press("T1", 1, "royal_flush")
    assert room.state.unrecovered_seed("jackpot") == 2 * SEED
    for number, after in enumerate((0, SEED)):
        recovery = Adjustment(
            id=f"J{number}",
            reason="HOUSE_ADDITION" if after else "SEED_RECOVERY",
            pool="meter",
            level="jackpot",
            change=after - room.state.meter("jackpot"),
            text="seed",
            evidence="memo",
            by="ann",
            approved_by="bob",
        )
        room.book(adjust(room.state, recovery, at=room.later()))
    assert room.state.unrecovered_seed("jackpot") == SEED
    room.void(award)
    assert room.state.unrecovered_seed("jackpot") == 0
    assert room.state.meter("jackpot") == SEED + 7 * 24 * CENT
    assert room.rounds["T1"].hands == {}


def test_a_claim_behind_a_voided_one_gets_what_was_there_without_it() -> None:
    """Another table stood behind it with the new seed and the reserve; it moves up to the old meter."""
    room = Room(link_of("five_card", "01", [level(contribution=0)], lock_at="claim")).open()
    room.start("T1")
    room.start("T2")
    recovery = Adjustment(
        id="J1",
        reason="SEED_RECOVERY",
        pool="meter",
        level="jackpot",
        change=5 * DOLLAR - room.state.meter("jackpot"),
        text="seed",
        evidence="memo",
        by="ann",
        approved_by="bob",
    )
    room.book(adjust(room.state, recovery, at=room.later()))
    first, second = room.press("T1", 1, "royal_flush"), room.press("T2", 1, "royal_flush")
    assert room.state.awards[first].amount == 5 * DOLLAR
    assert room.state.awards[second].amount == SEED + 70 * CENT
    third = room.press("T2", 2, "straight_flush")
    assert room.state.awards[third].amount == (SEED + 70 * CENT) // 10
    room.press("T2", 2, "straight_flush")
    room.void(first)
    assert room.state.awards[second].amount == 5 * DOLLAR
    assert room.state.reserve("jackpot") == 0
    assert room.state.meter("jackpot") == SEED + 70 * CENT
    room.check()


def test_the_audit_sees_a_claim_voided_while_those_behind_it_keep_their_amounts() -> None:
    room = Room(link_of("five_card", "01", [level()], lock_at="claim")).open()
    room.start("T1")
    room.start("T2")
    first, second = room.press("T1", 1, "royal_flush"), room.press("T2", 1, "royal_flush")
    void = Voided(link=room.state.link.id, at=room.later(), award=first, reason="wrong seat", by="sam")
    alone = apply(room.state, released(room.state, room.state.awards[first], void.at))
    for state in (room.state, alone):
        with pytest.raises(ValueError, match="later claims were not recalculated"):
            AwardRules().verify(state, void)
    both = apply(alone, released(alone, alone.awards[second], void.at))
    AwardRules().verify(both, void)


@pytest.mark.requirement("LT-05")
def test_fixed_pays_come_off_the_lowest_level_and_the_house_adds_what_it_lacks() -> None:
    levels = [level("major", seed=50, contribution=0), level("mega", seed=5_000)]
    link = link_of("five_card", "ML01", levels, fixed_pays_from="meter", lock_at="claim")
    room = Room(link).open()
    room.start("T1")
    first, second = room.press("T1", 7, "flush"), room.press("T1", 2, "full_house")
    award, other = room.state.awards[first], room.state.awards[second]
    assert (award.level, award.from_meter, award.from_house) == ("major", 40 * DOLLAR, 0)
    assert (other.level, other.from_meter, other.from_house) == ("major", 10 * DOLLAR, 40 * DOLLAR)
    assert room.state.meter("mega") == 5_000 * DOLLAR + 7 * 24 * CENT
    assert not award.restarts


@pytest.mark.requirement("WA-09", "LT-06")
def test_what_is_left_on_a_meter_counts_against_its_cap() -> None:
    """The restart leaves the meter room for what other tables add; signs show no more than the cap."""
    cap = 10_003 * DOLLAR
    room = Room(link_of("four_card", "3", [level(reserve=5_000, cap=cap)], lock_at="run")).open()
    room.start("T1")
    reserve = room.state.reserve("jackpot")
    assert reserve == 7 * 50 * CENT
    room.press("T1", 1, "four_aces")
    assert room.state.meter("jackpot") == cap
    assert room.state.reserve("jackpot") == reserve - 3 * DOLLAR
    room.press("T1", 2, "four_aces")
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + reserve - 3 * DOLLAR
    assert room.state.shown("jackpot") == SEED + 7 * 24 * CENT
    room.start("T2", range(1, 8))
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + reserve - 3 * DOLLAR + 7 * 24 * CENT
    assert room.state.shown("jackpot") == cap


@pytest.mark.requirement("LT-06", "LT-07", "WA-09")
def test_each_of_three_winners_in_a_round_gets_the_whole_meter_that_the_one_before_left() -> None:
    """A cap leaves part of the reserve for the next restart, and what it adds is won by the next seat."""
    cap = 10_003 * DOLLAR
    room = Room(link_of("four_card", "3", [level(reserve=5_000, cap=cap)], lock_at="claim")).open()
    room.start("T1")
    room.start("T2")
    before = room.state.reserve("jackpot")
    assert 6 * DOLLAR < before < 9 * DOLLAR  # two restarts up to the cap, and a part of the third
    names = [room.press("T1", seat, "four_aces") for seat in (1, 2, 3)]
    assert [room.state.awards[name].amount for name in names] == [cap, cap, cap]
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + before - 6 * DOLLAR
    assert room.state.reserve("jackpot") == 0


def test_the_tray_of_its_own_table_pays() -> None:
    room = Room(four_card()).open()
    room.start("T2")
    room.press("T2", 2, "three_of_a_kind")
    room.end("T2")
    assert room.state.balances["patrons/L1"] == (15 - 7) * DOLLAR
    assert room.state.balances["tray/T2"] == -15 * DOLLAR


def test_j_pot_pays_several_seats_from_the_right_whatever_was_pressed_first() -> None:
    room = royals("seat_order", "run")
    names = [room.press("T1", seat, "royal_flush") for seat in (2, 6)]
    room.turn_key("T1", "JPH")
    with pytest.raises(ProblemsError, match="are confirmed together"):
        room.confirm(names[0])
    room.confirm(*names)
    assert room.state.shown("jackpot") == SEED + 7 * 24 * CENT
    room.turn_key("T1", "RUN")
    assert room.state.shown("jackpot") == SEED
    assert [room.pay(name) for name in names] == [SEED + 7 * 5 * CENT, SEED + 7 * 24 * CENT]
    assert room.state.meter("jackpot") == SEED
    room.check()


class Counted(dict[str, Award]):
    """Awards that count how often somebody goes through all of them."""

    passes = 0

    def values(self) -> Any:
        self.passes += 1
        return super().values()


def test_a_claim_goes_through_the_awards_as_often_however_many_wait() -> None:
    """2,500 claims at once took minutes: each went through all of them for each of them."""
    names = [f"T{number}" for number in range(31)]
    room = Room(link_of("five_card", "01", [level()], lock_at="claim"), names).open()
    passes = []
    for name in names:
        room.start(name)
        counted = Counted(room.state.awards)
        room.state = replace(room.state, awards=counted)
        room.press(name, 1, "straight_flush")
        passes.append(counted.passes)
    assert 0 < passes[30] == passes[10]
