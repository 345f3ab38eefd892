"""Whoever reaches past the triggers is found out: by the audit, and by a verifier that shares no code."""

import ast
import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from feltwork.money import DOLLAR
from feltwork.problem import Problem
from feltwork.site.books.audit.export import export
from feltwork.site.books.audit.replay import audit, audit_period
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import Period
from feltwork.site.books.links import lifecycle
from feltwork.site.books.queries import statement
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.chain import Tail
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.books.room import BooksRoom, adjust, reverse
from tests.progressive.room import asked, four_card, house_jackpot, level, link_of
from tests.support.books import new_books

VERIFIER = Path(__file__).parent.parent.parent / "tools" / "verify_books.py"


def an_evening(connection: Connection) -> None:
    """Every kind of fact on a few links, so that each can be tampered with."""
    room = BooksRoom(connection, four_card()).open()
    for _ in range(4):
        room.start("T1")
        room.end("T1")
    room.start("T1")
    room.hit("T1", 4, "four_aces")
    room.void(room.press("T1", 2, "four_aces"))
    room.end("T1")
    room.start("T2")
    room.misdeal("T2")
    change = Adjustment(
        id="J1",
        reason="MALFUNCTION_CORRECTION",
        pool="meter",
        level="jackpot",
        change=-111 * DOLLAR,
        text="display was wrong",
        evidence="ticket 7",
        by="ann",
        approved_by="bob",
    )
    adjust(connection, "L1", change)
    again = asked(by="cid", approved_by="deb")
    reverse(connection, "L1", again, award="T1:5:4", adjustment="J2", evidence="tape 3")
    lifecycle.count_funds(connection, "L1", bank_balance=1, by="ann")
    lifecycle.count_funds(connection, "L1", bank_balance=10**12, by="ann")
    lifecycle.set_cap(connection, "L1", asked(), level="jackpot", cap=30_000 * DOLLAR, rule="at_least")
    lifecycle.stop(connection, "L1", cause="suspended", reason="new version", by="ann")
    lifecycle.reconfigure(connection, four_card(executive_above=DOLLAR), asked())
    lifecycle.resume(connection, "L1", asked())
    room.start("T2")
    room.end("T2")
    other = BooksRoom(
        connection, link_of("five_card", "01", [level()], name="L2", lock_at="claim"), ["U1"]
    ).open()
    other.start("U1")
    other.press("U1", 1, "royal_flush")
    other.press("U1", 2, "royal_flush")
    posted = BooksRoom(connection, house_jackpot(), ["P1"]).open()
    posted.start("P1", (1, 2))
    lifecycle.set_amount(connection, "H1", asked(), level="jackpot", amount=700 * DOLLAR)
    posted.hit("P1", 1, "royal_flush")
    posted.press("P1", 2, "straight_flush")


