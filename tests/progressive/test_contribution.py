"""Contributions: batches, caps, bounds, misdeals."""

import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive import contribution, life_cycle
from feltwork.site.progressive.contribution import fold_rounds, plan_of, ranges
from feltwork.site.progressive.fact_serializer import fingerprint
from feltwork.site.progressive.facts import Contributed
from feltwork.site.progressive.fold import apply
from feltwork.site.progressive.link import verify_link
from feltwork.site.progressive.postings import entry_for
from feltwork.site.progressive.round_facts import RoundStarted
from tests.progressive.room import Room, asked, four_card, level, link_of


def started(table: str, number: int, seats: int = 7, **changes: object) -> RoundStarted:
    fact = RoundStarted(
        link="L1",
        at=1_800_000_100_000_000,
        table=table,
        round=number,
        wager=DOLLAR,
        seats=tuple(range(1, seats + 1)),
    )
    return replace(fact, **changes)  # type: ignore[arg-type]


def batch_of(count: int) -> list[RoundStarted]:
    return [started(f"T{number % 15 + 1}", number // 15 + 1) for number in range(count)]


@pytest.mark.no_cover  # it measures time
@pytest.mark.requirement("WA-05")
def test_a_thousand_rounds_of_seven_wagers_become_one_entry_in_under_20_ms() -> None:
    state, rounds = Room(four_card()).open().state, batch_of(1_000)
    took = []
    for _ in range(7):
        begun = time.perf_counter_ns()
        batch = fold_rounds(state, rounds, at=1)
        assert batch.fact is not None
        entry = entry_for(batch.fact)
        took.append(time.perf_counter_ns() - begun)
        assert batch.refused == ()
        amounts = {posting.account: posting.amount for posting in entry.postings}
        assert amounts["meter/L1/jackpot"] == 7_000 * 24 * CENT
    assert min(took) < 20_000_000


@pytest.mark.requirement("WA-05", "WA-06")
@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(0, 7), max_size=12),
    wager=st.integers(1, 600).map(lambda cents: cents * CENT),
    rates=st.tuples(st.integers(0, 5_000), st.integers(0, 5_000)),
    cut=st.integers(0, 12),
    cap=st.sampled_from([-1, 10_000 * DOLLAR, 10_001 * DOLLAR]),
)
def test_however_rounds_are_batched_the_pools_are_the_same(
    sizes: list[int], wager: int, rates: tuple[int, int], cut: int, cap: int
) -> None:
    """The parts of every wager sum to it, to the last millionth."""
    jackpot_level = replace(level(contribution=rates[0], reserve=rates[1], cap=cap), unreasonable=10**12)
    room = Room(link_of("four_card", "3", [jackpot_level], wager=wager)).open()
    rounds = [started("T1", number, size, wager=wager) for number, size in enumerate(sizes)]
    together = room.state
    for part in (rounds, [], []):
        if part:
            fact = fold_rounds(together, part, at=1).fact
            assert fact is not None
            together = apply(together, fact)
    apart = room.state
    for part in (rounds[:cut], rounds[cut:]):
        fact = fold_rounds(apart, part, at=1).fact
        apart = apply(apart, fact) if fact else apart
    assert apart.balances == together.balances
    total = -apart.balances.get("patrons/L1", 0)
    assert total == sum(sizes) * wager
    grown = apart.meter("jackpot") + apart.reserve("jackpot") - 10_000 * DOLLAR
    assert total == grown + apart.balances.get("retention/L1", 0)


@pytest.mark.requirement("WA-05")
def test_a_contribution_whose_parts_do_not_sum_to_the_wagers_cannot_be_made() -> None:
    fact = fold_rounds(Room(four_card()).open().state, batch_of(3), at=1).fact
    assert fact is not None
    with pytest.raises(ValueError, match="WA-05"):
        replace(fact, to_house=fact.to_house - 1)


@pytest.mark.requirement("WA-09")
def test_growth_stops_at_the_cap_and_the_excess_goes_to_the_reserve() -> None:
    room = Room(four_card()).open()
    cap = 10_000 * DOLLAR + 2 * DOLLAR
    room.book(
        life_cycle.set_cap(room.state, asked(), level="jackpot", cap=cap, rule="at_least", at=room.later())
    )
    room.start("T1")
    room.start("T2")
    assert room.state.meter("jackpot") == cap
    overflow = 14 * 24 * CENT - 2 * DOLLAR
    assert room.state.reserve("jackpot") == 14 * 5 * CENT + overflow
    assert room.state.counters["jackpot"].overflow == overflow
    assert room.state.balances["retention/L1"] == 14 * 71 * CENT, "the house gets its share and no more"
    assert "capped at 10002.00" in life_cycle.cap_notice(room.state, "jackpot")


