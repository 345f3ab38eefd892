"""The developer guides work: their blocks are applied to a copy of the source, and the result is run."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import nats
import psycopg
import pytest
from nats.aio.client import Client

from feltwork.site.books.connection import connect
from feltwork.site.books.people import staff
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.docs.console import ROOT, commands
from tests.support.books import new_books
from tests.web.house import PASSWORD, PEOPLE, PIN, House

#: Lines that a guide may add, blank ones not counted.
MOST_LINES = 30
BLOCK = re.compile(r"^<!-- (add|change): (\S+) -->\n```\w+\n(.*?)^```$", flags=re.M | re.S)


class ScratchTree:
    """A copy of the source with the blocks of one guide in it."""

    def __init__(self, folder: Path, guide: str) -> None:
        self.folder = folder
        self.page = f"docs/guides/{guide}.md"
        for name in ("src", "tools"):
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        self.environment = {
            **os.environ,
            "PYTHONPATH": f"{folder / 'src'}:{folder}",
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        program = folder / "bin" / "feltwork"
        program.parent.mkdir()
        program.write_text(f"#!{sys.executable}\nfrom feltwork.cli.main import main\nmain()\n")
        program.chmod(0o755)
        blocks = BLOCK.findall((ROOT / self.page).read_text(encoding="utf-8"))
        assert blocks, f"{self.page} changes nothing"
        self.added = sum(self._apply(*block) for block in blocks)

    def _apply(self, verb: str, path: str, text: str) -> int:
        """Apply a block, and count the lines that it adds."""
        file = self.folder / path
        if verb == "add":
            file.parent.mkdir(exist_ok=True)
            with file.open("a", encoding="utf-8") as end:
                end.write(text)
            lines = text.splitlines()
        else:
            diff = text.splitlines(keepends=True)
            old = "".join(line[1:] for line in diff if line[0] in " -")
            new = "".join(line[1:] for line in diff if line[0] in " +")
            before = file.read_text(encoding="utf-8")
            assert before.count(old) == 1, f"{self.page}: {path} does not have these lines once:\n{old}"
            file.write_text(before.replace(old, new), encoding="utf-8")
            lines = [line[1:] for line in diff if line[0] == "+"]
        return sum(bool(line.strip()) for line in lines)

    def run(self, *command: str) -> str:
        result = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    @contextmanager
    def running(self, *arguments: str) -> Iterator[None]:
        """A command of the scratch tree in the background."""
        log = self.folder / f"{arguments[0]}.log"
        with log.open("wb") as output:
            process = subprocess.Popen(
                ["feltwork", *arguments],
                cwd=self.folder,
                env=self.environment,
                executable=self.folder / "bin" / "feltwork",
                stdout=output,
                stderr=output,
            )
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)

    @contextmanager
    def service(self, dsn: str) -> Iterator[House]:
        """The service of the scratch tree, with people who can sign in."""
        with connect(dsn) as connection:
            staff.register_people(connection, PEOPLE, pin=PIN, password=PASSWORD, by="setup")
        port = free_port()
        with self.running("serve", "--dsn", dsn, "--port", str(port), "--plain-http"):
            house = House(f"http://127.0.0.1:{port}", dsn)
            try:
                until(lambda: _answers(house))
                yield house
            finally:
                house.close()


def _answers(house: House) -> bool:
    try:
        return house.nobody.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


def until(true: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.1)


@pytest.fixture
def dsn(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> str:
    return server.dsn(new_books(server, f"guide_{request.node.name[5:40]}"), role="writer")


@pytest.mark.whole
def test_a_report_is_added(tmp_path: Path, dsn: str) -> None:
    tree = ScratchTree(tmp_path, "add_a_report")
    assert tree.added < MOST_LINES
    with tree.service(dsn) as house:
        house.open("L1")
        house.start("L1", "T8", (1, 2, 3))
        [row] = house.get("ann", "/api/v1/reports/table_activity")["rows"]
        assert (row["table"], row["rounds"], row["wagers"]) == ("T8", 1, 3)
        csv = house.of("ann").get("/api/v1/reports/table_activity", params={"format": "csv"}).text
        assert csv.splitlines()[0] == "table,rounds,wagers,last booked at"
        office = house.of("ann").get("/office/reports/table_activity", headers={"Accept": "text/html"})
        assert office.status_code == 200
        assert "Rounds and wagers of each table." in office.text
        assert house.of("dana").get("/api/v1/reports/table_activity").status_code == 403
    page = tree.run(sys.executable, "-c", "from tools.reference import reports_page; print(reports_page())")
    assert "table_activity" in page


@pytest.mark.whole
def test_a_screen_is_added(tmp_path: Path, dsn: str) -> None:
    tree = ScratchTree(tmp_path, "add_a_screen")
    assert tree.added < MOST_LINES
    with tree.service(dsn) as house:
        house.open("L1")
        house.start("L1", "T8", (1, 2, 3))
        response = house.of("sam").get("/activity", headers={"Accept": "text/html"})
        assert response.status_code == 200
        assert "<td>T8</td><td>L1</td><td>1</td><td>playing</td>" in response.text
        tables = house.get("sam", "/activity")["tables"]
        assert [table["phase"] for table in tables if table["id"] == "T8"] == ["playing"]
        assert house.nobody.get("/activity").status_code == 401


@pytest.mark.whole
def test_a_two_person_command_is_added(tmp_path: Path, dsn: str) -> None:
    tree = ScratchTree(tmp_path, "add_a_two_person_command")
    assert tree.added < MOST_LINES
    with tree.service(dsn) as house:
        house.open("L1")
        body = {"command": "stop_for_inspection", "link": "L1", "reason": "sensors of table 8"}
        proposal = house.done("sam", "/api/v1/proposals", body)
        approval = {"fingerprint": proposal["fingerprint"]}
        path = f"/api/v1/proposals/{proposal['proposal']}/approve"
        assert house.post("sam", path, approval).status_code == 409
        assert house.get("sam", "/api/v1/links/L1")["takes_wagers"]
        house.done("sue", path, approval)
        assert not house.get("sam", "/api/v1/links/L1")["takes_wagers"]
        assert house.post("dana", "/api/v1/proposals", body).status_code == 403
        house.sound()


@pytest.mark.whole
def test_a_migration_is_added(tmp_path: Path, server: EmbeddedPostgres) -> None:
    tree = ScratchTree(tmp_path, "add_a_migration")
    assert tree.added < MOST_LINES
    name = new_books(server, "guide_migration")
    tree.environment["FELTWORK_DSN"] = server.dsn(name)
    with psycopg.connect(server.dsn(name), autocommit=True) as owner:
        count = "SELECT count(*) FROM books.shift_note"
        with pytest.raises(psycopg.errors.UndefinedTable):
            owner.execute(count)
        printed = "".join(
            tree.run("bash", "-euc", line) for line in commands("docs/guides/add_a_migration.md", "migrate")
        )
        assert "schema 0002" in printed
        assert owner.execute(count).fetchone() == (0,)
        owner.execute("SET ROLE feltwork_writer")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            owner.execute("DELETE FROM books.shift_note")


async def _send(url: str, subject: str, data: bytes) -> None:
    client: Client = await nats.connect(url)
    try:
        await client.jetstream().publish(subject, data)
    finally:
        await client.close()


def test_a_message_is_added(tmp_path: Path, dsn: str) -> None:
    tree = ScratchTree(tmp_path, "add_a_message")
    assert tree.added < MOST_LINES
    log = EmbeddedNats(tmp_path / "log", NatsPlan(sync_always=False)).start()
    message = b'{"message": "FloorCall", "link": "L1", "table": "T8", "at": 1, "v": 1, "reason": "a dispute"}'

    def alarms() -> object:
        with connect(dsn) as connection:
            return connection.execute(
                "SELECT kind, place FROM books.alarm WHERE kind = 'floor call'"
            ).fetchall()

    try:
        with tree.running("bookkeeper", "--dsn", dsn, "--nats", log.url):
            deadline = time.monotonic() + 60
            while not alarms():
                assert time.monotonic() < deadline, (tmp_path / "bookkeeper.log").read_text()
                with suppress(nats.errors.Error):  # the bookkeeper has not made the stream yet
                    asyncio.run(_send(log.url, "felt.L1.T8.call", message))
                time.sleep(0.2)
        assert alarms() == [("floor call", "table T8")]
    finally:
        log.remove()
    page = tree.run(sys.executable, "-c", "from tools.protocol import messages_page as p; print(p())")
    assert "### FloorCall" in page
    assert "Subject: `felt.five-card.C1.call`" in page
