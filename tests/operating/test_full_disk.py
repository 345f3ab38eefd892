"""A full disk: PostgreSQL and NATS stop together with play, and go on by themselves once there is room."""

import asyncio
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import nats
import psycopg
import pytest
from nats import errors
from nats.js import JetStreamContext

from feltwork.site.books.connection import connect
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.servers.nats import EmbeddedNats
from feltwork.site.servers.ports import free_port
from feltwork.site.wire.streams import PARKED, ensure_streams
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import encode
from tests.bookkeeper.house import House, ended, started
from tests.bookkeeper.running import running
from tests.simulation.conftest import COMMAND
from tests.sizes import size

_TABLES = ("T1", "T2", "T3")
_FULL_SECONDS = size(6, 60)
_SETTINGS = {"max_wal_size": "64MB", "min_wal_size": "32MB"}


@pytest.fixture
def house() -> Iterator[House]:
    """A house on a small disk of its own."""
    disk = Path(tempfile.mkdtemp(prefix="feltwork-disk-"))
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=450m,mode=755", "tmpfs", str(disk)], check=True)
    site = House(disk, settings=_SETTINGS)
    try:
        yield site.open()
    finally:
        site.close()
        subprocess.run(["umount", "--lazy", str(disk)], check=True)
        disk.rmdir()


class Play:
    """Tables that deal round after round, and send each message until NATS has stored it."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.stored = dict.fromkeys(_TABLES, 0)
        self.refused = 0
        self._over = False

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tables:
            for table in _TABLES:
                tables.create_task(self._deal(table))

    def end(self) -> None:
        self._over = True

    async def _deal(self, table: str) -> None:
        client = await nats.connect(self._url, reconnect_time_wait=0.2, max_reconnect_attempts=-1)
        js = client.jetstream(timeout=1)
        while not self._over:
            number = self.stored[table] + 1
            for message in (started(number, table), ended(number, table=table)):
                await self._send(js, subject_of(message), encode(message), f"{table}:{number}:{message.step}")
            self.stored[table] = number
            await asyncio.sleep(0.02)
        await client.close()

    async def _send(self, js: JetStreamContext, subject: str, data: bytes, name: str) -> None:
        while True:
            try:
                await js.publish(subject, data, headers={"Nats-Msg-Id": name})
            except (errors.Error, TimeoutError):
                self.refused += 1
                await asyncio.sleep(0.2)
            else:
                return


def fill(disk: Path) -> Path:
    """Fill a disk to the last byte."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * (1 << 16))
    with ballast.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x")
    return ballast


def write_until_refused(dsn: str, seconds: float) -> str:
    """Large lines of the audit log, until PostgreSQL has no room for them."""
    until = time.monotonic() + seconds
    with connect(dsn) as connection:
        while time.monotonic() < until:
            try:
                text = "x" * 7_000
                write_audit(connection, AuditLine(who="test", place="", what="fill", why=text))
            except psycopg.Error as error:
                return str(error)
    return ""


@pytest.mark.requirement("GL-03", "GL-12")
def test_after_a_full_disk_everything_is_booked_once(house: House) -> None:
    asyncio.run(_play_through(house))
    for table in _TABLES:
        wagers = house.ask("SELECT count(*) FROM books.round WHERE table_id = %s", table)
        ends = house.ask("SELECT count(*) FROM books.round_end WHERE table_id = %s", table)
        rounds = int(house.booked(table).strip("{[)}").split(",")[1]) - 1
        assert (wagers, ends) == (rounds, rounds), "nothing is missing and nothing is double"
    house.check()


async def _play_through(house: House) -> None:
    house.log.kill()
    shutil.rmtree(house.log.folder, ignore_errors=True)
    house.log.port = free_port()
    ports = ("--nats-port", str(house.log.port), "--port", str(free_port()))
    options = ("--folder", str(house.folder / "up"), "--plain-http", *ports)
    with running("up", "--dsn", house.dsn, *options):
        play = Play(house.log.url)
        playing = asyncio.create_task(play.run())
        await _until(house, lambda: min(play.stored.values()) > 20)
        ballast = await asyncio.to_thread(fill, house.folder)
        refusal = await asyncio.to_thread(write_until_refused, house.dsn, 20)
        assert "No space left on device" in refusal
        before = play.refused
        await asyncio.sleep(_FULL_SECONDS)
        assert play.refused > before, "tables store nothing on a full disk"
        states = await asyncio.to_thread(_doctor, house)
        assert states["log on disk"] == "missing"
        stuck = dict(play.stored)
        ballast.unlink()
        freed = time.monotonic()
        await _until(house, lambda: all(play.stored[table] > stuck[table] + 10 for table in _TABLES))
        again = time.monotonic() - freed
        play.end()
        await playing
        await _until(
            house,
            lambda: all(house.booked(table) == f"{{[1,{play.stored[table] + 1})}}" for table in _TABLES),
        )
        await _until(
            house,
            lambda: house.ask("SELECT count(*) FROM books.round_end") == sum(play.stored.values()),
        )
        assert again < 30
        states = await asyncio.to_thread(_doctor, house)
        assert (states["log on disk"], states["booking"]) == ("well", "well")


@pytest.mark.requirement("GL-03")
def test_a_log_that_met_a_full_disk_is_started_again_once_there_is_room(tmp_path: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200m,mode=755", "tmpfs", str(tmp_path)], check=True)
    server = EmbeddedNats(tmp_path / "log").start()

    def is_stuck() -> bool:
        options = ("--monitor", f"http://127.0.0.1:{server.monitor_port}", "--folder", str(server.folder))
        return not subprocess.run([*COMMAND, "doctor", "--log-stuck", *options], check=False).returncode

    try:
        assert asyncio.run(_stores(server.url))
        assert not is_stuck()
        ballast = fill(tmp_path)
        while not server.has_write_error:
            assert not asyncio.run(_stores(server.url, size=100_000))
        assert not is_stuck(), "without room, a restart does not help"
        ballast.unlink()
        assert not asyncio.run(_stores(server.url)), "it stores nothing by itself"
        assert is_stuck()
        server.stop()
        server.start()
        assert not is_stuck()
        assert asyncio.run(_stores(server.url))
    finally:
        server.remove()
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


async def _stores(url: str, size: int = 100) -> bool:
    """Whether NATS stores a message."""
    client = await nats.connect(url)
    try:
        await ensure_streams(client.jetstream(), (PARKED,))
        await client.jetstream(timeout=2).publish("parked.test", b"x" * size)
    except (errors.Error, TimeoutError):
        return False
    finally:
        await client.close()
    return True


def _doctor(house: House) -> dict[str, str]:
    conf = json.loads((house.folder / "up" / "log" / "server.conf").read_text(encoding="utf-8"))
    port = conf["http"].rpartition(":")[2]
    words = ("--dsn", house.dsn, "--monitor", f"http://127.0.0.1:{port}")
    output = house.command("doctor", *words, "--json", check=False)
    return {row["check"]: row["state"] for row in json.loads(output)}


async def _until(house: House, true: Callable[[], object]) -> None:
    await asyncio.to_thread(house.until, true, 60)
