"""Batch after batch: what is carried from one to the next is what the books hold, whoever else writes."""

from dataclasses import replace

import pytest

from feltwork.money import DOLLAR
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.rounds import BatchResult, book_ends, book_rounds, make_ready, say
from feltwork.site.progressive.round_facts import HandPressed, RoundEnded, RoundStarted
from tests.progressive.room import asked, four_card

_HOUR = 3_600_000_000


@pytest.fixture
def opened(fresh: Connection) -> Connection:
    lifecycle.register_link(fresh, four_card(), by="ann")
    lifecycle.open_link(fresh, "L1", asked())
    return fresh


def batch(*numbers: int, tables: tuple[str, ...] = ("T1", "T2")) -> list[RoundStarted]:
    return [
        RoundStarted(link="L1", at=number, table=table, round=number, wager=DOLLAR, seats=(1, 2, 3))
        for number in numbers
        for table in tables
    ]


def ends(connection: Connection, *rounds: RoundStarted) -> list[RoundEnded]:
    """Each round ends with three of a kind in seat 1."""
    for round_ in rounds:
        pressed = HandPressed(
            link="L1",
            at=round_.at,
            table=round_.table,
            round=round_.round,
            seat=1,
            hand="three_of_a_kind",
            by="dan",
        )
        say(connection, [pressed])
    return [
        RoundEnded(
            link="L1", at=round_.at + 1, table=round_.table, round=round_.round, fixed=15 * DOLLAR, envy=0
        )
        for round_ in rounds
    ]


def same(carried: LinkSnapshot, held: LinkSnapshot) -> bool:
    return (carried.tail, carried.state.balances, carried.state.counters) == (
        held.tail,
        held.state.balances,
        held.state.counters,
    )


@pytest.mark.requirement("WA-05", "GL-12")
def test_what_is_carried_is_what_the_books_hold(opened: Connection) -> None:
    booked: BatchResult | None = None
    for number in range(1, 8):
        rounds = batch(number)
        booked = book_rounds(opened, "L1", rounds, after=booked.after if booked else None)
        assert booked.rounds == 2
        assert same(booked.after, read_link(opened, "L1"))
        after = book_ends(opened, "L1", ends(opened, *rounds))
        assert same(after, read_link(opened, "L1"))
        booked = replace(booked, after=after)
    assert audit(opened).problems == []


@pytest.mark.requirement("GL-12")
def test_what_others_write_meanwhile_is_seen(opened: Connection) -> None:
    first = book_rounds(opened, "L1", batch(1))
    book_rounds(opened, "L1", batch(1, tables=("T3",)))
    late = book_rounds(opened, "L1", batch(2), after=first.after)
    assert late.rounds == 2
    assert same(late.after, read_link(opened, "L1"))
    assert late.after.state.counters["jackpot"].wagers == 5 * 3
    assert audit(opened).problems == []


@pytest.mark.requirement("GL-12")
def test_a_batch_that_is_sent_again_is_booked_once(opened: Connection) -> None:
    first = book_rounds(opened, "L1", batch(1, 2))
    again = book_rounds(opened, "L1", batch(2, 3), after=first.after)
    assert (again.rounds, again.duplicates) == (2, (("T1", 2), ("T2", 2)))
    twice = book_rounds(opened, "L1", [*batch(4), *batch(4)], after=again.after)
    assert (twice.rounds, twice.duplicates) == (2, (("T1", 4), ("T2", 4)))
    assert read_link(opened, "L1").state.counters["jackpot"].wagers == 8 * 3
    assert audit(opened).problems == []


@pytest.mark.requirement("GEN-01", "WA-20")
def test_refused_rounds_are_parked(opened: Connection) -> None:
    wrong = RoundStarted(link="L1", at=1, table="T9", round=1, wager=2 * DOLLAR, seats=(1,))
    first = book_rounds(opened, "L1", batch(1))
    parked = book_rounds(opened, "L1", [*batch(2), wrong], after=first.after)
    assert [refusal.started for refusal in parked.refused] == [wrong]
    lifecycle.stop(opened, "L1", cause="suspended", reason="why", by="ann", at=5)
    late = book_rounds(opened, "L1", batch(9), after=parked.after)
    assert [refusal.problem.requirement for refusal in late.refused] == ["WA-20", "WA-20"]
    lifecycle.resume(opened, "L1", asked())
    resumed = book_rounds(opened, "L1", batch(10), after=late.after)
    assert (resumed.rounds, resumed.refused) == (2, ()), "what is carried may refuse what the books take"
    rows = opened.execute("SELECT table_id, number FROM books.parked ORDER BY 1, 2").fetchall()
    assert rows == [("T1", 9), ("T2", 9), ("T9", 1)]
    assert book_rounds(opened, "L1", [], after=resumed.after).rounds == 0
    assert audit(opened).problems == []


