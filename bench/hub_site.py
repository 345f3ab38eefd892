"""Sites of a network link in the bare NATS protocol, in processes of their own, and what happens to them."""

import argparse
import asyncio
import base64
import hashlib
import json
import random
import ssl
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from typing import Any

import nkeys
from hub_books import network_link

from feltwork.progressive.link import Link
from feltwork.progressive.network.messages import SiteSum
from feltwork.servers.nats_keys import KeyRing, public_half
from feltwork.wire.network import encode, subject_of

DOUBLED = LATE = 0.02
LONGEST_LATE = 5.0
#: The pause before a site connects again, in seconds.
PAUSE = (0.1, 2.0)


@dataclass(slots=True)
class Played:
    """What the sites of a process have done."""

    #: Site -> entry -> when it was sent.
    sent: dict[str, dict[int, float]] = field(default_factory=dict)
    #: Site -> what it has passed on.
    passed: dict[str, int] = field(default_factory=dict)
    connected_at: float = 0.0
    #: When the last site was back after the server was killed, the processor time of this process until then,
    #: and the attempts that failed.
    back_at: float = 0.0
    back_cpu: float = 0.0
    failed_attempts: int = 0
    cuts: int = 0


class Site(asyncio.Protocol):
    """A site: its chain is a number and a hash, and its counters grow with every sum."""

    def __init__(
        self, number: int, link: Link, seed: bytes, *, port: int, tls: ssl.SSLContext | None
    ) -> None:
        self.name = f"S{number}"
        self.link = link
        self.seed = seed
        self.port = port
        self.tls = tls
        self.entry = 0
        self.failed = 0
        self.sent: dict[int, float] = {}
        self.is_up = False
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        self._skip = 0
        self._info: asyncio.Future[dict[str, Any]] | None = None
        self._lost = asyncio.Event()

    def sum(self) -> SiteSum:
        """The sum as it is now."""
        wagers = self.entry * 7
        return SiteSum(
            link=self.link.id,
            site=self.name,
            entry=self.entry,
            hash=hashlib.sha256(f"{self.name} {self.entry}".encode()).hexdigest(),
            version=self.link.fingerprint,
            wagers=wagers,
            accrued={level.name: wagers * level.contribution * 100 for level in self.link.levels},
            reserved={level.name: wagers * level.reserve * 100 for level in self.link.levels},
            returned=dict.fromkeys(self.link.level_names, 0),
        )

    def send(self, *, grow: bool = True) -> None:
        """Play a little, and send the sum; doubled or late now and then."""
        self.entry += grow
        new = self.sum()
        data = encode(new)
        frame = f"PUB {subject_of(new)} {len(data)}\r\n".encode() + data + b"\r\n"
        if grow and random.random() < LATE:
            asyncio.get_running_loop().call_later(random.uniform(0, LONGEST_LATE), self._write, frame)
        elif self._write(frame):
            self.sent[self.entry] = time.time()
        if random.random() < DOUBLED:
            self._write(frame)

    def _write(self, frame: bytes) -> bool:
        if not self.is_up or self._transport is None or self._transport.is_closing():
            return False
        self._transport.write(frame)
        return True

    def cut(self) -> None:
        """Cut the connection."""
        if self._transport is not None:
            self._transport.abort()

    async def stay_connected(self) -> None:
        """Connect, and connect again after a pause of random length."""
        while True:
            try:
                await self._connect()
            except (OSError, EOFError, ssl.SSLError, TimeoutError):
                self.failed += 1
                self.cut()
            else:
                await self._lost.wait()
            self.is_up = False
            await asyncio.sleep(random.uniform(*PAUSE))

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._buffer, self._skip = b"", 0
        self._lost.clear()
        self._info = loop.create_future()
        transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self.port)
        info = await asyncio.wait_for(self._info, 30)
        if self.tls is not None:
            secure = await loop.start_tls(
                transport, self, self.tls, server_hostname="127.0.0.1", ssl_handshake_timeout=30
            )
            assert secure is not None
            transport = secure
        self._transport = transport
        signature = nkeys.from_seed(bytearray(self.seed)).sign(info["nonce"].encode())
        hello = {
            "verbose": False,
            "pedantic": False,
            "lang": "bench",
            "version": "1",
            "nkey": public_half(self.seed),
            "sig": base64.urlsafe_b64encode(signature).rstrip(b"=").decode(),
        }
        said = f"CONNECT {json.dumps(hello)}\r\nSUB down.*.{self.name}.> 1\r\nSUB meters.* 2\r\nPING\r\n"
        transport.write(said.encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Connect again."""
        self.is_up = False
        self._lost.set()
        if self._info is not None and not self._info.done():
            self._info.set_exception(EOFError())

    def data_received(self, data: bytes) -> None:
        """Answer pings; what the hub says is read and left."""
        self._buffer += data
        while True:
            if self._skip:
                if len(self._buffer) < self._skip:
                    return
                self._buffer, self._skip = self._buffer[self._skip :], 0
            line, found, rest = self._buffer.partition(b"\r\n")
            if not found:
                return
            self._buffer = rest
            self._read(line)

    def _read(self, line: bytes) -> None:
        if line.startswith(b"MSG"):
            self._skip = int(line.rpartition(b" ")[2]) + 2
        elif line.startswith(b"PING") and self._transport is not None:
            self._transport.write(b"PONG\r\n")
        elif line.startswith(b"PONG"):
            self.is_up = True
        elif line.startswith(b"INFO") and self._info is not None and not self._info.done():
            self._info.set_result(json.loads(line.removeprefix(b"INFO ")))
        elif line.startswith(b"-ERR"):
            print(self.name, line.decode(), file=sys.stderr)


def play_sites(
    numbers: list[int], seeds: list[bytes], chosen: argparse.Namespace, port: int, keys: KeyRing, pipe: Pipe
) -> None:
    """The process of some sites: it says when all are connected, plays when it is told to, and reports."""

    async def main() -> None:
        tls: ssl.SSLContext | None = None if chosen.plain else keys.options("sites")["tls"]
        link = network_link()
        sites = [
            Site(number, link, seed, port=port, tls=tls) for number, seed in zip(numbers, seeds, strict=True)
        ]
        tasks = [asyncio.create_task(site.stay_connected()) for site in sites]
        await until(lambda: all(site.is_up for site in sites), 600)
        played = Played(connected_at=time.time())
        pipe.send(played.connected_at)
        await asyncio.to_thread(pipe.recv)
        await _play(sites, chosen, pipe, played)
        for task in tasks:
            task.cancel()
        played.sent = {site.name: site.sent for site in sites}
        played.passed = {site.name: site.sum().passed for site in sites}
        pipe.send(played)

    asyncio.run(main())


async def _play(sites: list[Site], chosen: argparse.Namespace, pipe: Pipe, played: Played) -> None:
    began, beat, step = time.time(), 0, 1 / chosen.hertz / 20
    end = began + chosen.seconds
    cuts = chosen.cuts * len(sites) // chosen.sites
    back: asyncio.Task[None] | None = None
    while time.time() < end:
        for site in sites[beat % 20 :: 20]:
            site.send()
        beat += 1
        if played.cuts < cuts * (1 - (end - time.time()) / chosen.seconds):
            random.choice(sites).cut()
            played.cuts += 1
        if pipe.poll():  # the server was killed
            pipe.recv()
            back = asyncio.create_task(_come_back(sites, played))
        await asyncio.sleep(max(0.0, began + beat * step - time.time()))
    await asyncio.sleep(LONGEST_LATE)
    if back is not None:
        await back
    await until(lambda: all(site.is_up for site in sites), 300)
    for _ in range(3):
        for site in sites:
            site.send(grow=False)
        await asyncio.sleep(1)


async def _come_back(sites: list[Site], played: Played) -> None:
    """Note when all sites are connected again, and what it took."""
    cpu, failed = time.process_time(), sum(site.failed for site in sites)
    for site in sites:
        site.is_up = False
        site.cut()
    with suppress(TimeoutError):
        await until(lambda: all(site.is_up for site in sites), 240)
    played.back_at, played.back_cpu = time.time(), time.process_time() - cpu
    played.failed_attempts = sum(site.failed for site in sites) - failed


async def until(holds: Callable[[], bool], seconds: float) -> None:
    """Wait until something holds."""
    end = time.time() + seconds
    while not holds():
        if time.time() > end:
            raise TimeoutError
        await asyncio.sleep(0.05)
