"""Many at once: what is lawful is paid, nothing is lost, nothing is booked twice."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier
from typing import Any, TypeVar

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables import controllers
from feltwork.site.books.tables.rounds import book_rounds, last_round, played_round
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom, confirm, due, pay
from tests.progressive.room import asked, four_card, level, link_of

T = TypeVar("T")


@pytest.fixture
def dsn(server: EmbeddedPostgres, database: str) -> str:
    return server.dsn(database, role="writer")


def together(dsn: str, jobs: Iterable[Callable[[Connection], T]]) -> list[T]:
    """Run each job on a connection of its own, all at once."""
    started = list(jobs)
    barrier = Barrier(len(started))

    def run(job: Callable[[Connection], T]) -> T:
        with connect(dsn) as connection:
            barrier.wait()
            return job(connection)

    with ThreadPoolExecutor(len(started)) as pool:
        return list(pool.map(run, started))


def a_round(link: str, table: str, number: int) -> RoundStarted:
    return RoundStarted(
        link=link, at=number, table=table, round=number, wager=DOLLAR, seats=tuple(range(1, 8))
    )


@pytest.mark.requirement("GEN-10", "LT-06", "GL-12", "WA-05")
def test_64_claims_of_the_whole_meter_while_32_writers_book_rounds(dsn: str, writer: Connection) -> None:
    """Each claim takes the meter as it stands when its turn comes; the order is the chain's."""
    link = link_of("five_card", "01", [level(seed=1_000)], name="race", lock_at="claim")
    lifecycle.register_link(writer, link, by="ann")
    lifecycle.open_link(writer, "race", asked())
    winners = [f"W{number}" for number in range(64)]
    for name in winners:
        Table(writer, "race", name).start(covered=[1, 2], players=[1, 2], by="dana")

    def win(table: str) -> Callable[[Connection], int]:
        def job(connection: Connection) -> int:
            at = Table(connection, "race", table)
            at.press(seat=1, hand="royal_flush", by="dana", cards="as dealt")
            award = f"{table}:1:1"
            while read_link(connection, "race").state.awards[award].status == "claimed":
                with suppress(ProblemsError):  # another table has won meanwhile: the amount is another
                    amount = due(connection, "race", award)
                    confirm(connection, "race", award, amount=amount)
            return pay(connection, "race", award)

        return job

    def play(table: str) -> Callable[[Connection], int]:
        def job(connection: Connection) -> int:
            for number in range(1, 11):
                booked = book_rounds(connection, "race", [a_round("race", table, number)])
                assert (booked.rounds, booked.refused) == (1, ())
            return 0

        return job

    jobs = [win(table) for table in winners] + [play(f"P{number}") for number in range(32)]
    paid = sum(together(dsn, jobs))

    state = read_link(writer, "race").state
    wagers = 64 * 2 + 32 * 10 * 7
    grown, reserved = wagers * 24 * CENT, wagers * 5 * CENT
    seeds = state.unrecovered_seed("jackpot")
    assert seeds == (64 + 1) * 1_000 * DOLLAR, "every win took the whole meter and started it again"
    assert paid + state.meter("jackpot") + state.reserve("jackpot") == seeds + grown + reserved
    assert state.counters["jackpot"].hits == 64
    assert all(award.status == "paid" for award in state.awards.values())
    assert audit(writer).problems == []


@pytest.mark.requirement("GL-12")
def test_50_copies_of_one_batch_book_once_without_any_key(dsn: str, writer: Connection) -> None:
    lifecycle.register_link(writer, link_of("four_card", "3", [level()], name="copies"), by="ann")
    lifecycle.open_link(writer, "copies", asked())
    batch = [a_round("copies", f"C{table}", number) for table in range(5) for number in range(1, 5)]
    booked = together(dsn, [lambda connection: book_rounds(connection, "copies", batch)] * 50)
    assert sorted(batch_result.rounds for batch_result in booked) == [0] * 49 + [20]
    assert read_link(writer, "copies").state.counters["jackpot"].wagers == 20 * 7
    assert audit(writer).problems == []


@pytest.mark.requirement("LT-03", "LT-04")
def test_a_claim_confirmed_by_many_at_once_is_confirmed_and_paid_once(dsn: str, writer: Connection) -> None:
    lifecycle.register_link(writer, link_of("four_card", "3", [level()], name="once"), by="ann")
    lifecycle.open_link(writer, "once", asked())
    table = Table(writer, "once", "O1")
    table.start(covered=[1], players=[1], by="dana")
    table.press(seat=1, hand="four_aces", by="dana", cards="as dealt")
    amount = due(writer, "once", "O1:1:1")

    def settle(connection: Connection) -> str:
        try:
            confirm(connection, "once", "O1:1:1", amount=amount)
        except ProblemsError:
            return "refused"
        return "confirmed"

    def pay_once(connection: Connection) -> str:
        try:
            pay(connection, "once", "O1:1:1")
        except ProblemsError:
            return "refused"
        return "paid"

    assert sorted(together(dsn, [settle] * 16)) == ["confirmed"] + ["refused"] * 15
    assert sorted(together(dsn, [pay_once] * 16)) == ["paid"] + ["refused"] * 15
    assert audit(writer).problems == []


@pytest.mark.requirement("GEN-07")
def test_a_round_booked_while_its_table_is_welcomed_is_not_over(
    fresh: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The welcome of a table that lagged closed the round that it had just started."""
    room = BooksRoom(fresh, four_card()).open()
    room.start("T1")
    room.end("T1")
    assert controllers.table_position(fresh, "L1", "T1", on_its_way=1).is_over
    starts = iter([True])

    def first_read(read: Callable[..., T]) -> Callable[..., T]:
        def then_a_round_is_booked(*arguments: Any) -> T:
            result = read(*arguments)
            if arguments[-1] in ("L1", None) and next(starts, False):
                room.start("T1")
            return result

        return then_a_round_is_booked

    monkeypatch.setattr(controllers, "last_round", first_read(last_round))
    monkeypatch.setattr(controllers, "played_round", first_read(played_round))
    assert not controllers.table_position(fresh, "L1", "T1", on_its_way=2).is_over