def test_inside_a_larger_transaction_a_batch_is_a_part_of_it(opened: Connection) -> None:
    first = book_rounds(opened, "L1", batch(1))
    book_rounds(opened, "L1", batch(1, tables=("T3",)))
    with opened.transaction(force_rollback=True):
        assert book_rounds(opened, "L1", batch(2), after=first.after).rounds == 2, "it does not fit at first"
    last = book_rounds(opened, "L1", batch(2), after=first.after)
    assert last.rounds == 2
    assert last.after.state.counters["jackpot"].wagers == 5 * 3
    assert audit(opened).problems == []


def test_entries_are_dated_by_the_clock_of_the_database(opened: Connection) -> None:
    first = book_rounds(opened, "L1", batch(1)).after
    moved = replace(first, now=first.now + _HOUR)
    book_rounds(opened, "L1", batch(2), after=moved)
    carried = _last_at(opened)
    assert first.now + _HOUR <= carried < first.now + _HOUR + 60_000_000, "the clock is carried on"
    stale = replace(read_link(opened, "L1"), now=first.now + 2 * _HOUR, read_at=first.read_at - _HOUR)
    book_rounds(opened, "L1", batch(3), after=stale)
    assert _last_at(opened) < first.now + _HOUR, "after a minute it is read again"


def _last_at(connection: Connection) -> int:
    row = connection.execute(
        "SELECT at FROM books.entry WHERE link = 'L1' ORDER BY number DESC LIMIT 1"
    ).fetchone()
    assert row is not None
    return int(row[0])


def bare_ends(*rounds: RoundStarted) -> list[RoundEnded]:
    """Each round ends without a hand."""
    return [
        RoundEnded(link="L1", at=round_.at + 1, table=round_.table, round=round_.round, fixed=0, envy=0)
        for round_ in rounds
    ]


def ended(connection: Connection) -> list[tuple[object, ...]]:
    return connection.execute("SELECT table_id, number, entry FROM books.round_end ORDER BY 1, 2").fetchall()


@pytest.mark.requirement("LT-09", "GL-12")
def test_ends_are_booked_with_their_rounds_under_an_entry_of_their_own(opened: Connection) -> None:
    first = book_rounds(opened, "L1", batch(1))
    before = first.after.tail.number
    both = book_rounds(opened, "L1", batch(2, 3), ends=bare_ends(*batch(2)), after=first.after)
    assert (both.rounds, both.ended) == (4, frozenset({("T1", 2), ("T2", 2)}))
    assert same(both.after, read_link(opened, "L1"))
    assert ended(opened) == [("T1", 2, before + 2), ("T2", 2, before + 2)]
    kinds = opened.execute("SELECT kind FROM books.entry WHERE number > %s ORDER BY number", (before,))
    assert kinds.fetchall() == [("Contributed",), ("PaidFromTray",)]
    again = book_rounds(opened, "L1", batch(3, 4), ends=bare_ends(*batch(3, 4)), after=both.after)
    assert (again.rounds, again.duplicates, set(again.ended)) == (2, (("T1", 3), ("T2", 3)), set())
    book_ends(opened, "L1", bare_ends(*batch(2, 3, 4)))
    assert [row[:2] for row in ended(opened)] == [(table, n) for table in ("T1", "T2") for n in (2, 3, 4)]
    assert audit(opened).problems == []


@pytest.mark.requirement("GL-12")
def test_a_batch_folded_ahead_is_folded_again_when_another_writer_came_first(opened: Connection) -> None:
    first = book_rounds(opened, "L1", batch(1))
    ready = make_ready(first.after, batch(2))
    ahead = make_ready(ready.booked.after, batch(3), ends=bare_ends(*batch(3)))
    second = book_rounds(opened, "L1", batch(2), after=first.after, ready=ready)
    assert second is ready.booked
    book_rounds(opened, "L1", batch(1, tables=("T3",)))
    third = book_rounds(opened, "L1", batch(3), ends=bare_ends(*batch(3)), after=second.after, ready=ahead)
    assert third is not ahead.booked
    assert same(third.after, read_link(opened, "L1"))
    assert (third.rounds, third.ended, ended(opened)) == (2, frozenset(), [])
    late = book_rounds(opened, "L1", batch(4), after=third.after, ready=ahead)
    assert late.rounds == 2, "what was folded for another place in the chain is not used"
    assert late.after.state.counters["jackpot"].wagers == 9 * 3
    assert audit(opened).problems == []
