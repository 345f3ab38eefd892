"""`feltwork up` as people run it: everything from one command, and nothing left after Ctrl-C."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from nats import errors

from feltwork.books.carried import Carried
from feltwork.wire.server import free_port
from tests.bookkeeper.house import House, say, started


def command(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).parent / "feltwork"), *arguments]


def children_of(pid: int) -> dict[str, int]:
    """The processes that a process has started, by the command that each runs."""
    found = {}
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        words = Path(f"/proc/{child}/cmdline").read_bytes().decode().split("\0")
        name = next((word for word in words if word in ("bookkeeper", "serve")), "nats-server")
        found[name] = child
    return found


def lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.timeout(120)
def test_one_command_runs_a_card_room_restarts_what_dies_and_leaves_nothing(house: House) -> None:
    house.log.kill()
    house.log.port, port = free_port(), free_port()
    folder = house.folder / "up"
    ports = ("--nats-port", str(house.log.port), "--port", str(port))
    room = subprocess.Popen(
        command("up", "--dsn", house.dsn, "--folder", str(folder), "--plain-http", *ports),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert room.stdout is not None
    try:
        first = room.stdout.readline()
        assert first.startswith(f"up: log, bookkeeper-1, service; http://127.0.0.1:{port}; Ctrl-C")

        def ready() -> bool:
            try:
                return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200
            except httpx.TransportError:
                return False

        house.until(ready)
        say(house, [started(1)])
        house.until(lambda: house.booked() == "{[1,2)}")
        before = children_of(room.pid)
        assert set(before) == {"nats-server", "bookkeeper", "serve"}
        killed = {name: before[name] for name in ("bookkeeper", "nats-server")}
        for pid in killed.values():
            os.kill(pid, signal.SIGKILL)
        house.until(lambda: all(children_of(room.pid).get(name, pid) != pid for name, pid in killed.items()))
        after = children_of(room.pid)
        assert set(after) == set(before)
        house.until(lambda: _say(house, 2))
        house.until(lambda: house.booked() == "{[1,3)}")
        room.send_signal(signal.SIGINT)
        assert room.wait(30) == 0
        assert room.stdout.read().endswith("down\n")
        assert [name for name, pid in after.items() if lives(pid)] == []
    finally:
        if room.poll() is None:
            for pid in children_of(room.pid).values():
                os.kill(pid, signal.SIGKILL)
            room.kill()
            room.wait()
        room.stdout.close()


def _say(house: House, number: int) -> bool:
    try:
        say(house, [started(number)])
    except (errors.Error, OSError):
        return False
    return True


def test_books_of_another_release_are_refused(server: Carried) -> None:
    done = subprocess.run(
        command("up", "--dsn", server.dsn()), capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "the schema is missing" in done.stderr
    assert "feltwork init" in done.stderr
