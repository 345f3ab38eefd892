"""Whoever is killed leaves no process behind: real servers and programs, and a parent that gets kill -9."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.bookkeeper.running import children_of, lives

SERVERS = """
import psycopg, sys
from feltwork.site.servers.temporary import TemporaryServers

box = TemporaryServers()
box.start()
with psycopg.connect(box.dsn) as connection:
    connection.execute("CREATE TABLE kept AS SELECT 4711 AS number")
print(box.folder, box.books.pid, box.log.pid, flush=True)
sys.stdin.read()
"""
DEAF = """
import sys
from feltwork.site.servers import child_processes

child_processes.PATIENCE_SECONDS = 1.0
deaf = "import signal as s, sys; s.signal(s.SIGTERM, s.SIG_IGN); print(flush=True); sys.stdin.read()"
first = child_processes.begin([sys.executable, "-c", deaf], stdin=-1, stdout=-1)
first.stdout.readline()
print(first.pid, flush=True)
sys.stdin.readline()
print(child_processes.begin([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=-1).pid, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that PostgreSQL can reach, which does not run as root."""
    path = Path(tempfile.mkdtemp(prefix="feltwork-watchdog-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path, ignore_errors=True)


def until(true: Callable[[], bool], seconds: float = 90.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds:g} seconds"
        time.sleep(0.05)


@contextmanager
def parent(script: str, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that starts others."""
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def said(process: subprocess.Popen[str]) -> list[str]:
    assert process.stdout is not None
    return process.stdout.readline().split()


@pytest.mark.requirement("GL-03")
def test_servers_end_with_a_killed_parent_and_the_books_are_written_down(folder: Path) -> None:
    with parent(SERVERS, folder) as process:
        box, *numbers = said(process)
        pids = [*map(int, numbers), children_of(process.pid)["child_processes"]]
        assert all(map(lives, pids))
        process.kill()
        until(lambda: not any(map(lives, pids)))
    books = EmbeddedPostgres(Path(box) / "books")
    output = subprocess.run(
        [books.binary("pg_controldata"), books.data], capture_output=True, text=True, check=True
    ).stdout
    assert "Database cluster state:               shut down\n" in output
    try:
        with psycopg.connect(books.start().dsn()) as connection:
            assert connection.execute("SELECT number FROM kept").fetchone() == (4711,)
    finally:
        books.remove()


def test_who_does_not_listen_is_killed_and_a_killed_watchdog_is_replaced(folder: Path) -> None:
    with parent(DEAF, folder) as process:
        first = int(said(process)[0])
        # The next process is begun at once, while the watchdog is still dying.
        os.kill(children_of(process.pid)["child_processes"], signal.SIGKILL)
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
        pids = [first, int(said(process)[0]), children_of(process.pid)["child_processes"]]
        assert all(map(lives, pids))
        process.kill()
        until(lambda: not any(map(lives, pids)))


FORKED = """
import os, sys
from feltwork.site.servers import child_processes

waits = [sys.executable, "-c", "import sys; sys.stdin.read()"]
parents = child_processes.begin(waits, stdin=-1)
fork = os.fork()
if not fork:
    print(child_processes.begin(waits, stdin=-1).pid, flush=True)
    os._exit(0)
os.waitpid(fork, 0)
print(parents.pid, flush=True)
sys.stdin.read()
"""


def test_a_forked_process_ends_its_own_children_and_none_of_its_parent() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", FORKED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        own, parents = int(parent.stdout.readline()), int(parent.stdout.readline())
        until(lambda: not lives(own))
        time.sleep(0.5)  # the same watchdog would have ended both by now
        assert lives(parents)
        parent.stdin.close()
    until(lambda: not lives(parents))