def verifier(bundle: Path, *arguments: str) -> tuple[int, str]:
    signed = (bundle / "manifest.json.minisig").exists() or "--key" in arguments
    command = [sys.executable, "-I", str(VERIFIER), str(bundle), *arguments]
    command += [] if signed else ["--no-signature"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def honest(server: EmbeddedPostgres) -> str:
    name = new_books(server, "books_honest")
    with connect(server.dsn(name, role="writer")) as connection:
        an_evening(connection)
    return name


@pytest.fixture
def careless(server: EmbeddedPostgres, honest: str) -> Any:
    """A superuser on a copy of the books, with triggers and the check of the hash out of the way."""
    with connect(server.dsn()) as connection:
        connection.execute("DROP DATABASE IF EXISTS books_tampered WITH (FORCE)")
        connection.execute(f"CREATE DATABASE books_tampered TEMPLATE {honest}".encode())
    with connect(server.dsn("books_tampered")) as connection:
        for table in ("entry", "round", "award", "link_state", "version"):
            connection.execute(f"ALTER TABLE books.{table} DISABLE TRIGGER USER".encode())
        connection.execute("ALTER TABLE books.entry DROP CONSTRAINT body_is_what_was_hashed")
        yield connection


def test_the_verifier_imports_nothing_but_the_standard_library() -> None:
    tree = ast.parse(VERIFIER.read_text(encoding="utf-8"))
    modules = {
        alias.name.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        node.module.partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
    }
    assert modules <= sys.stdlib_module_names


@pytest.mark.requirement("WA-08", "WA-05", "GEN-11")
@pytest.mark.parametrize("name", ["bundle", "bundle.tar"])
def test_honest_books_verify(server: EmbeddedPostgres, honest: str, tmp_path: Path, name: str) -> None:
    with connect(server.dsn(honest, role="reader")) as reader:
        verdict = audit(reader)
        manifest = export(reader, tmp_path / name, Period())
    assert verdict.problems == []
    assert verdict.links == 3
    tails = [
        f"{link}={end['closing']['number']}:{end['closing']['hash']}"
        for link, end in manifest["links"].items()
    ]
    code, output = verifier(tmp_path / name, *(part for tail in tails for part in ("--tail", tail)))
    expected = f"{verdict.entries} entries followed: all is well (the signature was not checked)\n"
    assert (code, output) == (0, expected)


@pytest.mark.requirement("GL-08")
def test_without_a_known_end_the_verifier_says_that_nothing_was_compared(
    server: EmbeddedPostgres, honest: str, tmp_path: Path
) -> None:
    """Attack 9: a shell redirect empties the file of known ends."""
    with connect(server.dsn(honest, role="reader")) as reader:
        links = export(reader, tmp_path / "bundle", Period())["links"]
    code, output = verifier(tmp_path / "bundle")
    assert (code, output.startswith("no end was compared: ")) == (0, True), output
    for text, named in (("", sorted(links)), (f"L1={links['L1']['closing']['number']}:", ["H1", "L2"])):
        (tmp_path / "tails").write_text(text + links["L1"]["closing"]["hash"] if text else "")
        code, output = verifier(tmp_path / "bundle", "--tails", str(tmp_path / "tails"))
        told = [line.partition(":")[0] for line in output.splitlines() if "nothing was compared" in line]
        assert (code, told) == (1, named), output


def test_a_day_verifies_from_its_opening_amounts(
    server: EmbeddedPostgres, honest: str, tmp_path: Path
) -> None:
    with connect(server.dsn(honest)) as reader:
        middle = reader.execute(
            "SELECT booked_at FROM books.entry WHERE link = 'L1' AND number = 9"
        ).fetchone()
        assert middle is not None
        end = datetime.now(UTC) + timedelta(days=1)
        export(reader, tmp_path / "day", Period("a day", middle[0], end))
        export(reader, tmp_path / "before", Period("the day before", until=middle[0]))
    for bundle in ("day", "before"):
        code, output = verifier(tmp_path / bundle)
        assert code == 0, output


TAMPERED_ROWS: dict[str, tuple[str, str, int]] = {
    "a changed amount": (
        "UPDATE books.entry SET body = replace(body, '1680000', '1690000') WHERE link = 'L1' AND number = 4",
        "L1",
        4,
    ),
    "a changed amount with its hash": (
        """UPDATE books.entry SET body = replace(body, '1680000', '1690000'),
           hash = encode(sha256(convert_to(replace(body, '1680000', '1690000'), 'UTF8')), 'hex')
           WHERE link = 'L1' AND number = 4""",
        "L1",
        4,
    ),
    "a deleted row": ("DELETE FROM books.entry WHERE link = 'L1' AND number = 5", "L1", 5),
    "a truncated tail": (
        """DELETE FROM books.entry WHERE link = 'L1'
           AND number = (SELECT max(number) FROM books.entry WHERE link = 'L1')""",
        "L1",
        -1,
    ),
    "a re-dated row": ("UPDATE books.entry SET at = at + 1 WHERE link = 'L1' AND number = 6", "L1", 6),
    "another fact": (
        "UPDATE books.entry SET fact = replace(fact, 'T1', 'T2') WHERE link = 'L1' AND number = 7",
        "L1",
        7,
    ),
    "reordered rows": (
        "UPDATE books.entry SET number = 17 - number WHERE link = 'L1' AND number IN (8, 9)",
        "L1",
        8,
    ),
    "a seat more in a round": (
        "UPDATE books.round SET seats = seats || 8::smallint WHERE table_id = 'T1' AND number = 2",
        "L1",
        4,
    ),
    "a round gone": ("DELETE FROM books.round WHERE table_id = 'T1' AND number = 1", "L1", 2),
    "a meter set by hand": (
        "UPDATE books.balance SET amount = amount + 1 WHERE account = 'meter/L2/jackpot'",
        "L2",
        -1,
    ),
    "an award raised by hand": (
        "UPDATE books.award SET from_meter = from_meter + 10000 WHERE link = 'L1' AND id = 'T1:5:4'",
        "L1",
        -1,
    ),
    "a counter set back": (
        """UPDATE books.link_state SET state = jsonb_set(state, '{counters,jackpot,hits}', '0')
           WHERE link = 'L1'""",
        "L1",
        -1,
    ),
    "a swapped paytable": (
        'UPDATE books.version SET body = replace(body, \'"id":"3"\', \'"id":"1"\') WHERE link = \'L1\'',
        "L1",
        1,
    ),
}


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("how", TAMPERED_ROWS)
def test_the_audit_names_the_first_bad_entry(careless: Connection, how: str) -> None:
    sql, link, number = TAMPERED_ROWS[how]
    last = careless.execute("SELECT number FROM books.chain_tail WHERE link = %s", (link,)).fetchone()
    assert last is not None
    assert careless.execute(sql.encode()).rowcount > 0
    (problem,) = audit(careless).problems
    cut = how == "a truncated tail"
    bad_entry = number if number > 0 else last[0] + (0 if cut else 1)
    assert problem.where == f"{link}, entry {bad_entry}", problem


def edit_lines(
    bundle: Path, name: str, edit: Callable[[list[Any]], list[Any]], *, forge: bool = True
) -> None:
    """Change a file of a bundle, and forge the manifest so that only the content can tell."""
    path = bundle / name
    rows = edit([json.loads(line) for line in path.read_text().splitlines()])
    path.write_text("".join(json.dumps(row, sort_keys=True, separators=(",", ":")) + "\n" for row in rows))
    if forge:
        manifest = json.loads((bundle / "manifest.json").read_text())
        manifest["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
        (bundle / "manifest.json").write_text(json.dumps(manifest))


def rehashed(rows: list[Any], link: str) -> list[Any]:
    """Make a link's chain hold again after a change: a forger with all the time in the world."""
    previous = "0" * 64
    for row in rows:
        if row["link"] != link:
            continue
        body = {**json.loads(row["body"]), "previous": previous}
        body["references"]["fact"] = hashlib.sha256(row["fact"].encode()).hexdigest()
        row["body"] = json.dumps(body, sort_keys=True, separators=(",", ":"))
        row["previous"], row["number"] = previous, body["number"]
        row["hash"] = previous = hashlib.sha256(row["body"].encode()).hexdigest()
    return rows


def at(rows: list[Any], number: int) -> int:
    return next(i for i, row in enumerate(rows) if (row["link"], row["number"]) == ("L1", number))


def changed(rows: list[Any]) -> list[Any]:
    rows[at(rows, 4)]["body"] = rows[at(rows, 4)]["body"].replace("1680000", "1690000")
    return rows


def forged(rows: list[Any]) -> list[Any]:
    """One cent more to the meter and less to the house, in fact, body and all hashes after it."""
    row = rows[at(rows, 4)]
    for old, new in ((":1680000", ":1690000"), (",1680000]", ",1690000]"), ("4970000", "4960000")):
        row["body"], row["fact"] = row["body"].replace(old, new), row["fact"].replace(old, new)
    return rehashed(rows, "L1")


def deleted(rows: list[Any]) -> list[Any]:
    del rows[at(rows, 5)]
    return rows


def inserted(rows: list[Any]) -> list[Any]:
    rows.insert(at(rows, 6), rows[at(rows, 4)])
    return rows


def reordered(rows: list[Any]) -> list[Any]:
    place = at(rows, 8)
    rows[place], rows[place + 1] = rows[place + 1], rows[place]
    return rows


def redated(rows: list[Any]) -> list[Any]:
    body = json.loads(rows[at(rows, 6)]["body"])
    rows[at(rows, 6)]["body"] = json.dumps(
        {**body, "at": body["at"] + 1}, sort_keys=True, separators=(",", ":")
    )
    return rows


TAMPERED_BUNDLES: dict[str, tuple[Callable[[list[Any]], list[Any]], int]] = {
    "a changed amount": (changed, 4),
    "a forged amount, chain and all": (forged, 4),
    "a deleted entry": (deleted, 5),
    "an inserted entry": (inserted, 6),
    "reordered entries": (reordered, 8),
    "a re-dated entry": (redated, 6),
}


@pytest.fixture(scope="module")
def bundle(server: EmbeddedPostgres, honest: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export") / "all"
    with connect(server.dsn(honest, role="reader")) as reader:
        export(reader, folder, Period())
    return folder


@pytest.mark.requirement("GL-08")
@pytest.mark.parametrize("how", TAMPERED_BUNDLES)
def test_the_verifier_names_the_first_bad_entry(bundle: Path, tmp_path: Path, how: str) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(bundle, copy)
    edit, number = TAMPERED_BUNDLES[how]
    edit_lines(copy, "entries.jsonl", edit)
    code, output = verifier(copy)
    assert code == 1
    assert output.startswith(f"L1, entry {number}: "), output


def test_the_verifier_sees_a_cut_tail_a_swapped_paytable_and_a_changed_round(
    bundle: Path, tmp_path: Path
) -> None:
    manifest = json.loads((bundle / "manifest.json").read_text())
    closing = manifest["links"]["L1"]["closing"]
    tail = Tail(closing["number"], closing["hash"])

    def cut(rows: list[Any]) -> list[Any]:
        return [row for row in rows if (row["link"], row["number"]) != ("L1", tail.number)]

    shutil.copytree(bundle, tmp_path / "cut")
    edit_lines(tmp_path / "cut", "entries.jsonl", cut)
    assert f"L1, entry {tail.number}: the chain ends before" in verifier(tmp_path / "cut")[1]

    shutil.copytree(bundle, tmp_path / "swapped")
    edit_lines(
        tmp_path / "swapped",
        "paytables.jsonl",
        lambda rows: [json.loads(json.dumps(row).replace("100% of", "90% of")) for row in rows],
    )
    assert "versions: a paytable is not the locked one" in verifier(tmp_path / "swapped")[1]

    shutil.copytree(bundle, tmp_path / "round")
    edit_lines(tmp_path / "round", "rounds.jsonl", lambda rows: [{**rows[0], "seats": [1]}, *rows[1:]])
    assert verifier(tmp_path / "round")[1].startswith("H1, entry 3: the rounds of P1 differ")

    shutil.copytree(bundle, tmp_path / "file")
    edit_lines(tmp_path / "file", "evidence.jsonl", lambda rows: [*rows, {}], forge=False)
    assert "evidence.jsonl: it is not the file that was exported" in verifier(tmp_path / "file")[1]

    known = f"L1={tail.number + 1}:{tail.hash}"
    assert "the end is cut off" in verifier(bundle, "--tail", known)[1]


@pytest.mark.requirement("GL-08")
def test_the_audit_of_a_day_finds_the_same_without_a_replay(careless: Connection) -> None:
    assert audit_period(careless, Period()).problems == []
    for how in (
        "a changed amount with its hash",
        "a deleted row",
        "a truncated tail",
        "a re-dated row",
        "another fact",
        "a seat more in a round",
        "a round gone",
        "a meter set by hand",
    ):
        sql, link, _ = TAMPERED_ROWS[how]
        with careless.transaction(force_rollback=True):
            careless.execute(sql.encode())
            problems = period_problems(careless)
            assert [problem.where.partition(",")[0] for problem in problems] == [link], how


def period_problems(connection: Connection) -> list[Any]:
    """The checks of the period audit inside the transaction that tampered."""
    return [
        Problem(f"{link}, entry {number}", what, "")
        for check in ("audit_chain", "audit_postings", "audit_rounds", "audit_balances")
        for link, number, what in connection.execute(
            statement(check), {"since": Period().since, "until": Period().until}
        )
    ][:1]


#: Entry of the house jackpot, what is replaced in it, and what the verifier and the audit say.
FORGED_PRIZES = {
    "posted by one person": (4, '"approved_by":"bob"', '"approved_by":"ann"', "two people"),
    "posted over another amount": (4, '"before":500000000', '"before":400000000', "the one before"),
    "paid above what is posted": (6, "700000000", "800000000", "award P1:1:1 is not the amount"),
    "paid below what is posted": (6, "700000000", "600000000", "award P1:1:1 is not the amount"),
}


@pytest.mark.requirement("WA-01", "WA-03", "GL-08")
@pytest.mark.parametrize("how", FORGED_PRIZES)
def test_verifier_and_audit_see_a_forged_prize_of_a_house_jackpot(
    bundle: Path, tmp_path: Path, careless: Connection, how: str
) -> None:
    number, old, new, message = FORGED_PRIZES[how]

    def forge(rows: list[Any]) -> list[Any]:
        row = next(row for row in rows if (row["link"], row["number"]) == ("H1", number))
        assert old in row["fact"]
        row["fact"], row["body"] = row["fact"].replace(old, new), row["body"].replace(old, new)
        return rehashed(rows, "H1")

    shutil.copytree(bundle, tmp_path / "copy")
    edit_lines(tmp_path / "copy", "entries.jsonl", forge)
    code, output = verifier(tmp_path / "copy")
    assert (code, output.startswith(f"H1, entry {number}: ")) == (1, True), output

    query = "SELECT link, number, body, fact FROM books.entry WHERE link = 'H1' ORDER BY number"
    names = ("link", "number", "body", "fact")
    entries = [dict(zip(names, row, strict=True)) for row in careless.execute(query).fetchall()]
    for row in forge(entries):
        careless.execute(
            "UPDATE books.entry SET body = %(body)s, fact = %(fact)s, hash = %(hash)s,"
            " previous = %(previous)s WHERE link = 'H1' AND number = %(number)s",
            row,
        )
    (problem,) = audit(careless).problems
    assert problem.where == f"H1, entry {number}"
    assert message in problem.what


def test_a_bundle_cannot_write_outside_of_its_folder(tmp_path: Path) -> None:
    bundle = tmp_path / "bundle.tar"
    (tmp_path / "manifest.json").write_text("{}", encoding="utf-8")
    with tarfile.open(bundle, "w") as tar:
        tar.add(tmp_path / "manifest.json", "../outside.json")
    result = subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(bundle)], capture_output=True, text=True, check=False
    )
    assert (result.returncode, "../outside.json is outside of the bundle" in result.stderr) == (2, True)
