"""PostgreSQL is killed with -9 in the middle of everything, again and again, and nothing is between steps."""

import random
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.migrate import migrate
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import confirm, due, pay, report
from tests.progressive.room import asked, level, link_of
from tests.sizes import size

KILLS = size(4, 20)
WRITERS = 3


@pytest.fixture
def mortal() -> Iterator[EmbeddedPostgres]:
    """A server of its own: the one that the other tests share is left alone."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-kill-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder).start()
    try:
        yield carried
    finally:
        carried.remove()


class Writer(Thread):
    """A table that plays on whatever happens, and sends again what was not acknowledged."""

    def __init__(self, dsn: str, name: str, over: Event) -> None:
        super().__init__()
        self.dsn, self.table, self.over = dsn, name, over
        self.acknowledged = 0
        self.hits = 0
        self.problems: list[str] = []

    def run(self) -> None:
        while not self.over.is_set():
            try:
                with connect(self.dsn) as connection:
                    while not self.over.is_set():
                        self.play(connection)
            except (psycopg.OperationalError, psycopg.InterfaceError):
                time.sleep(0.02)
            except (ProblemsError, psycopg.Error) as error:
                self.problems.append(repr(error))
                return

    def play(self, connection: Connection) -> None:
        """Send a batch until it is acknowledged; every few batches a whole win at a table of its own."""
        first = self.acknowledged + 1
        batch = [
            RoundStarted(link="L1", at=1, table=self.table, round=number, wager=DOLLAR, seats=(1, 2, 3))
            for number in range(first, first + 20)
        ]
        booked = book_rounds(connection, "L1", batch)
        assert booked.rounds + len(booked.duplicates) == 20
        assert booked.rounds in (0, 20), "a batch is booked whole or not at all"
        self.acknowledged += 20
        if self.acknowledged % 100 == 0:
            self.win(connection)

    def win(self, connection: Connection) -> None:
        """Carry on from wherever the last try ended."""
        table = Table(connection, "L1", f"{self.table}.win")
        if table.round().phase == "idle":
            table.start(covered=[1], players=[1, 2], by="dana")
        award = f"{self.table}.win:{table.round().number}:1"
        claim = read_link(connection, "L1").state.awards.get(award)
        if claim is None:
            table.press(seat=1, hand="royal_flush", by="dana", cards="as dealt")
        while claim is None or claim.status == "claimed":
            with suppress(ProblemsError):  # another table's claim is before it, or has changed its amount
                amount = due(connection, "L1", award)
                confirm(connection, "L1", award, amount=amount)
            claim = read_link(connection, "L1").state.awards[award]
        if claim.status != "paid":
            pay(connection, "L1", award)
        table.end()
        self.hits += 1


@pytest.mark.requirement("GEN-09", "WA-05")
@pytest.mark.timeout(280)
def test_after_every_kill_the_state_is_before_or_after_a_step(mortal: EmbeddedPostgres) -> None:
    migrate(mortal.dsn())
    dsn = mortal.dsn(role="writer")
    with connect(dsn) as connection:
        link = link_of("five_card", "01", [level(seed=100)], lock_at="claim")
        lifecycle.register_link(connection, link, by="ann")
        lifecycle.open_link(connection, "L1", asked())
    dice = random.Random(20261115)
    over = Event()
    writers = [Writer(dsn, f"K{number}", over) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    tail = 0
    try:
        for _ in range(KILLS):
            time.sleep(dice.uniform(0.05, 0.6))
            mortal.kill()
            mortal.start()
            with connect(dsn) as connection:
                number = read_link(connection, "L1").tail.number
                assert number >= tail, "what was committed is still there"
                tail = number
    finally:
        over.set()
        for writer in writers:
            writer.join(60)
    assert [problem for writer in writers for problem in writer.problems] == []
    with connect(dsn) as connection:
        assert audit(connection).problems == []
        for writer in writers:
            booked = connection.execute(
                "SELECT booked::text FROM books.booked_rounds WHERE table_id = %s", (writer.table,)
            ).fetchone()
            assert booked is not None
            last = int(booked[0].strip("{}[)").split(",")[1]) - 1
            assert last in (writer.acknowledged, writer.acknowledged + 20), "no gap, nothing lost"
        state = read_link(connection, "L1").state
        paid = sum(award.amount for award in state.awards.values() if award.status == "paid")
        assert state.counters["jackpot"].paid == paid
        assert sum(writer.hits for writer in writers) <= state.counters["jackpot"].hits


@pytest.mark.requirement("GEN-13", "GL-01")
def test_limit_base_and_rate_survive_a_power_cut(mortal: EmbeddedPostgres) -> None:
    migrate(mortal.dsn())
    dsn = mortal.dsn(role="writer")
    with connect(dsn) as connection:
        link = link_of("five_card", "01", [level(seed=100)], lock_at="claim")
        lifecycle.register_link(connection, link, by="ann")
        lifecycle.open_link(connection, "L1", asked())
        lifecycle.set_cap(connection, "L1", asked(), level="jackpot", cap=900 * DOLLAR, rule="at_least")
        batch = [RoundStarted(link="L1", at=1, table="T1", round=1, wager=DOLLAR, seats=(1, 2, 3))]
        book_rounds(connection, "L1", batch)
        (counters,) = report(connection, "counters")
        mortal.kill()
    mortal.start()
    with connect(mortal.dsn(role="reader")) as reader:
        (again,) = report(reader, "counters")
        assert again == counters
        assert (again["seed"], again["cap"], again["contribution_basis_points"]) == (
            100 * DOLLAR,
            900 * DOLLAR,
            2_400,
        )
        assert (again["wagers"], again["current"]) == (3, 100 * DOLLAR + 3 * 240_000)
