"""Makes small books with a little of everything and writes them as SQL: what later releases must migrate.

Usage: python -m tools.keep_books tests/upgrade/books_NNNN.sql

Run it once, at the release that is being left; the tests then bring these books to the newest schema.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from feltwork.books.audit.replay import audit
from feltwork.books.awards import awards
from feltwork.books.connection import Connection, connect
from feltwork.books.links import adjustments, lifecycle
from feltwork.books.links.floors import register_floor
from feltwork.books.migrate import migrate
from feltwork.books.people import people
from feltwork.books.rounds.rounds import book_rounds
from feltwork.money import CENT, DOLLAR
from feltwork.progressive.adjustment import Adjustment
from feltwork.progressive.round_facts import RoundStarted
from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom
from tests.progressive.room import asked, four_card, house_jackpot, level, link_of

FLOOR = Path(__file__).parent.parent / "examples" / "card_room.toml"


def play(connection: Connection) -> None:
    """An evening at two links and a house jackpot, and what people do besides."""
    for name, role in (("ann", "accounting"), ("eve", "executive")):
        person = people.Person(id=name, name=name, role=role)
        people.register_person(connection, person, f"B-{name}", people.Secrets(pin="4711"), by="init")
    register_floor(connection, FLOOR.read_text(encoding="utf-8"), asked("the first floor"))
    room = BooksRoom(connection, four_card(), ["T1", "T2", "T3"]).open()
    _hits(room)
    _changes(room)
    shared = link_of("five_card", "01", [level(seed=500)], name="L2")
    other = BooksRoom(connection, shared, ["T7", "T8"]).open()
    other.start("T7", (1, 2, 3))
    other.press("T7", 2, "flush")
    other.end("T7")
    other.start("T8", (1, 4))
    other.misdeal("T8")
    _house(connection)
    # A round is open and a claim waits when the house stops to upgrade.
    room.start("T1")
    room.press("T1", 3, "four_aces")


def _hits(room: BooksRoom) -> None:
    """Batches of several tables; one award is paid, one comes back."""
    for number in range(1, 6):
        batch = [
            RoundStarted(link="L1", at=number, table=table, round=number, wager=DOLLAR, seats=(1, 2, 3))
            for table in ("B1", "B2", "B3", "B4")
        ]
        book_rounds(room.connection, "L1", batch)
    late = RoundStarted(link="L1", at=9, table="B1", round=8, wager=DOLLAR, seats=(5,))
    book_rounds(room.connection, "L1", [late])
    room.start("T1")
    room.hit("T1", 2, "four_aces")
    room.end("T1")
    room.start("T2")
    award = "A2"
    assert room.press("T2", 4, "four_aces") == award
    room.confirm(award)
    awards.reverse(room.connection, "L1", asked(), award=award, adjustment="R1", evidence="tape")
    room.end("T2")


def _changes(room: BooksRoom) -> None:
    """A correction, a count of the funds, a cap and a new version."""
    after = room.state.meter("jackpot") + 5 * CENT
    correction = Adjustment(
        id="J1",
        reason="MALFUNCTION_CORRECTION",
        pool="meter",
        level="jackpot",
        after=after,
        text="a sensor",
        evidence="paper",
        by="ann",
        approved_by="bob",
    )
    adjustments.adjust(room.connection, "L1", correction)
    lifecycle.count_funds(room.connection, "L1", bank_balance=100_000 * DOLLAR, by="cid")
    lifecycle.stop(room.connection, "L1", cause="suspended", reason="a new version", by="ann")
    lifecycle.reconfigure(room.connection, four_card(executive_above=5_000 * DOLLAR), asked())
    lifecycle.resume(room.connection, "L1", asked())


def _house(connection: Connection) -> None:
    room = BooksRoom(connection, house_jackpot(), ["T9"]).open()
    room.start("T9", (1, 2))
    lifecycle.set_amount(connection, "H1", asked(), level="jackpot", amount=700 * DOLLAR)
    room.hit("T9", 1, "royal_flush")


def main() -> int:
    target = Path(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="feltwork-keep-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        server = EmbeddedPostgres(folder / "books").start()
        try:
            migrate(server.dsn())
            with connect(server.dsn(role="writer")) as connection:
                play(connection)
            with connect(server.dsn()) as connection:
                verdict = audit(connection)
            assert not verdict.problems, verdict.problems
            dump = [
                str(server.binary("pg_dump")),
                "--dbname",
                server.dsn(),
                "--no-comments",
                "--restrict-key=kept",
            ]
            text = subprocess.run(dump, check=True, capture_output=True, text=True).stdout
        finally:
            server.remove()
    target.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{target}: {verdict.entries} entries, {verdict.rounds} rounds\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
