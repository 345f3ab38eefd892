"""The life of a link on PostgreSQL: stopped, capped, reconfigured, removed and received, never half."""

from dataclasses import replace

import pytest
from psycopg import errors

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.journal.transaction import decide
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.books.two_person.links import Adjust
from feltwork.site.progressive import house_jackpot as house
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.facts import DAY, Contributed, FundsCounted
from feltwork.site.progressive.round_facts import RoundStarted
from tests.books.room import BooksRoom, adjust
from tests.progressive.room import asked, four_card, house_jackpot, level, link_of


@pytest.fixture
def room(fresh: Connection) -> BooksRoom:
    return BooksRoom(fresh, four_card()).open()


@pytest.mark.requirement("WA-18")
def test_a_count_as_of_an_entry_leaves_out_what_came_later(room: BooksRoom) -> None:
    cutoff = read_link(room.connection, "L1").tail.number
    for _ in range(3):
        room.start("T1")
        room.end("T1")
    then = {"bank_balance": 10_000 * DOLLAR, "entry": cutoff}
    (counted,) = lifecycle.count_funds(room.connection, "L1", **then, by="cid").facts
    assert isinstance(counted, FundsCounted)
    assert (counted.required, counted.entry) == (10_000 * DOLLAR, cutoff)
    last = read_link(room.connection, "L1").tail.number
    with pytest.raises(ProblemsError, match="choose a cutoff that has passed"):
        lifecycle.count_funds(room.connection, "L1", bank_balance=0, entry=last + 1, by="cid")
    now = read_link(room.connection, "L1").state.player_funds
    (again,) = lifecycle.count_funds(room.connection, "L1", bank_balance=now, by="cid").facts
    assert isinstance(again, FundsCounted)
    assert again.accrued == now - 10_000 * DOLLAR > 0
    room.check()


@pytest.mark.requirement("GEN-06", "LT-10", "GEN-19")
def test_a_new_version_waits_for_a_suspended_link_with_idle_tables(room: BooksRoom) -> None:
    new = four_card(executive_above=5 * DOLLAR)
    with pytest.raises(ProblemsError, match="suspend it first"):
        lifecycle.reconfigure(room.connection, new, asked())
    room.start("T1")
    lifecycle.stop(room.connection, "L1", cause="suspended", reason="new version", by="ann")
    with pytest.raises(ProblemsError, match="a round or a claim is open"):
        lifecycle.reconfigure(room.connection, new, asked())
    room.end("T1")
    lifecycle.reconfigure(room.connection, new, asked())
    lifecycle.resume(room.connection, "L1", asked())
    assert read_link(room.connection, "L1").state.link == new
    room.start("T1")
    assert room.rounds["T1"].link == new
    room.check()


@pytest.mark.requirement("WA-22", "GEN-16")
def test_the_money_of_a_removed_link_leaves_whole_and_arrives_once(fresh: Connection) -> None:
    old = BooksRoom(fresh, four_card(), ["T1"]).open()
    new = BooksRoom(fresh, four_card(name="L2"), ["T9"]).open()
    old.start("T1")
    old.end("T1")
    with pytest.raises(ProblemsError, match="is not removed"):
        lifecycle.receive(fresh, "L2", asked(), source="L1", levels={"jackpot": "jackpot"})
    now = read_link(fresh, "L1").now
    lifecycle.plan_removal(
        fresh, "L1", asked("closing"), remove_at=now + 11 * DAY, notice_days=10, target="L2"
    )
    with pytest.raises(ProblemsError, match="the notice period is not over"):
        lifecycle.remove(fresh, "L1", asked())
    held = read_link(fresh, "L1").state.player_funds
    lifecycle.remove(fresh, "L1", asked(), at=now + 12 * DAY)
    assert read_link(fresh, "L1").state.player_funds == 0
    lifecycle.receive(fresh, "L2", asked(), source="L1", levels={"jackpot": "jackpot"})
    assert read_link(fresh, "L2").state.player_funds == 10_000 * DOLLAR + held
    with pytest.raises(errors.UniqueViolation):
        lifecycle.receive(fresh, "L2", asked(), source="L1", levels={"jackpot": "jackpot"})
    new.check()


