"""`feltwork table` as people run it, killed with -9 at any moment: no number is missing, none double."""

import asyncio
import os
import random
import signal
import sys
from contextlib import suppress
from pathlib import Path

import nats
import pytest

from feltwork.conformance.simulated_site import SimulatedSite
from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.wire.uplink import RoundMessage, RoundStarted
from tests.sizes import size
from tests.table.conftest import EXAMPLES, room, until

FLOOR = EXAMPLES / "card_room.toml"


class Process:
    """The command, its buttons, and what it answers."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.answers: list[str] = []
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, url: str, keys: Path) -> "Process":
        words = ("table", "C1", "--floor", str(FLOOR), "--nats", url, "--keys", str(keys))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from feltwork.cli.main import main; main()",
            *words,
            "--badge",
            "B-dana",
            env={**os.environ, "FELTWORK_PIN_B_DANA": "2580"},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        return cls(process)

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            self.answers.append(line.decode().rstrip())

    def press(self, *lines: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())

    async def heard(self, text: str) -> str:
        await until(lambda: any(text in answer for answer in self.answers), 60)
        return next(answer for answer in self.answers if text in answer)

    async def end(self, with_signal: signal.Signals = signal.SIGKILL) -> list[str]:
        """Everything that it answered before it was gone."""
        os.kill(self._process.pid, with_signal)
        await self._process.wait()
        await self._reading
        assert self._process.stdin is not None
        self._process.stdin.close()
        with suppress(OSError):
            await self._process.stdin.wait_closed()
        return self.answers


@pytest.mark.requirement("GEN-07", "GL-12")
def test_killed_at_any_moment_it_goes_on_with_the_next_number(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(room(), ring)
    server = EmbeddedNats(
        tmp_path / "site", NatsPlan(users=users, tls=ring.certificate(nats_permissions.SERVER))
    ).start()
    dice = random.Random(7)

    async def play() -> None:
        books = await nats.connect(server.url, **ring.options(nats_permissions.BOOKS))
        manages = ring.derived_options(nats_permissions.BOOKS, nats_permissions.STREAMS)
        streams = await nats.connect(server.url, **manages)
        site = SimulatedSite(books, "five-card", streams=streams)
        await site.open()
        promised: set[int] = set()
        for _ in range(size(4, 12)):
            table = await Process.start(server.url, ring.folder)
            await table.heard("told accepted by the books")
            table.press("seats 1 2 3", "sensor 1 on", "sensor 3 on")
            for _ in range(400):
                table.press("start", "end")
            await table.heard("ok round")
            await asyncio.sleep(dice.uniform(0.05, 0.6))
            promised |= {
                int(answer.split()[2]) for answer in await table.end() if answer.startswith("ok round")
            }
        highest = max(promised)
        await until(lambda: len(_numbers(site)) >= highest, 60)
        numbers = _numbers(site)
        assert numbers == list(range(1, len(numbers) + 1))
        assert len(numbers) >= highest > 4
        assert site.problems == []
        steps = [(message.round, message.step) for message in site.said if isinstance(message, RoundMessage)]
        assert len(steps) == len(set(steps))
        await site.close()
        await books.close()
        await streams.close()

    try:
        asyncio.run(play())
    finally:
        server.remove()


def _numbers(site: SimulatedSite) -> list[int]:
    return [message.round for message in site.said if isinstance(message, RoundStarted)]


@pytest.mark.requirement("GEN-07", "LT-02")
def test_people_see_what_the_table_does_and_why_it_does_not(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(room(), ring)
    server = EmbeddedNats(
        tmp_path / "site", NatsPlan(users=users, tls=ring.certificate(nats_permissions.SERVER))
    ).start()

    async def play() -> None:
        books = await nats.connect(server.url, **ring.options(nats_permissions.BOOKS))
        manages = ring.derived_options(nats_permissions.BOOKS, nats_permissions.STREAMS)
        streams = await nats.connect(server.url, **manages)
        site = SimulatedSite(books, "five-card", streams=streams)
        await site.open()
        table = await Process.start(server.url, ring.folder)
        await table.heard("told accepted by the books; last round 0")
        table.press("end", "dance", "seats 1 2", "sensor 2 on", "start", "hand 7 royal_flush")
        assert "press: START GAME" in await table.heard("no table C1, round 0: END GAME is disabled now")
        await table.heard("no dance: unknown; type help for a list")
        await table.heard("ok round 1 playing · seats 2")
        assert "LT-01" in await table.heard("no table C1, round 1, seat 7: there is no player in this seat")
        table.press("hand 2 royal_flush As Ks Qs Js Ts")
        await table.heard("told seat 2: 1.00 confirmed")
        table.press("end", "quit")
        await table.heard("ok round 1 idle")
        await table.end(signal.SIGTERM)
        await site.close()
        await books.close()
        await streams.close()

    try:
        asyncio.run(play())
    finally:
        server.remove()
