"""Books of an earlier release come to the newest schema: nothing that is booked changes, and play goes on."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from feltwork.books import people
from feltwork.books.carried import Carried
from feltwork.books.connection import connect
from feltwork.books.day_audit import audit_period
from feltwork.books.days import period_of
from feltwork.books.export import Period, export
from feltwork.books.migrate import migrate, newest
from feltwork.books.replay import audit
from feltwork.books.rounds import book_rounds
from feltwork.books.self_check import self_check
from feltwork.books.standing import look
from feltwork.books.tables import Table
from feltwork.money import DOLLAR
from feltwork.progressive.round_facts import RoundStarted
from tests.docs.console import ROOT, commands
from tests.progressive.room import EVE, SAM

HERE = Path(__file__).parent
KEPT = sorted(HERE.glob("books_*.sql"))
VERIFIER = HERE.parent.parent / "tools" / "verify_books.py"
_ROLES = ("feltwork_owner", "feltwork_writer", "feltwork_reader")
_JOURNAL = "SELECT link, number, previous, hash, body, fact, booked_at FROM books.entry ORDER BY link, number"
_ROUNDS = "SELECT * FROM books.round ORDER BY table_id, number"
_AUDIT = "SELECT * FROM books.audit ORDER BY id"
_BALANCES = (
    "SELECT link, split_part(account, '/', 1), sum(amount) FROM books.balance GROUP BY 1, 2 ORDER BY 1, 2"
)


@pytest.fixture(scope="module")
def server() -> Iterator[Carried]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-upgrade-"))
    folder.chmod(0o755)
    carried = Carried(folder).start()
    try:
        with psycopg.connect(carried.dsn(), autocommit=True) as connection:
            for role in _ROLES:
                connection.execute(f"CREATE ROLE {role} NOLOGIN".encode())
        yield carried
    finally:
        carried.remove()


@pytest.fixture(params=KEPT, ids=lambda path: path.stem)
def old(server: Carried, request: pytest.FixtureRequest) -> str:
    """The DSN of books as an earlier release left them."""
    name: str = request.param.stem
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name}".encode())
    load = [str(server.binary("psql")), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", server.dsn(name)]
    subprocess.run([*load, "-f", str(request.param)], check=True, capture_output=True)
    return name


def rows(dsn: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(dsn) as connection:
        return connection.execute(query.encode()).fetchall()


def test_there_are_books_of_an_earlier_release() -> None:
    assert KEPT[0].stem == "books_0006"
    assert all(path.stem < f"books_{newest()}" for path in KEPT)


@pytest.mark.requirement("GL-11", "GEN-09")
def test_an_upgrade_changes_nothing_that_is_booked(server: Carried, old: str) -> None:
    dsn = server.dsn(old)
    before = {query: rows(dsn, query) for query in (_JOURNAL, _ROUNDS, _AUDIT, _BALANCES)}
    assert all(before.values())
    assert migrate(dsn) == newest()
    assert {query: rows(dsn, query) for query in before} == before
    with connect(server.dsn(old, role="reader")) as reader:
        verdict = audit(reader)
        assert verdict.problems == []
        assert verdict.entries == len(before[_JOURNAL])
        assert verdict.rounds == len(before[_ROUNDS])


@pytest.mark.requirement("GL-11", "GEN-09", "GEN-03")
def test_play_goes_on_where_it_stopped(server: Carried, old: str, tmp_path: Path) -> None:
    migrate(server.dsn(old))
    with connect(server.dsn(old, role="writer")) as writer:
        known = RoundStarted(link="L1", at=1, table="B1", round=1, wager=DOLLAR, seats=(1, 2, 3))
        fresh = [
            RoundStarted(link="L1", at=20, table=table, round=9, wager=DOLLAR, seats=(1, 2))
            for table in ("B1", "B2", "T9")
        ]
        booked = book_rounds(writer, "L1", [known, *fresh])
        assert (booked.rounds, booked.duplicates) == (3, (("B1", 1),))
        # The claim that waited is confirmed, and its round ends.
        table = Table(writer, "L1", "T1")
        (waiting,) = [
            name for name, award in look(writer, "L1").state.awards.items() if award.status == "claimed"
        ]
        table.confirm(claims=[waiting], badges=(SAM, EVE))
        table.end()
        table.start(covered=[1, 2], players=[1, 2, 3])
        assert people.prove(writer, "B-ann", "4711", place="test").role == "accounting"
        for link in ("L1", "L2", "H1"):
            assert self_check(writer, link) is None
        assert audit(writer).problems == []
        assert audit_period(writer, period_of(writer, "TODAY")).problems == []
        export(writer, tmp_path / "bundle", Period())
    done = subprocess.run(
        [sys.executable, VERIFIER, tmp_path / "bundle"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.requirement("GEN-09")
def test_an_old_entry_that_was_changed_is_still_found(server: Carried, old: str) -> None:
    """One table's wagers are laid on another: the way of the money is lawful, the fact says otherwise."""
    dsn = server.dsn(old)
    migrate(dsn)
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(
            "SELECT number, body FROM books.entry WHERE link = 'L1' AND kind = 'Contributed' ORDER BY number"
        ).fetchone()
        assert row is not None
        number, body = row[0], json.loads(row[1])
        apart = [posting for posting in body["postings"] if posting[0].startswith("patrons/")]
        assert len(apart) == 4
        apart[0][1], apart[1][1] = apart[0][1] * 2, 0
        body["postings"] = [posting for posting in body["postings"] if posting[1]]
        text = json.dumps(body, sort_keys=True, separators=(",", ":"))
        connection.execute("ALTER TABLE books.entry DISABLE TRIGGER USER")
        connection.execute(
            "UPDATE books.entry SET body = %s, hash = encode(sha256(convert_to(%s, 'UTF8')), 'hex')"
            " WHERE link = 'L1' AND number = %s",
            (text, text, number),
        )
    with connect(dsn) as connection_:
        (problem,) = audit(connection_).problems
    assert problem.where == f"L1, entry {number}"
    assert "not what the fact comes to" in problem.what


def test_the_schema_is_the_same_whichever_way_it_came(server: Carried, old: str) -> None:
    """Columns, indexes, functions, triggers and rights of migrated books are those of new ones."""
    migrate(server.dsn(old))
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS new_books")
        connection.execute("CREATE DATABASE new_books")
    migrate(server.dsn("new_books"))
    assert shape(server.dsn(old)) == shape(server.dsn("new_books"))


@pytest.mark.requirement("GL-11")
def test_the_guide_runs(server: Carried, old: str, tmp_path: Path) -> None:
    """The commands of the page, on old books; the ends of the old chains are in the new export."""
    dsn = server.dsn(old)
    ends = rows(dsn, "SELECT link, number, hash FROM books.chain_tail ORDER BY link")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    told = ""
    for command in commands("docs/operating/upgrade.md", "upgrade"):
        if command.startswith("python "):
            command += "".join(f" --tail {link}={number}:{end}" for link, number, end in ends)  # noqa: PLW2901
        done = subprocess.run(
            ["bash", "-c", command.replace("tools/", f"{ROOT}/tools/")],
            env={**os.environ, "PATH": path, "FELTWORK_DSN": dsn},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        told += done.stdout
    assert "all is well" in told
    assert "wrong" not in told


def shape(dsn: str) -> set[tuple[object, ...]]:
    """What the schema is made of, each with the number of the query that told it."""
    queries = (HERE / "shape.sql").read_text(encoding="utf-8").split(";")
    return {(number, *row) for number, query in enumerate(queries) for row in rows(dsn, query)}