@pytest.mark.requirement("WA-15")
@pytest.mark.parametrize("amount", [300 * DOLLAR, -300 * DOLLAR])
def test_rounds_booked_between_proposal_and_approval_stay_on_the_meter(room: BooksRoom, amount: int) -> None:
    adjustment = Adjust(
        link="L1",
        adjustment="J1",
        lawful_reason="MALFUNCTION_CORRECTION",
        pool="meter",
        level="jackpot",
        change=amount,
        evidence="paper",
        reason="why",
    )
    proposed_at = room.state.meter("jackpot")
    preview = adjustment.amount_change(room.connection)
    assert (preview.now, preview.result) == (proposed_at, proposed_at + amount)
    for _ in range(3):
        room.start("T1")
        room.end("T1")
    played = room.state.meter("jackpot")
    assert played > proposed_at
    preview = adjustment.amount_change(room.connection)
    assert (preview.now, preview.result) == (played, played + amount), (
        "the approver sees the meter of this moment"
    )
    change = Adjustment(
        id=adjustment.adjustment,
        reason=adjustment.lawful_reason,
        pool=adjustment.pool,
        level=adjustment.level,
        change=adjustment.signed(),
        text=adjustment.reason,
        evidence=adjustment.evidence,
        by="ann",
        approved_by="bob",
    )
    adjust(room.connection, "L1", change)
    assert room.state.meter("jackpot") == played + amount
    room.check()


@pytest.mark.requirement("GEN-11", "LT-01")
def test_a_round_is_dealt_from_one_place_until_a_supervisor_takes_it_over(fresh: Connection) -> None:
    room = BooksRoom(fresh, four_card()).open()
    room.start("T1", booked=False)
    with pytest.raises(ProblemsError, match="is disabled now"):
        room.press("T1", 1, "four_aces")
    first = RoundStarted(link="L1", at=1, table="T1", round=1, wager=DOLLAR, seats=(1,))
    book_rounds(fresh, "L1", [first])
    with pytest.raises(ProblemsError, match="its controller deals this round"):
        room.press("T1", 1, "four_aces")
    with pytest.raises(ProblemsError, match="its controller deals this round"):
        room.start("T1")
    room.tables["T1"].take_over(by="sam")
    with pytest.raises(ProblemsError, match="its sensor was not covered"):
        room.press("T1", 2, "three_of_a_kind")
    controller = Table(fresh, "L1", "T1", driver="controller")
    with pytest.raises(ProblemsError, match="dealt from the screen"):
        controller.name_hand(1, seat=1, hand="four_aces", by="dana")
    assert room.hit("T1", 1, "four_aces")
    room.end("T1")
    assert room.start("T1").round == 2
    room.end("T1")
    book_rounds(fresh, "L1", [replace(first, round=3)])
    controller.name_hand(3, seat=1, hand="four_aces", by="dana")
    assert read_link(fresh, "L1").state.awards["T1:3:1"].status == "claimed"


@pytest.mark.requirement("WA-01")
def test_the_database_keeps_player_money_out_of_a_house_jackpot(fresh: Connection) -> None:
    """Whatever a program books: no pool of a house jackpot is fed, and no progressive posts amounts."""
    with pytest.raises(ProblemsError, match="not in the books"):
        read_link(fresh, "nowhere")
    room = BooksRoom(fresh, house_jackpot()).open()
    progressive = BooksRoom(fresh, link_of("four_card", "3", [level()], name="L9"), ["T3"]).open()
    room.start("T1", (1, 2))
    fed = Contributed(
        digest="",
        link="H1",
        at=room.later(),
        paytable=room.state.link.paytable.fingerprint,
        version=room.state.link.fingerprint,
        wager=DOLLAR,
        rounds={"T2": "1"},
        wagers={"T2": 1},
        to_meter={"jackpot": DOLLAR},
        to_reserve={"jackpot": 0},
        overflow={},
        to_house=0,
    )
    with pytest.raises(errors.CheckViolation, match="a house jackpot has no meter"):
        decide(fresh, "H1", lambda _state, _now: (fed,))
    posted = house.opening_amounts(room.state, asked(), at=room.later())
    moved = [replace(fact, link="L9", before=0) for fact in posted]
    with pytest.raises(errors.CheckViolation, match="only a house jackpot posts amounts"):
        decide(fresh, "L9", lambda _state, _now: moved)
    assert (room.state.meter("jackpot"), progressive.state.amounts) == (500 * DOLLAR, {})
    room.check()