@pytest.mark.requirement("WA-09", "LT-06")
def test_a_restart_stays_below_the_cap_and_leaves_the_rest_in_the_reserve() -> None:
    room = Room(link_of("four_card", "3", [level(cap=10_001 * DOLLAR)]))
    room.open()
    for _ in range(3):
        room.start("T1")
        room.end("T1")
    room.start("T1")
    before = room.state.reserve("jackpot")
    assert before > DOLLAR
    room.hit("T1", 1, "four_aces")
    assert room.state.meter("jackpot") == 10_001 * DOLLAR
    assert room.state.reserve("jackpot") == before - DOLLAR


@pytest.mark.requirement("GEN-01")
def test_an_unreasonable_contribution_is_refused_and_named() -> None:
    link = link_of("four_card", "3", [replace(level(), unreasonable=2 * DOLLAR)])
    state = Room(link).open().state
    batch = fold_rounds(state, [started("T1", 1, 9), started("T1", 2, 8)], at=1)
    (refused,) = batch.refused
    assert refused.started.round == 1
    assert refused.problem.requirement == "GEN-01"
    assert batch.fact is not None
    assert batch.fact.rounds == {"T1": "2"}


@pytest.mark.requirement("GEN-01")
def test_a_link_whose_bound_refuses_one_wager_does_not_go_live() -> None:
    with pytest.raises(ProblemsError, match="GEN-01"):
        verify_link(link_of("four_card", "3", [replace(level(), unreasonable=23 * CENT)]))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"link": "L2"}, "does not belong to L1"),
        ({"wager": 5 * DOLLAR}, "its wager is 5.00, the link's is 1.00"),
    ],
)
def test_a_round_that_does_not_belong_is_refused(changes: dict[str, object], why: str) -> None:
    batch = fold_rounds(Room(four_card()).open().state, [started("T1", 1, **changes)], at=1)  # type: ignore[arg-type]
    assert batch.fact is None
    assert why in str(batch.refused[0].problem)


def test_a_round_twice_in_a_batch_counts_once() -> None:
    batch = fold_rounds(Room(four_card()).open().state, [started("T1", 1), started("T1", 1)], at=1)
    assert batch.fact is not None
    assert batch.fact.wagers == {"T1": 7}
    assert "twice" in batch.refused[0].problem.what


@pytest.mark.requirement("GEN-03")
def test_a_link_that_is_not_open_takes_nothing() -> None:
    batch = fold_rounds(Room(four_card()).state, [started("T1", 1)], at=1)
    assert batch.fact is None
    assert batch.refused[0].problem.requirement == "GEN-03"


@pytest.mark.requirement("WA-20", "GEN-07")
def test_a_stop_lets_earlier_rounds_in_and_later_ones_not() -> None:
    """A round that was under way when the link stopped is delivered late and still counts, exactly once."""
    room = Room(four_card()).open()
    early = room.start("T1", booked=False)
    room.book(life_cycle.stop(room.state, cause="seized", reason="tax", at=room.later(), by="ann"))
    late = replace(early, round=2, at=room.later())
    batch = fold_rounds(room.state, [early, late], at=room.later())
    assert batch.fact is not None
    assert batch.fact.rounds == {"T1": "1"}
    assert [refused.started.round for refused in batch.refused] == [2]
    assert "stopped (seized)" in batch.refused[0].problem.what


def test_a_misdeal_gives_everything_back_as_one_linked_entry() -> None:
    room = Room(four_card()).open()
    before = room.state.balances
    fact = room.start("T1")
    booked_in = room.tail.number
    room.misdeal("T1")
    assert room.state.balances == before
    last = room.entries[-1].entry
    assert last.kind == "Misdealt"
    assert last.references["reverses"] == str(booked_in)
    assert room.rounds["T1"].phase == "idle"
    with pytest.raises(ProblemsError, match="voided only once"):
        contribution.misdeal(room.state, fact, booked_in=booked_in, at=room.later(), by="sam")
    assert room.state.counters["jackpot"].wagers == 7, "counters do not run backwards"
    assert room.state.counters["jackpot"].returned == 7 * 29 * CENT


@pytest.mark.requirement("LT-02", "LT-04")
def test_a_round_with_a_claim_or_an_award_is_not_void() -> None:
    room = Room(four_card()).open()
    fact = room.start("T1")
    room.press("T1", 1, "four_aces")
    with pytest.raises(ProblemsError, match="claim A1 is open"):
        contribution.verify_misdeal(room.state, fact)
    room.confirm("A1")
    with pytest.raises(ProblemsError, match="award A1 is confirmed"):
        contribution.verify_misdeal(room.state, fact)
    with pytest.raises(ProblemsError, match="LT-04"):
        room.misdeal("T1")


def test_after_an_award_the_house_makes_up_what_the_meter_lacks() -> None:
    link = link_of("four_card", "3", [level(seed=0, reserve=0)])
    room = Room(link).open()
    room.start("T1")
    room.start("T2", [1])
    room.hit("T2", 1, "four_aces")
    assert room.state.meter("jackpot") == 0
    room.misdeal("T1")
    assert room.state.meter("jackpot") == 0
    assert room.state.balances["retention/L1"] == 8 * 76 * CENT - 7 * DOLLAR


