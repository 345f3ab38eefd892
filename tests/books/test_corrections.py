"""Corrected seats in the books: the money, the round, the audit, the verifier and the reports."""

import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from psycopg.errors import CheckViolation

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.tables.rounds import book_correction
from tests.books.room import BooksRoom, report
from tests.books.test_tampering import edit_lines, rehashed, verifier
from tests.progressive.room import Room, four_card, level, link_of

TODAY = {
    "since": datetime.now(UTC) - timedelta(hours=12),
    "until": datetime.now(UTC) + timedelta(hours=12),
}
TABLES = ("T1", "T2", "T3")


@pytest.mark.requirement("LT-01", "WA-05", "WA-09", "GL-08")
@pytest.mark.parametrize("number", range(3))
def test_corrected_rounds_are_booked_as_rounds_that_were_started_right(
    fresh: Connection, tmp_path: Path, number: int
) -> None:
    """Random histories with corrections in PostgreSQL, beside the right seats at once in memory."""
    dice = random.Random(number)
    cap = [-1, 50 * DOLLAR + 50 * CENT, 53 * DOLLAR][number]
    link = link_of("five_card", "01", [level(seed=50, cap=cap)], executive_above=60 * DOLLAR)
    real, oracle = BooksRoom(fresh, link, TABLES).open(), Room(link, TABLES).open()
    wagers = dict.fromkeys(TABLES, 0)
    awards = corrections = 0
    for _ in range(6):
        for table in TABLES:
            wrong, right = ({seat for seat in range(1, 8) if dice.random() < 0.5} for _ in range(2))
            real.start(table, wrong)
            oracle.start(table, right)
            for seat in sorted(wrong ^ right, key=lambda _: dice.random()):
                real.correct(table, seat, wagered=seat in right)
                corrections += 1
            assert real.rounds[table].seats == tuple(sorted(right))
            wagers[table] += len(right)
        for table in TABLES:
            if (seats := oracle.rounds[table].seats) and dice.random() < 0.4:
                seat = dice.choice(seats)
                awards += real.hit(table, seat, "royal_flush") == oracle.hit(table, seat, "royal_flush")
            for room in (real, oracle):
                room.end(table)
        for name in ("meter", "reserve"):
            assert getattr(real.state, name)("jackpot") == getattr(oracle.state, name)("jackpot")
    assert corrections > 20
    assert awards == len(oracle.state.awards) > 0
    real.check()
    export(fresh, tmp_path / "bundle", Period())
    code, output = verifier(tmp_path / "bundle")
    all_well = "all is well (the signature was not checked)"
    assert (code, output.splitlines()[-1]) == (0, f"{len(real.facts)} entries followed: {all_well}")
    lines = {line["table_id"]: line for line in report(fresh, "daily_lines", **TODAY)}
    for table in TABLES:
        line = lines[table]
        assert (line["rounds"], line["wagers"]) == (6, wagers[table])
        assert line["wagered"] == wagers[table] * DOLLAR
    (funds,) = report(fresh, "reconciliation", **TODAY)
    assert (funds["unexplained"], funds["difference"]) == (0, 0)
    assert funds["contributed"] == sum(wagers.values()) * 29 * CENT


@pytest.fixture
def room(fresh: Connection) -> BooksRoom:
    """A round that was started with seats 1 to 3; seat 3 is out, seat 4 is in."""
    room = BooksRoom(fresh, four_card()).open()
    room.start("T1", [1, 2, 3])
    room.correct("T1", 3, wagered=False)
    room.correct("T1", 4, wagered=True)
    return room


@pytest.mark.requirement("LT-01")
def test_a_corrected_round_is_played_and_paid_with_its_seats(room: BooksRoom) -> None:
    assert room.rounds["T1"].seats == (1, 2, 4)
    with pytest.raises(ProblemsError, match="sensor was not covered"):
        room.press("T1", 3, "three_of_a_kind")
    assert room.hit("T1", 4, "four_aces") > 10_000 * DOLLAR
    with pytest.raises(ProblemsError, match="the cards are out"):
        room.correct("T1", 1, wagered=False)
    assert room.end("T1").envy == 2 * 100 * DOLLAR
    rows = report(room.connection, "dispute", table="T1", round=1)
    assert [row["what"] for row in rows if row["what"].startswith("Wager")] == ["WagerReturned", "WagerAdded"]
    room.check()


@pytest.mark.requirement("GL-08")
def test_the_database_itself_refuses_a_wrong_correction(room: BooksRoom) -> None:
    """Whoever passes the rules by: a seat twice, an ended round."""
    started = room.rounds["T1"].started
    assert started is not None

    def force(seat: int, *, wagered: bool) -> None:
        book_correction(room.connection, started, seat=seat, wagered=wagered, by="mal")

    for seat, wagered in ((3, False), (4, True)):
        with pytest.raises(CheckViolation, match="cannot be corrected"):
            force(seat, wagered=wagered)
    room.end("T1")
    with pytest.raises(CheckViolation, match="cannot be corrected"):
        force(1, wagered=False)
    room.check()


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM books.correction WHERE seat = 4",
        "UPDATE books.correction SET seat = 5 WHERE seat = 4",
        "UPDATE books.correction SET wagered = true WHERE seat = 3",
        "INSERT INTO books.correction VALUES ('L1', 99, 'T1', 1, 1, false)",
    ],
)
def test_the_audit_sees_a_changed_correction(room: BooksRoom, sql: str) -> None:
    room.end("T1")
    connection = room.connection
    connection.execute("SET ROLE NONE")
    connection.execute("ALTER TABLE books.correction DISABLE TRIGGER USER")
    assert connection.execute(sql.encode()).rowcount == 1
    (problem,) = audit(connection).problems
    assert "seat" in problem.what


@pytest.mark.requirement("GL-08")
def test_the_verifier_sees_a_forged_correction(room: BooksRoom, tmp_path: Path) -> None:
    """Another seat, a seat twice, one cent from another pool: in fact, body and all hashes after it."""
    room.end("T1")

    def forged(name: str, number: int, *changes: tuple[str, str]) -> str:
        bundle = tmp_path / name
        export(room.connection, bundle, Period())

        def edit(rows: list[dict[str, str]]) -> list[dict[str, str]]:
            row = rows[number - 1]
            for part in ("fact", "body"):
                for old, new in changes:
                    row[part] = row[part].replace(old, new)
            return rehashed(rows, "L1")

        edit_lines(bundle, "entries.jsonl", edit)
        return verifier(bundle)[1]

    assert "L1, entry 3: seat 4 is locked, or is not" in forged("other", 3, ('"seat":3', '"seat":4'))
    assert "L1, entry 4: seat 2 is locked, or is not" in forged("twice", 4, ('"seat":4', '"seat":2'))
    cent = (("240000", "230000"), ("710000", "720000"))
    assert "L1, entry 4: it adds 230000 to jackpot" in forged("less", 4, *cent)
    assert "L1, entry 3: it takes 280000 from jackpot" in forged("back", 3, *cent)
