"""The guides run: a house is set up, a device connects, a dispute is answered, a paytable is drafted."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from feltwork.site.books.connection import connect
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.rounds import book_rounds
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.docs.console import ROOT, commands
from tests.progressive.room import asked

PRODUCTION = "docs/guides/go_to_production.md"
DEVICE = "docs/guides/connect_a_device.md"
DISPUTE = "docs/guides/answer_a_dispute.md"
PAYTABLE = "docs/guides/add_a_paytable.md"
LINK = "sevens"


class Reader:
    """The person who follows a guide, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        beside = Path(sys.executable).parent
        self.told = {
            **os.environ,
            "PATH": f"{beside}:{os.environ['PATH']}",
            "FELTWORK_DSN": "",
            "FELTWORK_PIN_KEY": "",
            "HOUSE_LOG": "localhost",
        }
        self.told |= {f"FELTWORK_PIN_{name}": "4711" for name in ("EVE", "ANN", "B_1", "B_2")}
        (folder / "tools").symlink_to(ROOT / "tools")

    def run(self, page: str, part: str) -> str:
        """Run a block in one shell, so that what it exports holds on."""
        lines = "\n".join(commands(page, part))
        result = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", lines],
            env=self.told, cwd=self.folder, capture_output=True, text=True, check=False, timeout=240,
        )  # fmt: skip
        assert result.returncode == 0, f"{lines}\n{result.stdout}{result.stderr}"
        return result.stdout


class House(Reader):
    """A house that the page on production has set up, with its log and its bookkeeper running."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.server = EmbeddedPostgres(folder / "postgresql").start()
        self.running: list[subprocess.Popen[bytes]] = []
        self.port, self.http = free_port(), free_port()
        self.told["PATH"] = f"{self.server.binary('psql').parent}:{self.told['PATH']}"
        self.told |= {"PGHOST": "127.0.0.1", "PGPORT": str(self.server.port), "PGUSER": "postgres"}
        self.told |= {
            "FELTWORK_NATS": f"tls://127.0.0.1:{self.port}",
            "MONITOR": f"http://127.0.0.1:{self.http}",
        }

    def dsn(self, login: str, file: str) -> str:
        passfile = self.folder / "house" / "logins" / file
        return f"host=127.0.0.1 port={self.server.port} dbname=feltwork user={login} passfile={passfile}"

    def start(self) -> None:
        """The log at ports that are free here, then the bookkeeper."""
        keys = self.folder / "house" / "keys"
        config = json.loads((keys / "server.conf").read_text(encoding="utf-8"))
        config |= {"listen": f"127.0.0.1:{self.port}", "http": f"127.0.0.1:{self.http}"}
        (keys / "test.conf").write_text(json.dumps(config), encoding="utf-8")
        self._start("nats-server", "-c", "test.conf", "-sd", str(self.folder / "log"), cwd=keys)
        service = self.dsn("feltwork_service", "writer.pgpass")
        self._start("feltwork", "bookkeeper", "--dsn", service, "--keys", str(keys), cwd=self.folder)

    def _start(self, name: str, *words: str, cwd: Path) -> None:
        program = Path(sys.executable).with_name(name)
        with (self.folder / f"{name}.log").open("wb") as log:
            self.running.append(
                subprocess.Popen([program, *words], cwd=cwd, env=self.told, stdout=log, stderr=log)
            )

    def stop(self) -> None:
        for process in reversed(self.running):
            process.terminate()
            process.wait(30)
        self.server.remove()


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-guides-"))
    folder.chmod(0o755)
    house = House(folder)
    try:
        (folder / "house").mkdir(mode=0o700)
        shutil.copy(ROOT / "examples" / "card_room.toml", folder / "house" / "floor.toml")
        house.run(PRODUCTION, "prepare")
        assert "days  server" in house.run(PRODUCTION, "renew")
        house.run(PRODUCTION, "books")
        house.start()
        yield house
    finally:
        house.stop()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.whole
def test_a_house_is_set_up_by_the_page(house: House) -> None:
    output = house.run(PRODUCTION, "prove")
    assert "all is well" in output
    assert "4 links" in output


@pytest.mark.whole
@pytest.mark.requirement("GEN-07")
def test_a_device_is_connected_by_the_page(house: House) -> None:
    house.run(DEVICE, "settings")
    settings = json.loads((house.folder / "device.json").read_text())
    assert [(settings["table"], link["link"]) for link in settings["links"]] == [("B1", LINK)]
    house.run(DEVICE, "key")
    # The bookkeeper may still be creating the streams; the table says so and waits.
    answers = [line for line in house.run(DEVICE, "table").splitlines() if "does not answer yet" not in line]
    assert answers[0].startswith("ok round 0 idle"), answers


@pytest.mark.whole
@pytest.mark.requirement("GL-08", "GEN-09")
def test_a_dispute_is_answered_by_the_page(house: House) -> None:
    house.told |= {"AUDITOR": house.dsn("feltwork_auditor", "reader.pgpass"), "TABLE": "B2", "ROUND": "7"}
    with connect(house.dsn("feltwork_service", "writer.pgpass")) as writer:
        lifecycle.open_link(writer, LINK, asked())
        now = time.time_ns() // 1_000
        wager = read_link(writer, LINK).state.link.wager
        started = RoundStarted(link=LINK, at=now, table="B2", round=7, wager=wager, seats=(2, 5))
        assert book_rounds(writer, LINK, [started]).rounds == 1
    output = house.run(DISPUTE, "find")
    assert "{2,5}" in output
    worked = ROOT / "src/feltwork/titles/games/crazy_4/rounds"
    shutil.copy(sorted(worked.iterdir())[0], house.folder / "round.toml")
    assert "Crazy 4 Poker" in house.run(DISPUTE, "settle")
    proved = house.run(DISPUTE, "prove")
    assert "wrong" not in proved
    with (
        psycopg.connect(house.told["AUDITOR"]) as auditor,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        auditor.execute("UPDATE books.balance SET amount = 0")


def test_a_paytable_is_drafted_and_certified_by_the_page(tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    assert "flush" in reader.run(PAYTABLE, "draft")
    assert "is valid" in reader.run(PAYTABLE, "certify")
