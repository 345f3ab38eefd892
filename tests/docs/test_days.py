"""The guides run: a room is described, opened and played, its day closed and audited, as people read it."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copy

import httpx
import psycopg
import pytest

from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.docs.console import ROOT, commands

RUN = "docs/guides/run_a_floor.md"
CLOSE = "docs/guides/close_a_day.md"
AUDIT = "docs/guides/audit_a_day.md"
FIRST_PIN, PIN = "4711", "2580"


@dataclass
class Reader:
    """Somebody who follows the guides, command by command, in a folder of their own."""

    folder: Path
    told: dict[str, str]
    up: subprocess.Popen[bytes] | None = None
    done: list[str] = field(default_factory=list)

    def run(self, page: str, part: str) -> str:
        """Run a block; the answer is what it wrote."""
        return "".join(self._run(command) for command in commands(page, part))

    def _run(self, command: str) -> str:
        exported = re.fullmatch(r"export (\w+)=(\S+)", command)
        if exported:
            self.told[exported[1]] = exported[2]
            self.done.append(command)
            return ""
        answer = self.ask(command)
        assert answer.returncode == 0, f"{command}\n{answer.stdout}{answer.stderr}"
        return answer.stdout

    def ask(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run a command, whatever becomes of it."""
        self.done.append(command)
        return subprocess.run(
            ["bash", "-c", command],
            env=self.told,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def start(self, page: str, part: str) -> None:
        """Start a command that stays, and wait until the service answers."""
        [command] = commands(page, part)
        self.done.append(command)
        with (self.folder / "up.log").open("wb") as log:
            self.up = subprocess.Popen(
                ["bash", "-c", f"exec {command}"],
                env=self.told,
                cwd=self.folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        for _ in range(600):
            try:
                if httpx.get(f"{self.told['SERVICE']}/readyz", timeout=2).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise AssertionError((self.folder / "up.log").read_text())


@pytest.fixture(scope="module")
def reader(durable_server: EmbeddedPostgres) -> Iterator[Reader]:
    with psycopg.connect(durable_server.dsn(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS guides WITH (FORCE)")
        connection.execute("CREATE DATABASE guides")
    with tempfile.TemporaryDirectory(prefix="feltwork-guides-") as folder:
        copy(ROOT / "examples" / "card_room.toml", folder)
        copy(ROOT / "tools" / "verify_books.py", folder)
        port = free_port()
        environment = {
            **os.environ,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "FELTWORK_DSN": durable_server.dsn("guides"),
            "FELTWORK_PIN_KEY": "",
            "PORT": str(port),
            "NATS_PORT": str(free_port()),
            "SERVICE": f"http://127.0.0.1:{port}",
            "FIRST_PIN": FIRST_PIN,
            "PIN": PIN,
            **{f"FELTWORK_PIN_{name}": FIRST_PIN for name in ("EVE", "ANN", "DANA", "SAM", "B_1", "B_2")},
            "FELTWORK_PIN_B_3": PIN,
        }
        reader = Reader(Path(folder), environment)
        try:
            yield reader
        finally:
            if reader.up is not None:
                os.kill(reader.up.pid, signal.SIGTERM)
                reader.up.wait(60)


def _meter(reader: Reader) -> int:
    sign = httpx.get(f"{reader.told['SERVICE']}/signs/five-card.json").json()["sign"]
    return int(sign["levels"][0]["amount"])


@pytest.mark.whole
def test_from_an_empty_database_to_an_audited_day(reader: Reader) -> None:
    assert "may open" in reader.run(RUN, "check")
    assert "all is well" in reader.run(RUN, "init")
    reader.start(RUN, "up")
    reader.run(RUN, "pins")
    assert '"booked"' in reader.run(RUN, "open")
    before = _meter(reader)
    played = reader.run(RUN, "play").splitlines()
    assert [line for line in played if line.startswith("no ")] == []
    assert [line.split()[:3] for line in played if " playing " in line] == [["ok", "round", "1"]]
    for _ in range(600):
        if (grown := _meter(reader)) > before:
            break
        time.sleep(0.1)
    assert grown > before

    assert "1 rounds checked" in reader.run(CLOSE, "audit")
    reader.told["BANK"] = str(grown)
    reader.run(CLOSE, "count")
    reader.run(CLOSE, "sheets")
    daily = (reader.folder / "daily_lines.csv").read_text()
    assert "five-card" in daily
    assert "day sheet of" in reader.run(CLOSE, "close")
    reader.run(CLOSE, "keep")
    assert "--tail five-card=" in (reader.folder / "tails.txt").read_text()

    reader.run(AUDIT, "verify")
    unpack, change, verify = commands(AUDIT, "change")
    assert reader.ask(unpack).returncode == 0
    as_it_was = (reader.folder / "changed" / "rounds.jsonl").read_text()
    assert reader.ask(change).returncode == 0
    assert (reader.folder / "changed" / "rounds.jsonl").read_text() != as_it_was
    assert reader.ask(verify).returncode == 1
    (compare,) = commands(AUDIT, "compare")
    compared = reader.ask(compare)
    assert (compared.returncode, "number 1 is not the same" in compared.stdout) == (1, True), compared.stdout
    assert "1 rounds replayed" in reader.run(AUDIT, "replay")
    reader.run(AUDIT, "seed")
    output = reader.run(AUDIT, "sample")
    assert json.loads(output[output.index("}") + 1 :])
    assert "opening day" in (reader.folder / "audit_log.csv").read_text()
    written = [line for page in (RUN, CLOSE, AUDIT) for line in _lines(page)]
    assert sorted(reader.done) == sorted(written)


def _lines(page: str) -> list[str]:
    """Every command of a page, whether a block names it to be run or not."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
