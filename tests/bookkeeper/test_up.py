"""`feltwork up` as people run it: everything from one command, and nothing left after Ctrl-C."""

import os
import select
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest
from nats import errors

from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.bookkeeper.house import House, say, started
from tests.bookkeeper.running import children_of, command, lives, running
from tests.support.commands import run


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/readyz", timeout=2).status_code == 200
    except httpx.TransportError:
        return False


def test_one_command_runs_a_card_room_restarts_what_dies_and_leaves_nothing(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.log.kill()
    house.log.port, port, metrics = free_port(), free_port(), free_port()
    ports = ("--nats-port", str(house.log.port), "--port", str(port), "--metrics-port", str(metrics))
    options = ("--folder", str(house.folder / "up"), *ports)
    monkeypatch.setenv("FELTWORK_DSN", f"{house.dsn} password=swordfish")
    monkeypatch.setenv("FELTWORK_ORIGIN", "https://localhost:8443")
    with running("up", *options) as up:
        keys, first = up.said.splitlines()
        assert keys.startswith("without keys: NATS listens on this machine only")
        assert first.startswith(
            f"up: log, bookkeeper-1, service; http://127.0.0.1:{port}, for browsers https://localhost:8443;"
        )
        house.until(lambda: answers(port))
        say(house, [started(1)])
        house.until(lambda: house.booked() == "{[1,2)}")
        lines = httpx.get(f"http://127.0.0.1:{metrics}/metrics").text.splitlines()
        assert "feltwork_nats_connected 1.0" in lines
        before = children_of(up.process.pid)
        assert set(before) == {"child_processes", "nats-server", "bookkeeper", "serve"}
        for pid in (up.process.pid, *before.values()):
            assert b"swordfish" not in Path(f"/proc/{pid}/cmdline").read_bytes()
        killed = {name: before[name] for name in ("bookkeeper", "nats-server")}
        for pid in killed.values():
            os.kill(pid, signal.SIGKILL)
        house.until(
            lambda: all(children_of(up.process.pid).get(name, pid) != pid for name, pid in killed.items())
        )
        after = children_of(up.process.pid)
        assert set(after) == set(before)
        house.until(lambda: _say(house, 2))
        house.until(lambda: house.booked() == "{[1,3)}")
        up.process.send_signal(signal.SIGINT)
        assert up.process.wait(60) == 0
        assert up.rest().endswith("down\n")
        house.until(lambda: not any(map(lives, after.values())))


@pytest.mark.whole
def test_it_is_up_only_once_rounds_can_be_booked(house: House) -> None:
    house.log.kill()
    options = ("--folder", str(house.folder / "up"), "--plain-http", "--port", str(free_port()))
    words = command("up", "--dsn", house.dsn, "--nats", house.log.url, *options)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            assert process.stderr.readline() == "not up: NATS is not responding\n"
            assert select.select([process.stdout], [], [], 0)[0] == [], "nothing says that it is up"
            house.log.start()
            assert process.stdout.readline().startswith("up: bookkeeper-1, service; ")
            house.log.kill()
            assert process.stderr.readline() == "not up: NATS is not responding\n"
        finally:
            process.terminate()


@pytest.mark.whole
@pytest.mark.requirement("GL-03")
def test_killed_it_leaves_no_process_and_the_next_one_goes_on(house: House) -> None:
    house.log.kill()
    house.log.port, port = free_port(), free_port()
    ports = ("--nats-port", str(house.log.port), "--port", str(port))
    options = ("up", "--dsn", house.dsn, "--folder", str(house.folder / "up"), "--plain-http", *ports)
    with running(*options) as up:
        house.until(lambda: answers(port))
        say(house, [started(1)])
        house.until(lambda: house.booked() == "{[1,2)}")
        left = children_of(up.process.pid)
        assert set(left) == {"child_processes", "nats-server", "bookkeeper", "serve"}
        up.process.kill()
        up.process.wait()
        # At once, as a supervisor would: what is left of the first still ends.
        with running(*options):
            house.until(lambda: not any(map(lives, left.values())))
            house.until(lambda: _say(house, 2))
            house.until(lambda: house.booked() == "{[1,3)}")
            house.until(lambda: answers(port))


def test_a_password_is_in_no_list_of_processes(house: House) -> None:
    result = run("up", "--dsn", f"{house.dsn} password=swordfish")
    assert result.returncode == 2
    assert "can read the password" in result.stderr


def _say(house: House, number: int) -> bool:
    try:
        say(house, [started(number)])
    except (errors.Error, OSError):
        return False
    return True


def test_books_of_another_release_are_refused(server: EmbeddedPostgres) -> None:
    result = run("up", "--dsn", server.dsn())
    assert result.returncode == 2
    assert "the schema is missing" in result.stderr
    assert "feltwork init" in result.stderr


def test_a_port_that_somebody_else_has_is_refused_before_anything_starts(house: House) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        options = ("--folder", str(house.folder / "none"), "--plain-http", "--port", str(port))
        result = run("up", "--dsn", house.dsn, *options)
    assert result.returncode == 2
    assert f"127.0.0.1:{port}: cannot listen" in result.stderr
    assert "choose another --port" in result.stderr
    assert not (house.folder / "none").exists()
