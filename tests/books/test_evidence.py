"""Records beside the journal are chained: who changes, removes or adds one is found out."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from psycopg.types.json import Jsonb

from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.test_tampering import an_evening, edit_lines, verifier
from tests.support.books import new_books

TABLES = ("proposal", "approval", "payout", "audit", "session", "sign_on", "person", "floor", "evidence")


@pytest.fixture(scope="module")
def recorded(server: EmbeddedPostgres) -> str:
    """An evening with a payout record, lines of the audit log, a session, a sign-on and a floor."""
    name = new_books(server, "books_recorded")
    with connect(server.dsn(name, role="writer")) as connection:
        an_evening(connection)
        for number in range(3):
            write_audit(connection, AuditLine(who="ann", place="office", what=f"request {number}"))
        connection.execute(
            "INSERT INTO books.payout (link, award, amount, cards, payee, identity, steps, flags, withheld,"
            " written_by) VALUES ('L1', 'T1:5:4', 1, '', 'Pat Doe', %s, %s, %s, 0, 'cara')",
            (Jsonb(["passport"]), Jsonb([]), Jsonb([])),
        )
        connection.execute(
            "INSERT INTO books.session (token_hash, person, place, ends_at)"
            " VALUES ('t1', 'ann', 'office', now())"
        )
        connection.execute(
            "INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)"
            " VALUES ('s1', 'bob', 'dealer', 'T1', now())"
        )
        connection.execute("UPDATE books.person SET role = 'dealer' WHERE id = 'bob'")
        connection.execute(
            "UPDATE books.session SET active_at = now(), ended_at = now() WHERE person = 'ann'"
        )
        assert audit(connection).problems == []
    return name


@pytest.fixture
def careless(server: EmbeddedPostgres, recorded: str) -> Iterator[Connection]:
    """A superuser on a copy of the books, with triggers out of the way."""
    with connect(server.dsn()) as connection:
        connection.execute("DROP DATABASE IF EXISTS books_evidence WITH (FORCE)")
        connection.execute(f"CREATE DATABASE books_evidence TEMPLATE {recorded}".encode())
    with connect(server.dsn("books_evidence")) as connection:
        for table in (*TABLES, "round", "round_end", "award"):
            connection.execute(f"ALTER TABLE books.{table} DISABLE TRIGGER ALL".encode())
        yield connection


#: What is done to a record, and where the audit finds it.
TAMPERED_RECORDS: dict[str, tuple[str, str]] = {
    "a proposal with another amount": (
        "UPDATE books.proposal SET body = jsonb_set(body, '{change}', '1') WHERE id = 'adjust-J1'",
        "proposal adjust-J1",
    ),
    "an approval by another person": (
        "UPDATE books.approval SET answered_by = 'cid' WHERE proposal = 'adjust-J1'",
        "approval adjust-J1",
    ),
    "a removed approval": ("DELETE FROM books.approval WHERE proposal = 'adjust-J1'", "approval adjust-J1"),
    "another payee": ("UPDATE books.payout SET payee = 'Max Roe'", "payout L1/T1:5:4"),
    "a removed payout record": ("DELETE FROM books.payout", "payout L1/T1:5:4"),
    "a changed line of the audit log": (
        "UPDATE books.audit SET who = 'eve' WHERE what = 'request 1'",
        "audit 2",
    ),
    "a removed line of the audit log": ("DELETE FROM books.audit WHERE what = 'request 1'", "audit 2"),
    "an added line of the audit log": (
        "INSERT INTO books.audit (who, place, what, why) VALUES ('ann', 'x', 'y', 'z')",
        "evidence, audit ",
    ),
    "a session of another person": ("UPDATE books.session SET person = 'bob'", "session t1"),
    "a session said to be with a security key": (
        "UPDATE books.session SET proof = 'security key'",
        "session t1",
    ),
    "a sign-on at another table": ("UPDATE books.sign_on SET table_id = 'T9'", "sign_on s1"),
    "a PIN of another": (
        "UPDATE books.person SET pin_hash = 'known to the owner' WHERE id = 'bob'",
        "person bob",
    ),
    "a role given by hand": ("UPDATE books.person SET role = 'executive' WHERE id = 'bob'", "person bob"),
    "a person added by hand": (
        "INSERT INTO books.person (id, name, role) VALUES ('mal', 'mal', 'executive')",
        "evidence, person mal",
    ),
    "a rewritten digest": ("UPDATE books.evidence SET digest = hash WHERE number = 2", "evidence, record 2"),
    "a removed link of the evidence chain": (
        "DELETE FROM books.evidence WHERE number = 3",
        "evidence, record 3",
    ),
    "a cut end of the evidence chain": (
        "DELETE FROM books.evidence WHERE number = (SELECT max(number) FROM books.evidence)",
        "evidence, record ",
    ),
    "other seats of a round, as many as before": (
        "UPDATE books.round SET seats = '{1,2,3,4,5,6,9}' WHERE table_id = 'T1' AND number = 2",
        "L1, entry 4",
    ),
    "a round at another time": (
        "UPDATE books.round SET started_at = started_at - 1 WHERE table_id = 'T1' AND number = 2",
        "L1, entry 4",
    ),
    "the end of a round at another time": (
        "UPDATE books.round_end SET ended_at = ended_at + 1 WHERE table_id = 'T1' AND number = 1",
        "L1, entry 3",
    ),
}


@pytest.mark.requirement("GL-08", "AM-04")
@pytest.mark.parametrize("how", TAMPERED_RECORDS)
def test_the_audit_names_the_record(careless: Connection, how: str) -> None:
    sql, where = TAMPERED_RECORDS[how]
    assert careless.execute(sql.encode()).rowcount > 0
    places = [problem.where for problem in audit(careless).problems]
    assert any(where in place for place in places), places


@pytest.fixture(scope="module")
def bundle(server: EmbeddedPostgres, recorded: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "all"
    with connect(server.dsn(recorded, role="reader")) as reader:
        export(reader, folder, Period())
    return folder


def change(kind: str, old: str, new: str) -> Callable[[list[Any]], list[Any]]:
    def edit(rows: list[Any]) -> list[Any]:
        row = next(row for row in rows if row["kind"] == kind and old in (row["contents"] or ""))
        row["contents"] = row["contents"].replace(old, new)
        return rows

    return edit


def emptied(kind: str) -> Callable[[list[Any]], list[Any]]:
    def edit(rows: list[Any]) -> list[Any]:
        next(row for row in rows if row["kind"] == kind and row["contents"])["contents"] = None
        return rows

    return edit


def place(rows: list[Any], kind: str) -> int:
    return next(i for i, row in enumerate(rows) if row["kind"] == kind)


def without(rows: list[Any]) -> list[Any]:
    del rows[place(rows, "payout")]
    return rows


def swapped(rows: list[Any]) -> list[Any]:
    return [rows[1], rows[0], *rows[2:]]


#: What is done to the records of a bundle, and the kind of record at which the verifier stops.
TAMPERED_EVIDENCE: dict[str, tuple[Callable[[list[Any]], list[Any]], str]] = {
    "another amount in a proposal": (change("proposal", "-111000000", "-111000001"), "proposal"),
    "another person in an approval": (change("approval", '"bob"', '"cid"'), "approval"),
    "another payee in the bundle": (change("payout", "Pat Doe", "Max Roe"), "payout"),
    "another author in the audit log": (change("audit", '"ann"', '"eve"'), "audit"),
    "another role in the bundle": (change("person", '"dealer"', '"executive"'), "person"),
    "a person without contents": (emptied("person"), "person"),
    "a line of the audit log without contents": (emptied("audit"), "audit"),
    "a payout left out of the bundle": (without, "payout"),
    "the last record left out of the bundle": (lambda rows: rows[:-1], ""),
    "two records exchanged": (swapped, ""),
}


@pytest.mark.requirement("GL-08", "AM-04")
@pytest.mark.parametrize("how", TAMPERED_EVIDENCE)
def test_the_verifier_names_the_record(bundle: Path, tmp_path: Path, how: str) -> None:
    edit, kind = TAMPERED_EVIDENCE[how]
    rows = [json.loads(line) for line in (bundle / "evidence.jsonl").read_text().splitlines()]
    shutil.copytree(bundle, tmp_path / "copy")
    edit_lines(tmp_path / "copy", "evidence.jsonl", edit)
    code, output = verifier(tmp_path / "copy")
    if kind:
        numbers = [row["number"] for row in rows if row["kind"] == kind]
        assert code == 1
        assert any(f"evidence, record {number}: " in output for number in numbers), output
    else:
        assert (code, "evidence, record " in output) == (1, True), output


def test_a_session_that_is_used_and_ended_stays_what_was_chained(
    server: EmbeddedPostgres, recorded: str
) -> None:
    with connect(server.dsn(recorded, role="reader")) as reader:
        result = audit(reader)
    assert (result.problems, result.records > 10) == ([], True)
