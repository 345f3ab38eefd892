"""The demo stops cleanly while it begins, has varied people, and leaves the visitor's awards alone."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from feltwork.simulation.demo import VISITORS_TABLE, Demo
from feltwork.simulation.floors import room
from feltwork.simulation.pit import Pit
from feltwork.simulation.stage import simulated_casino
from feltwork.site.servers.temporary import TemporaryServers

_STOPPED = ["", "The demo has stopped and left nothing behind.", ""]


@pytest.mark.parametrize(
    ("line", "seconds"),
    [
        ("Starting", 0.0),
        pytest.param("Starting", 1.5, marks=pytest.mark.whole),
        pytest.param("http", 0.2, marks=pytest.mark.whole),
    ],
)
def test_stopped_at_any_moment_it_is_silent(line: str, seconds: float) -> None:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-stop-"))
    folder.chmod(0o755)  # PostgreSQL does not run as root, and must reach its files
    command = [str(Path(sys.executable).with_name("feltwork")), "demo", "--no-open", "--port", "0"]
    running = subprocess.Popen(
        command,
        env={**os.environ, "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert running.stdout is not None
    said = [running.stdout.readline() for _ in range(1 + line.startswith("http"))]
    assert said[-1].startswith(line), said
    time.sleep(seconds)  # a moment of the start
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    rest, _ = running.communicate(timeout=120)
    assert (running.returncode, rest.split("\n")[-3:], "rror" in rest) == (0, _STOPPED, False), rest
    assert "Traceback" not in rest
    assert list(folder.iterdir()) == []
    folder.rmdir()


def test_each_table_has_a_dealer_of_its_own_and_the_pit_leaves_the_visitors_awards_alone() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        box = cast("TemporaryServers", SimpleNamespace(nats_url="nats://127.0.0.1:1"))
        floor = Demo(box, listener)._made(simulated_casino(room()))
    assert len(floor.tables) == len({table.dealer for table in floor.tables.values()}) == 12
    assert isinstance(floor.pit, Pit)
    theirs = floor.pit.is_theirs

    def entered(table: str, by: str) -> dict[str, Any]:
        return {"table": table, "claimed_by": by}

    assert theirs(entered(VISITORS_TABLE, "dana"))
    assert not any(theirs(entered(name, table.dealer)) for name, table in floor.tables.items())
    assert theirs(entered("C1", "dana"))
    assert theirs(entered("C1", "sam"))
