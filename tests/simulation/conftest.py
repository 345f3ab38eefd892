"""A card room on one box, started as a house starts it: real PostgreSQL, log, bookkeepers and service."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from feltwork.simulation.floors import room_text
from feltwork.simulation.stage import SimulatedCasino, open_site
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres

COMMAND = (sys.executable, "-c", "from feltwork.cli.main import main; main()")


@dataclass
class OneBox:
    """The room, and where its parts answer."""

    house: SimulatedCasino
    dsn: str
    nats: str
    service: str

    def floor(self, *options: str) -> dict[str, Any]:
        """Run `python -m lab.floor` to its end."""
        arguments = ["--nats", self.nats, "--service", self.service, "--json", *options]
        process = subprocess.run(
            [sys.executable, "-m", "lab.floor", *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert process.returncode == 0, process.stderr
        answer: dict[str, Any] = json.loads(process.stdout)
        return answer


@pytest.fixture(scope="module")
def box(server: EmbeddedPostgres) -> Iterator[OneBox]:
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS floor_live WITH (FORCE)")
        connection.execute("CREATE DATABASE floor_live")
    house = open_site(server.dsn("floor_live"), room_text())
    dsn = server.dsn("floor_live", role="writer")
    folder = Path(tempfile.mkdtemp(prefix="feltwork-live-"))
    nats_port, port = free_port(), free_port()
    arguments = ["up", "--dsn", dsn, "--folder", str(folder), "--plain-http"]
    arguments += ["--nats-port", str(nats_port), "--port", str(port)]
    with (folder / "up.log").open("wb") as log:
        running = subprocess.Popen([*COMMAND, *arguments], stdout=log, stderr=log, start_new_session=True)
    try:
        box = OneBox(house, dsn, f"nats://127.0.0.1:{nats_port}", f"http://127.0.0.1:{port}")
        _wait(f"{box.service}/healthz")
        yield box
    finally:
        os.kill(running.pid, signal.SIGTERM)
        running.wait(60)
        shutil.rmtree(folder, ignore_errors=True)


def _wait(url: str) -> None:
    for _ in range(1_800):
        try:
            if httpx.get(url, timeout=2).status_code < 500:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError(f"{url} did not answer within three minutes")