def test_at_the_cap_a_misdeal_takes_the_overflow_back() -> None:
    room = Room(link_of("four_card", "3", [level(cap=10_000 * DOLLAR)])).open()
    before = room.state.balances
    room.start("T1")
    room.misdeal("T1")
    assert room.state.balances == before


def test_a_misdeal_takes_back_from_the_reserve_only_what_the_cap_sent_there() -> None:
    """The third of seven wagers reaches the cap; the reserve held something before."""
    cap = 10_000 * DOLLAR + 60 * CENT
    room = Room(link_of("four_card", "3", [level(cap=cap)])).open()
    room.start("T2", [])
    room.correct("T2", 1, wagered=True)
    before = room.state.balances
    room.start("T1")
    room.misdeal("T1")
    assert room.state.balances == before


@pytest.mark.requirement("LT-01", "WA-05")
def test_a_corrected_seat_adds_or_returns_one_wager() -> None:
    room = Room(four_card()).open()
    room.start("T1", [1, 2, 3])
    three = room.state.balances
    room.correct("T1", 3, wagered=False)
    assert room.entries[-1].entry.kind == "WagerReturned"
    assert room.state.meter("jackpot") == 10_000 * DOLLAR + 2 * 24 * CENT
    assert room.state.reserve("jackpot") == 2 * 5 * CENT
    room.correct("T1", 4, wagered=True)
    assert room.entries[-1].entry.kind == "WagerAdded"
    assert room.state.balances == three
    counted = room.state.counters["jackpot"]
    assert (counted.wagers, counted.returned) == (4, 29 * CENT), "counters do not run backwards"
    room.misdeal("T1")
    assert room.state.meter("jackpot") == 10_000 * DOLLAR
    assert "patrons/L1" not in room.state.balances


@pytest.mark.requirement("LT-01", "WA-20", "GEN-01")
def test_a_wager_is_added_where_its_round_would_have_been_booked_with_it() -> None:
    """A round that was under way when the link stopped still takes it, as it would have at the start."""
    room = Room(four_card()).open()
    fact = room.start("T1", [1])
    stop = life_cycle.stop(room.state, cause="suspended", reason="order", at=room.later(), by="ann")
    room.book(stop)
    room.correct("T1", 2, wagered=True)
    late = replace(fact, at=room.later())
    with pytest.raises(ProblemsError, match="started after the link was stopped"):
        contribution.add_wager(room.state, late, seat=7, at=room.later(), by="dana")
    many = replace(fact, seats=tuple(range(1, 1 + plan_of(room.state.link).most_wagers)))
    with pytest.raises(ProblemsError, match="unreasonable"):
        contribution.add_wager(room.state, many, seat=7, at=room.later(), by="dana")


def test_a_round_with_a_claim_keeps_its_wagers() -> None:
    room = Room(four_card()).open()
    started = room.start("T1", [1, 2])
    room.press("T1", 1, "four_aces")
    room.press("T1", 1, "four_aces")
    with pytest.raises(ProblemsError, match="a hand of this round was claimed"):
        contribution.return_wager(room.state, started, seat=2, at=room.later(), by="dana")
    room.misdeal("T1")
    with pytest.raises(ProblemsError, match="already reversed"):
        contribution.return_wager(room.state, started, seat=2, at=room.later(), by="dana")


def test_rounds_are_named_in_ranges() -> None:
    assert ranges([]) == ""
    assert ranges([7]) == "7"
    assert ranges([3, 1, 2, 9, 11, 10]) == "1-3,9-11"


def test_the_plan_is_the_wager() -> None:
    plan = plan_of(link_of("four_card", "3", [level(contribution=2_399, reserve=1)], wager=25 * CENT))
    assert plan.to_meter["jackpot"] + plan.to_reserve["jackpot"] + plan.to_house == 25 * CENT
    assert plan.to_meter["jackpot"] == 59_975
    nothing = plan_of(link_of("four_card", "3", [level(contribution=0, reserve=0)]))
    assert nothing.most_wagers == 1_000


def test_the_entry_names_paytable_version_and_fact() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    references = room.entries[-1].entry.references
    fact = room.facts[-1]
    assert isinstance(fact, Contributed)
    assert references == {
        "fact": fingerprint(fact),
        "paytable": room.state.link.paytable.fingerprint,
        "version": room.state.link.fingerprint,
    }


@pytest.mark.requirement("WA-05")
def test_envy_and_fixed_pays_of_many_rounds_fold_too() -> None:
    room = Room(four_card()).open()
    room.start("T1")
    room.press("T1", 2, "three_of_a_kind")
    room.press("T1", 5, "four_of_a_kind")
    ended = room.end("T1")
    assert (ended.fixed, ended.envy) == (315 * DOLLAR, 6 * 25 * DOLLAR)
    fact = contribution.fold_ends("L1", [ended, replace(ended, table="T2"), replace(ended, round=2)], at=1)
    assert fact.fixed == {"T1": 630 * DOLLAR, "T2": 315 * DOLLAR}
    assert fact.rounds == {"T1": "1-2", "T2": "1"}
    assert room.state.balances["tray/T1"] == -465 * DOLLAR
