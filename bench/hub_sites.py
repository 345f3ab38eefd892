"""Many sites of a network link in one process, in the bare NATS protocol over TLS 1.3.

Each site sends its sum so many times a second; 2 % are sent twice and 2 % late, connections are cut, and the
hub's NATS server may be killed. In the end every site's last sum must be booked, to the micro.
"""

import argparse
import asyncio
import base64
import hashlib
import json
import random
import signal
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import nkeys
import psutil
from hub_books import begin, network_link

from feltwork.books.audit.replay import audit
from feltwork.books.connection import connect
from feltwork.books.migrate import migrate
from feltwork.progressive.link import Link
from feltwork.progressive.network.messages import SiteSum
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing, public_half
from feltwork.servers.nats_permissions import HUB, SERVER, hub_rights, site_rights
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.wire.network import encode, subject_of

DOUBLED = LATE = 0.02
LONGEST_LATE = 5.0


class Site:
    """A site: its chain is a number and a hash, and its counters grow with every sum."""

    def __init__(self, number: int, link: Link, seed: bytes, *, port: int, tls: ssl.SSLContext) -> None:
        self.name = f"S{number}"
        self.link = link
        self.seed = seed
        self.port = port
        self.tls = tls
        self.entry = 0
        self.connects = 0
        self.sent: dict[int, float] = {}
        self.writer: asyncio.StreamWriter | None = None

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
        late = grow and random.random() < LATE
        if late:
            asyncio.get_running_loop().call_later(random.uniform(0, LONGEST_LATE), self._write, frame)
        elif self._write(frame):
            self.sent[self.entry] = time.time()
        if random.random() < DOUBLED:
            self._write(frame)

    def _write(self, frame: bytes) -> bool:
        if self.writer is None or self.writer.is_closing():
            return False
        self.writer.write(frame)
        return True

    def cut(self) -> None:
        """Cut the connection."""
        if self.writer is not None:
            self.writer.transport.abort()

    async def stay_connected(self) -> None:
        """Connect, answer pings, and connect again after a pause of random length."""
        while True:
            with suppress(OSError, EOFError, ssl.SSLError, TimeoutError):
                await self._connected()
            self.writer = None
            await asyncio.sleep(random.uniform(0.1, 2.0))

    async def _connected(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            info = json.loads((await asyncio.wait_for(reader.readline(), 30)).removeprefix(b"INFO "))
            await writer.start_tls(self.tls, server_hostname="127.0.0.1", ssl_handshake_timeout=30)
            keys = nkeys.from_seed(bytearray(self.seed))
            signature = base64.urlsafe_b64encode(keys.sign(info["nonce"].encode())).rstrip(b"=").decode()
            hello = {
                "verbose": False,
                "pedantic": False,
                "lang": "bench",
                "version": "1",
                "nkey": public_half(self.seed),
                "sig": signature,
            }
            said = f"CONNECT {json.dumps(hello)}\r\nSUB down.*.{self.name}.> 1\r\nSUB meters.* 2\r\nPING\r\n"
            writer.write(said.encode())
            while line := await reader.readline():
                if line.startswith(b"PONG") and self.writer is None:
                    self.writer = writer
                    self.connects += 1
                elif line.startswith(b"PING"):
                    writer.write(b"PONG\r\n")
                elif line.startswith(b"MSG"):
                    await reader.readexactly(int(line.split()[-1]) + 2)
                elif line.startswith(b"-ERR"):
                    print(self.name, line.decode().strip(), file=sys.stderr)
        finally:
            writer.transport.abort()


async def play(sites: list[Site], chosen: argparse.Namespace, nats: EmbeddedNats) -> dict[str, float]:
    """Connect all, play, cut and kill; in the end every site sends its last sum."""
    tasks = [asyncio.create_task(site.stay_connected()) for site in sites]
    began = time.time()
    await until(lambda: all(site.writer for site in sites), 120)
    found = {"connected_after_s": round(time.time() - began, 1)}
    end = time.time() + chosen.seconds
    killed_at = time.time() + chosen.seconds / 2 if chosen.kill else end + 1
    cuts, beat = 0, 0
    back: asyncio.Task[None] | None = None
    step = 1 / chosen.hertz / 20
    while time.time() < end:
        for site in sites[beat % 20 :: 20]:
            site.send()
        beat += 1
        if cuts < chosen.cuts * (1 - (end - time.time()) / chosen.seconds):
            random.choice(sites).cut()
            cuts += 1
        if time.time() > killed_at:
            killed_at = end + 1
            nats.kill()
            nats.start()
            back = asyncio.create_task(all_back(sites, found))
        await asyncio.sleep(max(0.0, began + found["connected_after_s"] + beat * step - time.time()))
    await asyncio.sleep(LONGEST_LATE)
    await until(lambda: all(site.writer for site in sites), 60)
    for _ in range(3):
        for site in sites:
            site.send(grow=False)
        await asyncio.sleep(1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if back is not None:
        await back
    return {**found, "cuts": cuts}


async def all_back(sites: list[Site], found: dict[str, float]) -> None:
    """Note how long after a restart of the server all sites are connected again."""
    began = time.time()
    for site in sites:
        site.cut()
        site.writer = None
    await until(lambda: all(site.writer for site in sites), 60)
    found["all_back_s"] = round(time.time() - began, 1)


async def until(holds: Callable[[], bool], seconds: float) -> None:
    """Wait until something holds."""
    end = time.time() + seconds
    while not holds():
        if time.time() > end:
            raise TimeoutError
        await asyncio.sleep(0.05)


def measured(dsn: str, link: Link, sites: list[Site]) -> dict[str, float]:
    """What is booked, how late, and whether anything is lost."""
    with connect(dsn) as connection:
        rows = connection.execute("SELECT site, entry, extract(epoch FROM booked_at)::float8 FROM books.sum")
        sent = {site.name: site.sent for site in sites}
        booked = rows.fetchall()
        took = sorted(at - sent[site][entry] for site, entry, at in booked if entry in sent[site])
        members: dict[str, int] = dict(
            connection.execute("SELECT site, passed FROM books.member").fetchall()  # type: ignore[arg-type]
        )
        entries = connection.execute("SELECT count(*) FROM books.entry WHERE kind = 'Summed'").fetchone()
        verdict = audit(connection)
    assert not verdict.problems, verdict.problems
    assert entries is not None
    return {
        "sums_sent": sum(site.entry for site in sites),
        "sums_booked": len(booked),
        "windows": entries[0],
        "booked_p50_ms": round(statistics.median(took) * 1e3),
        "booked_p99_ms": round(took[int(len(took) * 0.99)] * 1e3),
        "difference": sum(site.sum().passed - members[site.name] for site in sites),
        "sites_that_differ": sum(site.sum().passed != members[site.name] for site in sites),
    }


def run(chosen: argparse.Namespace, folder: Path, postgres: EmbeddedPostgres) -> dict[str, Any]:
    """Start the hub and its server, play, and compare."""
    link = network_link()
    migrate(postgres.dsn())
    with connect(postgres.dsn(role="writer")) as connection:
        begin(connection, link, chosen.sites)
    ring = KeyRing(folder / "keys")
    ring.make_authority(HUB)
    ring.make(SERVER, ("127.0.0.1", "localhost"))
    ring.make("sites")
    seeds = [
        bytes(nkeys.encode_seed(random.randbytes(32), nkeys.PREFIX_BYTE_USER)) for _ in range(chosen.sites)
    ]
    users = [site_rights(public_half(seed), f"S{number}") for number, seed in enumerate(seeds)]
    plan = hub_plan([hub_rights(ring.make(HUB)), *users], ring.certificate(SERVER))
    nats = EmbeddedNats(folder / "nats", plan).start()
    command = [
        str(Path(sys.executable).with_name("feltwork")),
        "hub",
        "--keys",
        str(ring.folder),
        "--nats",
        nats.url,
    ]
    command += ["--window-ms", str(chosen.window_ms), "--dsn", postgres.dsn(role="writer")]
    with (folder / "hub.log").open("wb") as log:
        hub = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        tls = ring.options("sites")["tls"]
        sites = [Site(number, link, seed, port=nats.port, tls=tls) for number, seed in enumerate(seeds)]
        time.sleep(3)
        found: dict[str, Any] = {"sites": chosen.sites, "hertz": chosen.hertz, "seconds": chosen.seconds}
        found |= asyncio.run(play(sites, chosen, nats))
        busy = sum(psutil.Process(hub.pid).cpu_times()[:2])
        found["hub_core"] = round(busy / (chosen.seconds + 10), 2)
        found |= measured(postgres.dsn(role="writer"), link, sites)
        found["load_average"] = round(psutil.getloadavg()[0], 1)
    finally:
        hub.send_signal(signal.SIGTERM)
        hub.wait(30)
        print((folder / "hub.log").read_text()[-1500:], file=sys.stderr)
        nats.remove()
    return found


def main() -> None:
    """Measure on servers of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--hertz", type=float, default=4)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--cuts", type=int, default=0)
    parser.add_argument("--window-ms", type=int, default=100)
    parser.add_argument("--kill", action="store_true", help="kill -9 the NATS server halfway")
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bench-sites-"))
    folder.chmod(0o755)
    postgres = EmbeddedPostgres(folder / "postgres").start()
    try:
        print(json.dumps(run(chosen, folder, postgres)))
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
