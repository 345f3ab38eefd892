"""Whatever dies or is cut off in the middle, nothing is lost and nothing counts twice."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import nats
import pytest
from nats import errors

from feltwork.site.wire.streams import ensure_streams
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import encode
from tests.bookkeeper.house import House, claim, kill, say, started, with_log
from tests.sizes import NIGHTLY

TABLES = 20


class Floor(threading.Thread):
    """Tables that play on whatever happens, and say again what the log did not acknowledge."""

    def __init__(self, url: str, *, every_seconds: float = 0.002) -> None:
        super().__init__()
        self.url = url
        self.every_seconds = every_seconds
        self.over = threading.Event()
        self.acknowledged = dict.fromkeys((f"T{number}" for number in range(1, TABLES + 1)), 0)

    def run(self) -> None:
        asyncio.run(self._play())

    async def _play(self) -> None:
        client = await nats.connect(
            self.url, max_reconnect_attempts=-1, reconnect_time_wait=0.2, error_cb=_quiet, pending_size=1
        )
        js = client.jetstream(timeout=2)
        await ensure_streams(js)
        while not self.over.is_set():
            for table, number in self.acknowledged.items():
                message = started(number + 1, table)
                try:
                    await js.publish(subject_of(message), encode(message), timeout=1)
                except (errors.Error, TimeoutError):
                    await asyncio.sleep(0.05)
                    break
                self.acknowledged[table] = number + 1
                await asyncio.sleep(self.every_seconds)
        await client.close()

    def stop(self) -> int:
        self.over.set()
        self.join(30)
        return sum(self.acknowledged.values())


async def _quiet(_error: Exception) -> None:
    """The tables only try again."""


@contextmanager
def a_floor(house: House) -> Iterator[Floor]:
    floor = Floor(house.log.url)
    floor.start()
    try:
        yield floor
    finally:
        floor.stop()


def drain(house: House, floor: Floor) -> None:
    """All that was acknowledged is booked, each round once, and the books are in order."""
    rounds = floor.stop()
    assert rounds > 100, "the floor has played"

    def all_booked() -> bool:
        return all(
            house.booked(table) in (f"{{[1,{last + 1})}}", f"{{[1,{last + 2})}}")
            for table, last in floor.acknowledged.items()
        )

    house.until(all_booked)
    assert house.ask("SELECT count(*) FROM books.round") >= rounds
    assert house.ask("SELECT count(*) FROM (SELECT 1 FROM books.round GROUP BY table_id, number) AS one") == (
        house.ask("SELECT count(*) FROM books.round")
    )
    house.check()


@pytest.mark.requirement("GEN-09", "GL-03")
@pytest.mark.timeout(200)
def test_a_bookkeeper_killed_in_the_middle_loses_and_doubles_nothing(house: House) -> None:
    house.keeper()
    with a_floor(house) as floor:
        house.until(lambda: house.wagers() > 100)
        for _ in range(3):
            kill(house.keepers[-1])
            house.keeper()
            before = house.wagers()
            house.until(lambda before=before: house.wagers() > before)  # type: ignore[misc]
            time.sleep(0.5)
        drain(house, floor)


@pytest.mark.requirement("GEN-09", "GL-03", "GL-04")
@pytest.mark.timeout(200)
def test_postgresql_killed_in_the_middle_loses_and_doubles_nothing(house_alone: House) -> None:
    house = house_alone
    house.keeper()
    with a_floor(house) as floor:
        house.until(lambda: house.wagers() > 100)
        for away in (0.2, 3.0):
            house.postgres.kill()
            time.sleep(away)
            house.postgres.start()
            before = house.wagers()
            house.until(lambda before=before: house.wagers() > before)  # type: ignore[misc]
        drain(house, floor)
    assert house.keepers[0].poll() is None, "the bookkeeper has waited for the books"


@pytest.mark.requirement("GEN-09", "GL-04")
@pytest.mark.timeout(200)
def test_the_log_killed_in_the_middle_loses_and_doubles_nothing(house: House) -> None:
    house.keeper()
    with a_floor(house) as floor:
        house.until(lambda: house.wagers() > 100)
        for away in (0.2, 3.0):
            house.log.kill()
            time.sleep(away)
            house.log.start()
            before = house.wagers()
            house.until(lambda before=before: house.wagers() > before)  # type: ignore[misc]
        drain(house, floor)
    assert house.keepers[0].poll() is None, "the bookkeeper has waited for the log"


@pytest.mark.requirement("WA-05")
@pytest.mark.timeout(200)
def test_two_bookkeepers_race_and_each_round_is_booked_once(house: House) -> None:
    house.keeper()
    house.keeper()
    say(house, [started(number, f"T{table}") for number in range(1, 31) for table in range(1, TABLES + 1)])
    with_log(house, lambda js: _again(js, 30))
    house.until(lambda: house.wagers() == 3 * 30 * TABLES)
    say(house, [claim(1, 1, "T3"), claim(1, 1, "T3")])
    house.until(lambda: house.ask("SELECT count(*) FROM books.award") == 1)
    kill(house.keepers[0])
    say(house, [started(31, f"T{table}") for table in range(1, TABLES + 1)])
    house.until(lambda: house.wagers() == 3 * 31 * TABLES)
    house.check()


async def _again(js: nats.js.JetStreamContext, rounds: int) -> None:
    """Everything once more, in another order."""
    for number in range(rounds, 0, -1):
        for table in range(1, TABLES + 1):
            message = started(number, f"T{table}")
            await js._nc.publish(subject_of(message), encode(message))
    await js._nc.flush()


class Cable:
    """A cable between a bookkeeper and a server, that can be cut and mended."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cut = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self.cut:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._to))
                self._pairs.append((near, far))
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(source, target), daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65_536):
                while self.cut:
                    time.sleep(0.02)  # nothing arrives, and nobody is told
                target.sendall(data)

    def mend(self) -> None:
        self.cut = False

    def close(self) -> None:
        self._listener.close()
        for pair in self._pairs:
            for end in pair:
                end.close()


@pytest.mark.requirement("GL-04")
@pytest.mark.timeout(200)
@pytest.mark.parametrize("seconds", [2.0, 15.0] if NIGHTLY else [2.0])
def test_a_cut_that_is_healed_resumes(house: House, seconds: float) -> None:
    to_log, to_books = Cable(house.log.port), Cable(house.postgres.port)
    dsn = house.dsn.replace(f"port={house.postgres.port}", f"port={to_books.port}")
    house.keeper("--nats", f"nats://127.0.0.1:{to_log.port}", "--dsn", dsn)
    numbers = iter(range(1, 10_000))

    def play() -> Callable[[], bool]:
        number = next(numbers)
        say(house, [started(number)])
        return lambda: house.booked() == f"{{[1,{number + 1})}}"

    try:
        house.until(play())
        for cable in (to_log, to_books):
            cable.cut = True
            booked = play()
            time.sleep(seconds)
            assert not booked()
            cable.mend()
            house.until(booked)
        house.check()
    finally:
        to_log.close()
        to_books.close()
