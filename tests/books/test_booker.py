"""The booker: what it carries from batch to batch is what the books hold, whoever else writes to them."""

from collections.abc import Iterator

import pytest
from psycopg import OperationalError

from feltwork.books import life, links
from feltwork.books.booker import Booker
from feltwork.books.carried import Carried
from feltwork.books.connection import Connection, connect
from feltwork.books.replay import audit
from feltwork.books.rounds import Booked, book_rounds
from feltwork.books.standing import look
from feltwork.money import DOLLAR
from feltwork.progressive.round_facts import RoundStarted
from tests.progressive.room import asked, four_card


@pytest.fixture
def booker(fresh: Connection, server: Carried) -> Iterator[Booker]:
    links.register_link(fresh, four_card(), by="ann")
    life.open_link(fresh, "L1", asked())
    with connect(server.dsn("books_fresh", role="writer")) as connection:
        yield Booker(connection, "L1")


def batch(*numbers: int, tables: tuple[str, ...] = ("T1", "T2")) -> list[RoundStarted]:
    return [
        RoundStarted(link="L1", at=number, table=table, round=number, wager=DOLLAR, seats=(1, 2, 3))
        for number in numbers
        for table in tables
    ]


def book(booker: Booker, rounds: list[RoundStarted]) -> Booked:
    booker.book(rounds)
    return told(booker.settle())


def told(booked: Booked | None) -> Booked:
    assert booked is not None
    return booked


@pytest.mark.requirement("WA-05", "GL-12")
def test_each_answer_is_that_of_the_batch_before(fresh: Connection, booker: Booker) -> None:
    assert booker.settle() is None
    assert booker.book(batch(1)) is None
    first = told(booker.book(batch(2, 3)))
    second = told(booker.settle())
    assert (first.rounds, second.rounds, booker.settle()) == (2, 4, None)
    now = look(fresh, "L1")
    assert (second.tail, second.state.balances) == (now.tail, now.state.balances)
    assert second.tail.number == first.tail.number + 1
    assert audit(fresh).problems == []


@pytest.mark.requirement("GL-12")
def test_what_others_write_meanwhile_is_seen(fresh: Connection, booker: Booker) -> None:
    book(booker, batch(1))
    book_rounds(fresh, "L1", batch(1, tables=("T3",)))
    booker.book(batch(2))
    stale = told(booker.book(batch(3)))  # the batch before did not follow the chain, and neither does this
    last = told(booker.settle())
    assert (stale.rounds, last.rounds) == (2, 2)
    assert last.tail == look(fresh, "L1").tail
    assert last.state.counters["jackpot"].wagers == 7 * 3
    assert audit(fresh).problems == []


@pytest.mark.requirement("GL-12")
def test_a_batch_that_is_sent_again_is_booked_once(fresh: Connection, booker: Booker) -> None:
    booker.book(batch(1, 2))
    booker.book(batch(2, 3))
    again = told(booker.book(batch(4)))
    assert (again.rounds, again.duplicates) == (2, (("T1", 2), ("T2", 2)))
    assert told(booker.settle()).rounds == 2
    assert look(fresh, "L1").state.counters["jackpot"].wagers == 8 * 3
    assert audit(fresh).problems == []


@pytest.mark.requirement("GEN-01", "WA-20")
def test_refused_rounds_are_parked(fresh: Connection, booker: Booker) -> None:
    wrong = RoundStarted(link="L1", at=1, table="T9", round=1, wager=2 * DOLLAR, seats=(1,))
    booker.book([*batch(1), wrong])
    life.stop(fresh, "L1", cause="suspended", reason="why", by="ann", at=5)
    parked = told(booker.book(batch(9)))
    assert [one.started for one in parked.refused] == [wrong]
    assert [one.problem.requirement for one in told(booker.settle()).refused] == ["WA-20", "WA-20"]
    rows = fresh.execute("SELECT table_id, number FROM books.parked ORDER BY 1, 2").fetchall()
    assert rows == [("T1", 9), ("T2", 9), ("T9", 1)]
    assert book(booker, []).rounds == 0
    assert audit(fresh).problems == []


def test_a_lost_connection_loses_no_batch_unseen(fresh: Connection, booker: Booker, server: Carried) -> None:
    book(booker, batch(1))
    with connect(server.dsn("books_fresh")) as superuser:
        pid = booker._connection.info.backend_pid
        superuser.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
    with pytest.raises(OperationalError):
        book(booker, batch(2))
    assert book(Booker(fresh, "L1"), batch(1, 2)).rounds == 2
    assert audit(fresh).problems == []
