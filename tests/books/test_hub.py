"""The hub's books on PostgreSQL: sums in windows, claims, members, and what the database refuses."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from time import sleep

import pytest
from psycopg import OperationalError, errors

from feltwork.books.connection import Connection
from feltwork.books.journal.journal import texts_of, write
from feltwork.books.network.sum_rows import insert_sums
from feltwork.money import DOLLAR
from feltwork.operations.network.hub import HubLink
from feltwork.progressive.facts import Fact
from feltwork.progressive.fold import book
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.sums import summed
from feltwork.progressive.network.terms import NetworkTerms
from tests.books.hub_room import (
    AT_ONCE,
    begin,
    loaded,
    new_link,
    problems_of,
    replays,
    step,
    the_claim,
    the_sum,
)


@pytest.fixture
def link() -> Link:
    return new_link()


def test_a_window_of_sums_is_one_entry(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A", "B", "C"])
    before = loaded(writer, link).tail.number
    for site, wagers in (("A", 10), ("B", 20), ("A", 15), ("X", 99)):
        hub.hear(the_sum(link, site, wagers, wagers))
    snapshot, *reports = hub.tick(writer)
    assert isinstance(snapshot, m.HubSnapshot)
    assert [(report.site, report.booked_entry) for report in reports if isinstance(report, m.BookedDown)] == [
        ("A", 15),
        ("B", 20),
        ("C", 0),
    ]
    assert snapshot.entry == before + 1, "one entry, and none for a site that is no member"
    assert snapshot.meters == {"jackpot": 10_000 * DOLLAR + 35 * 240_000}
    hub.hear(the_sum(link, "A", 10, 10))
    hub.hear(the_sum(link, "B", 20, 20))
    assert hub.tick(writer)[0].entry == before + 1, "late and doubled sums change nothing"
    hub.hear(the_sum(link, "B", 30, 22, returned=2))
    assert hub.tick(writer)[0].entry == before + 2
    assert loaded(writer, link).members["B"].owes == 20 * 290_000
    query = "SELECT max(number) FROM books.checkpoint WHERE link = %s"
    checkpoints = writer.execute(query, (link.id,)).fetchone()
    assert checkpoints == (before,), "sums make no checkpoint"
    replays(writer, link)


def test_other_books_stop_the_site_or_the_hub(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A", "B"])
    hub.hear(the_sum(link, "A", 10, 10))
    hub.tick(writer)
    hub.hear(replace(the_sum(link, "A", 10, 10), hash="f" * 64))
    hub.tick(writer)
    books = loaded(writer, link)
    assert list(books.members["A"].stops) == ["rolled_back"]
    hub.hear(replace(the_sum(link, "B", 1, 1), seen=books.tail.number, seen_hash="f" * 64))
    hub.tick(writer)
    assert "rolled_back" in loaded(writer, link).state.stops
    alarms = writer.execute("SELECT place FROM books.alarm WHERE kind = 'books rolled back' ORDER BY place")
    assert alarms.fetchall() == [(link.id,), (f"{link.id}/A",)]
    replays(writer, link)


def test_an_award_is_granted_confirmed_and_handed_over_once(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A", "B"])
    claim = the_claim(link, the_sum(link, "A", 5, 5), "A:T1:5:1:1")
    (grant,) = hub.receive(writer, claim)
    assert isinstance(grant, m.GrantDown)
    assert grant.amount == 10_000 * DOLLAR + 5 * 240_000, "the winner's own round is in it"
    again = HubLink(link.id, AT_ONCE)
    assert again.receive(writer, claim) == (grant,), "the answer is read from the books"
    confirm = m.ConfirmUp(
        link=link.id,
        site="A",
        award=claim.award,
        grant=grant.entry,
        amount=grant.amount,
        supervisor="sam",
        executive="eve",
    )
    (confirmed,) = hub.receive(writer, confirm)
    assert isinstance(confirmed, m.ConfirmedDown)
    paid = m.PaidUp(link=link.id, site="A", award=claim.award, amount=grant.amount)
    for hub_link in (hub, again):
        (handed_over,) = hub_link.receive(writer, paid)
        assert isinstance(handed_over, m.HandedOverDown)
    assert loaded(writer, link).members["A"].owes == 5 * 290_000 - grant.amount
    replays(writer, link)


def test_claims_that_wait_together_are_granted_in_their_order_with_one_commit(
    writer: Connection, link: Link
) -> None:
    hub = begin(writer, link, ["A", "B"])
    first = the_claim(link, the_sum(link, "B", 3, 3), "B:T1:3:1:1")
    second = the_claim(link, the_sum(link, "A", 5, 5), "A:T1:5:1:1")
    before = writer.execute("SELECT count(DISTINCT xmin::text) FROM books.entry").fetchone()
    answers = hub.receive(writer, first, second, first)
    after = writer.execute("SELECT count(DISTINCT xmin::text) FROM books.entry").fetchone()
    assert before is not None
    assert after == (before[0] + 1,)
    grants = [answer for answer in answers if isinstance(answer, m.GrantDown)]
    assert [grant.award for grant in grants] == [first.award, second.award, first.award]
    assert grants[0] == grants[2]
    assert grants[0].amount == 10_000 * DOLLAR + 3 * 240_000, "the first has the meter"
    assert grants[1].amount == 10_000 * DOLLAR + 3 * 50_000 + 5 * 240_000, "the second, seed and reserve"
    assert HubLink(link.id, AT_ONCE).receive(writer, second) == (grants[1],)
    replays(writer, link)


def test_a_void_before_its_claim_bars_it_also_after_a_restart(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A"])
    void = m.VoidUp(link=link.id, site="A", award="A:T1:5:1:1", reason="misread", by="sam")
    (first,) = hub.receive(writer, void)
    assert isinstance(first, m.VoidedDown)
    claim = the_claim(link, the_sum(link, "A", 5, 5), void.award)
    assert isinstance(HubLink(link.id).receive(writer, claim)[0], m.VoidedDown)
    assert not loaded(writer, link).state.awards
    replays(writer, link)


def test_what_is_loaded_is_what_was_folded(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A", "B"])
    hub.hear(the_sum(link, "B", 7, 7))
    hub.tick(writer)
    hub.receive(writer, the_claim(link, the_sum(link, "A", 5, 5), "A:T1:5:1:1"))
    hub.receive(writer, the_claim(link, the_sum(link, "B", 9, 9), "B:T1:5:1:1"))
    known, read = hub._books, loaded(writer, link)
    assert known is not None
    for name in ("tail", "members", "grants", "barred", "countersigned", "change"):
        assert getattr(known, name) == getattr(read, name), name
    assert known.state.awards == read.state.awards
    assert known.state.counters == read.state.counters


def test_another_process_may_book_in_between(writer: Connection, link: Link) -> None:
    hub, other = begin(writer, link, ["A"]), HubLink(link.id, AT_ONCE)
    entries = []
    for wagers, hub_link in ((1, hub), (2, other), (3, hub), (4, other)):
        hub_link.hear(the_sum(link, "A", wagers, wagers))
        entries.append(hub_link.tick(writer)[0].entry)
    assert all(later == before + 1 for before, later in pairwise(entries))
    replays(writer, link)


@pytest.mark.parametrize(
    "broken",
    [
        {"accrued": {}},
        {"accrued": {"jackpot": -1}},
        {"accrued": {"jackpot": 2**63}},
        {"version": "f" * 64},
        {"hash": "{"},
        {"reserved": {"jackpot": 1, "other": 1}},
    ],
)
def test_an_unreadable_sum_does_not_hold_up_the_others(
    writer: Connection, link: Link, broken: dict[str, object]
) -> None:
    hub = begin(writer, link, ["A", "B"])
    hub.hear(replace(the_sum(link, "A", 5, 5), **broken))  # type: ignore[arg-type]
    hub.hear(the_sum(link, "B", 5, 5))
    hub.tick(writer)
    assert (
        hub.receive(
            writer,
            the_claim(link, replace(the_sum(link, "A", 5, 5), **broken), "A:T1:5:1:1"),  # type: ignore[arg-type]
        )
        == ()
    )
    members = loaded(writer, link).members
    assert (members["A"].sum.entry, members["B"].sum.entry) == (0, 5)


FORGED = {
    "no rows": [],
    "another amount": [("A", 5, 6, 0)],
    "another site": [("B", 5, 5, 0)],
    "not newer": [("A", 0, 5, 0)],
    "one more": [("A", 5, 5, 0), ("B", 5, 0, 0)],
    "the same twice": [("A", 5, 5, 0), ("A", 5, 5, 0)],
    "no member": [("X", 5, 5, 0)],
}


def test_with_shown_an_award_is_no_less_than_the_sign_showed(writer: Connection, link: Link) -> None:
    link = replace(link, network=NetworkTerms(hub="hub", several_sites="shown"))
    hub = begin(writer, link, ["A", "B"])
    hub.hear(the_sum(link, "A", 100, 100))
    snapshot = hub.tick(writer)[0]
    (first,) = hub.receive(writer, the_claim(link, the_sum(link, "A", 101, 100), "A:T1:5:1:1"))
    claim = replace(the_claim(link, the_sum(link, "B", 5, 5), "B:T1:5:1:1"), shown=snapshot.entry)
    (second,) = hub.receive(writer, claim)
    assert isinstance(first, m.GrantDown)
    assert isinstance(second, m.GrantDown)
    assert second.amount == first.amount == 10_000 * DOLLAR + 100 * 240_000
    assert HubLink(link.id).receive(writer, claim) == (second,)
    replays(writer, link)


_COLUMNS = "link, site, entry, hash, version, wagers, counters, number"
TAMPERED = {
    "UPDATE books.member SET passed = passed + 1": "does not match its entries",
    "UPDATE books.member SET entry = entry + 1": "does not match its entries",
    "UPDATE books.sum SET wagers = wagers + 1": "not the total of its sums",
    "UPDATE books.sum SET hash = decode(repeat('f', 64), 'hex')": "not the total of its sums",
    "UPDATE books.sum SET site = 'B'": "not the total of its sums",
    f"INSERT INTO books.sum ({_COLUMNS}) SELECT {_COLUMNS} + 1 FROM books.sum": "did not book them",
    "DELETE FROM books.sum": "not the total of its sums",
}


@pytest.mark.parametrize("statement", TAMPERED)
def test_the_audit_finds_a_changed_member_or_sum(
    writer: Connection, superuser: Connection, link: Link, statement: str
) -> None:
    hub = begin(writer, link, ["A", "B"])
    hub.hear(the_sum(link, "A", 5, 5))
    hub.tick(writer)
    with pytest.raises(errors.RestrictViolation), superuser.transaction():
        superuser.execute(f"DELETE FROM books.sum WHERE link = '{link.id}'".encode())
    replays(writer, link)
    with superuser.transaction():
        superuser.execute("ALTER TABLE books.sum DISABLE TRIGGER no_update_or_delete")
        superuser.execute(f"{statement} WHERE link = '{link.id}'".encode())
        superuser.execute("ALTER TABLE books.sum ENABLE ALWAYS TRIGGER no_update_or_delete")
    (what,) = problems_of(superuser, link)
    assert TAMPERED[statement] in what


@pytest.mark.parametrize("name", FORGED)
def test_the_database_refuses_rows_that_are_not_of_the_entry(
    writer: Connection, link: Link, name: str
) -> None:
    begin(writer, link, ["A", "B"])
    row = the_sum(link, "A", 5, 5)
    books = loaded(writer, link)
    fact = summed(books.state, {"A": books.members["A"].sum}, [row], at=2)
    forged = [the_sum(link, site, entry, wagers, returned=back) for site, entry, wagers, back in FORGED[name]]
    with pytest.raises(errors.CheckViolation):
        write_forged(writer, books, fact, forged)
    step(writer, link, [fact], [row])
    with pytest.raises(errors.CheckViolation, match="does not wait for sums"):
        insert(writer, link, [the_sum(link, "A", 6, 5)])
    replays(writer, link)


def test_the_database_refuses_an_entry_that_takes_another_amount_than_members_grow(
    writer: Connection,
    link: Link,
) -> None:
    begin(writer, link, ["A"])
    row = the_sum(link, "A", 5, 5)
    books = loaded(writer, link)
    fact = summed(books.state, {"A": books.members["A"].sum}, [row], at=2)
    with pytest.raises(errors.CheckViolation, match="out of clearing"):
        write_forged(writer, books, replace(fact, to_meter={"jackpot": 1}), [row])


def write_forged(connection: Connection, books: HubBooks, fact: Fact, rows: Sequence[m.SiteSum]) -> None:
    """Append an entry and any rows, without the checks of the package."""
    with connection.transaction():
        write(connection, texts_of(book(books.state, books.tail, [fact])[1]))
        if rows:
            insert(connection, books.state.link, rows)


def insert(connection: Connection, link: Link, rows: Sequence[m.SiteSum]) -> None:
    insert_sums(connection, link, rows)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE books.member SET passed = 0",
        "INSERT INTO books.sum SELECT * FROM books.sum",
        "DELETE FROM books.member",
        "DELETE FROM books.sum",
        "UPDATE books.sum SET wagers = 0",
    ],
)
def test_the_writer_changes_members_and_sums_through_entries_alone(
    writer: Connection, statement: str
) -> None:
    with pytest.raises(errors.InsufficientPrivilege):
        writer.execute(statement.encode())


def test_a_commit_that_no_standby_confirmed_is_not_answered(
    writer: Connection, superuser: Connection, link: Link
) -> None:
    hub = begin(writer, link, ["A"])
    claim = the_claim(link, the_sum(link, "A", 5, 5), "A:T1:5:1:1")
    cancel = "SELECT pg_cancel_backend(%s) FROM pg_stat_activity WHERE pid = %s AND wait_event = 'SyncRep'"
    pid = writer.info.backend_pid
    superuser.execute("ALTER SYSTEM SET synchronous_standby_names = 'elsewhere'")
    try:
        superuser.execute("SELECT pg_reload_conf()")
        with ThreadPoolExecutor(1) as thread:
            for _ in range(2):
                answer = thread.submit(hub.receive, writer, claim)
                while not answer.done():
                    superuser.execute(cancel, (pid, pid))
                    sleep(0.05)
                with pytest.raises(OperationalError, match="standby"):
                    answer.result()
    finally:
        superuser.execute("ALTER SYSTEM RESET synchronous_standby_names")
        superuser.execute("SELECT pg_reload_conf()")
    assert list(loaded(writer, link).state.awards) == [claim.award], "it is booked here"
    (grant,) = hub.receive(writer, claim)
    assert isinstance(grant, m.GrantDown)
    replays(writer, link)
