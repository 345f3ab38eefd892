"""Exported data: its sums are the reports', it repeats, it names nobody, and a real store takes it."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import duckdb
import httpx
import pytest

from feltwork.problem import ProblemsError
from feltwork.site.books.audit.data_export import TABLES, ExportedDay, export_data, open_store
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import gambling_day, register_floor
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.data_sums import AMOUNTS, PAGE, ROOT, by_guide, by_report, told
from tests.books.room import BooksRoom
from tests.books.test_tampering import an_evening
from tests.progressive.room import asked, level, link_of
from tests.support.books import new_books

BIN = Path(sys.executable).parent
KEY, SECRET = "feltwork", "a-secret-of-the-test"
DATED = ("entry", "round", "round_end", "table_fact", "correction")


def date_back(owner: Connection, moment: datetime) -> None:
    """From now on rows are dated as if it were that moment."""
    for name in DATED:
        dated = (
            f"ALTER TABLE books.{name} ALTER COLUMN booked_at SET DEFAULT '{moment.isoformat()}'::timestamptz"
        )
        owner.execute(dated.encode())


@dataclass(frozen=True)
class Books:
    """Books with two gambling days behind them, and the first of these."""

    reader: Connection
    dsn: str
    first: date
    since: datetime
    until: datetime


@pytest.fixture(scope="module")
def books(server: EmbeddedPostgres) -> Iterator[Books]:
    """An evening with every kind of fact, and the evening after with corrections and pays from the tray."""
    name = new_books(server, "books_data")
    text = (ROOT / "examples" / "card_room.toml").read_text(encoding="utf-8")
    with connect(server.dsn(name)) as owner, connect(server.dsn(name, role="writer")) as writer:
        register_floor(writer, text, asked())
        hours = gambling_day(writer)
        first = hours.of(datetime.now(UTC)) - timedelta(days=3)
        date_back(owner, hours.bounds(first)[0] + timedelta(hours=12))
        an_evening(writer)
        date_back(owner, hours.bounds(first)[1] + timedelta(hours=12))
        link = link_of("five_card", "01", [level()], name="L9")
        room = BooksRoom(writer, link, ["V1"]).open()
        room.start("V1", (1, 2, 3))
        room.correct("V1", 4, wagered=True)
        room.correct("V1", 1, wagered=False)
        room.press("V1", 2, "full_house")
        room.hit("V1", 3, "royal_flush")
        room.end("V1")
    with connect(server.dsn(name, role="reader")) as reader:
        since, until = hours.bounds(first)[0], hours.bounds(first + timedelta(days=2))[1]
        yield Books(reader, server.dsn(name, role="reader"), first, since, until)


@pytest.fixture(scope="module")
def folder(books: Books, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("exported") / "data"
    written = [*export_data(books.reader, open_store(str(target)), since=books.first)]
    assert [file.day for file in written] == [
        (books.first + timedelta(days=days)).isoformat() for days in range(3)
    ]
    return target


@pytest.mark.parametrize("part", list(AMOUNTS))
def test_the_queries_of_the_guide_are_the_reports(books: Books, folder: Path, part: str) -> None:
    """To the micro, and every amount of the reports is there."""
    expected = by_report(books.reader, part, books.since, books.until)
    assert by_guide(folder, part) == expected
    has_amount = [any(amounts[place] for amounts in expected.values()) for place in range(len(AMOUNTS[part]))]
    assert sum(has_amount) >= len(has_amount) - 1, (
        f"the evenings leave amounts of {part} at nothing: {has_amount}"
    )


def test_meters_are_what_the_journal_comes_to(books: Books, folder: Path) -> None:
    meters = told(folder, "meters")
    assert {(row["day"] - books.first).days for row in meters} == {0, 1, 2}
    assert {row["link"] for row in meters} == {"L1", "L2", "L9"}
    assert all(row["displayed"] == row["from_journal"] for row in meters)
    row = books.reader.execute(
        "SELECT amount FROM books.balance WHERE account = 'meter/L1/jackpot'"
    ).fetchone()
    assert row is not None
    assert meters[-3]["displayed"] == Decimal(row[0]) / 1_000_000
    with duckdb.connect() as engine:
        posted = engine.sql(
            f"SELECT displayed FROM '{folder}/meters/*.parquet' WHERE kind = 'house'"
        ).fetchall()
    assert set(posted) == {(Decimal(700),)}


def test_every_entry_balances_and_rounds_have_hours(folder: Path) -> None:
    assert told(folder, "balance") == []
    assert sum(row["rounds"] for row in told(folder, "hours")) > 5


def test_a_day_that_is_over_gives_the_same_files(books: Books, folder: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    assert len(before) == 3 * 5
    assert [*export_data(books.reader, open_store(str(folder)), since=books.first)] == []
    (again,) = export_data(books.reader, open_store(str(folder)), day=books.first.isoformat())
    assert isinstance(again, ExportedDay)
    assert {path: path.read_bytes() for path in before} == before
    manifest = json.loads((folder / "days" / f"{books.first}.json").read_text(encoding="utf-8"))
    assert manifest["files"][f"rounds/{books.first}.parquet"]["rows"] == again.rows["rounds"] > 0
    # A day whose export was cut off has no manifest, and is written again.
    (folder / "days" / f"{books.first}.json").unlink()
    (folder / "rounds" / f"{books.first}.parquet").write_bytes(b"cut off")
    assert len([*export_data(books.reader, open_store(str(folder)), since=books.first)]) == 1
    assert {path: path.read_bytes() for path in before} == before


def test_a_day_that_is_not_over_is_refused(books: Books, tmp_path: Path) -> None:
    for day in ("TODAY", "ALL"):
        with pytest.raises(ProblemsError, match="this gambling day is not over yet"):
            next(export_data(books.reader, open_store(str(tmp_path)), day=day))


def test_a_target_that_cannot_be_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    for target, remedy in {
        f"{tmp_path}/file/data": "check the address, the permissions",
        "s3:///prefix": "write it like s3://bucket/prefix",
    }.items():
        with pytest.raises(ProblemsError, match=remedy):
            open_store(target)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(ProblemsError, match=r"feltwork\[export\]"):
        open_store(str(tmp_path))


def test_no_file_names_anybody(books: Books, folder: Path) -> None:
    """The people of these evenings are in the journal of the books, and in no exported text."""
    facts = " ".join(fact for (fact,) in books.reader.execute("SELECT fact FROM books.entry"))
    everybody = ("ann", "bob", "cid", "deb", "sam", "eve", "cara", "dana")
    people = [name for name in everybody if f'"{name}"' in facts]
    assert len(people) >= 5
    with duckdb.connect() as engine:
        for table in TABLES:
            rows = engine.sql(f"FROM '{folder}/{table.name}/*.parquet'")
            assert rows.columns == [column.name for column in table.columns]
            assert [str(type_) for type_ in rows.types] == [column.type for column in table.columns]
            texts = {value for row in rows.fetchall() for value in row if isinstance(value, str)}
            assert texts.isdisjoint(people)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings of an S3 server on this machine with one bucket: rclone, which checks signatures."""
    (tmp_path / "buckets" / "books").mkdir(parents=True)
    port = free_port()
    command = [str(BIN / "rclone"), "--config=", "serve", "s3", "--addr", f"127.0.0.1:{port}"]
    server = subprocess.Popen(
        [*command, "--auth-key", f"{KEY},{SECRET}", str(tmp_path / "buckets")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            try:
                httpx.get(f"http://127.0.0.1:{port}/")
                break
            except httpx.TransportError:
                time.sleep(0.05)
        yield {
            "FELTWORK_DATA": "s3://books/year/one",
            "FELTWORK_DATA_ENDPOINT": f"http://127.0.0.1:{port}",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_REGION": "us-east-1",
        }
    finally:
        server.terminate()
        server.wait(10)


def test_a_store_gets_the_same_files(
    books: Books, folder: Path, store: dict[str, str], tmp_path: Path
) -> None:
    """As the nightly unit runs it, with its settings; a wrong key is refused with a remedy."""
    result = nightly(books, store)
    assert result.returncode == 0, result.stderr
    assert result.stdout.count(" bytes\n") == 3
    there = tmp_path / "buckets" / "books" / "year" / "one"
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert sorted(path.relative_to(there) for path in there.rglob("*") if path.is_file()) == files
    assert all((there / file).read_bytes() == (folder / file).read_bytes() for file in files)
    assert "has every gambling day that is over" in nightly(books, store).stdout
    refused = nightly(books, store | {"AWS_SECRET_ACCESS_KEY": "wrong"})
    assert refused.returncode == 2
    assert "check the address, the permissions" in refused.stderr


def nightly(books: Books, settings: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "feltwork", "export", "--data", "--since", books.first.isoformat()],
        env={**os.environ, **settings, "FELTWORK_DSN": books.dsn},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_guide_names_these_queries() -> None:
    """So that every query on the page is one that a test ran."""
    page = (ROOT / PAGE).read_text(encoding="utf-8")
    assert page.count("```sql") == len(
        ["drop_and_hold", "reconciliation", "awards", "meters", "balance", "hours"]
    )
