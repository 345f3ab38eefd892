"""Many sites of a network link in the bare NATS protocol, over TLS 1.3 or plain, and a hub that books them.

Each site sends its sum so many times a second; 2% are sent twice and 2% late, connections are cut, and the
hub's NATS server may be killed. In the end every site's last sum must be booked, to the micro. The sites are
in processes of their own, which share the processors with the hub: ``all_back_s`` is the time from the
restart of the server until the last site is connected, with its handshake on both sides.
"""

import argparse
import json
import multiprocessing
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from typing import Any

import nkeys
import psutil
from bench_link import plain_loop
from hub_books import begin, network_link
from hub_site import Played, play_sites

from feltwork.books.audit.replay import audit
from feltwork.books.connection import connect
from feltwork.books.migrate import migrate
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing, public_half
from feltwork.servers.nats_permissions import HUB, SERVER, hub_rights, site_rights
from feltwork.servers.postgres import EmbeddedPostgres

#: Commits have times, so that a sum is followed to the commit that books it.
SETTINGS = {"track_commit_timestamp": "on"}
BOOKED = """
SELECT site, sum.entry, extract(epoch FROM pg_xact_commit_timestamp(sum.xmin))::float8 FROM books.sum
"""


def wait_until_connected(pipes: list[Pipe]) -> None:
    """Wait for all sites."""
    began = time.time()
    for pipe in pipes:
        pipe.recv()
    print(f"connected after {time.time() - began:.1f} s", file=sys.stderr)


def play(chosen: argparse.Namespace, pipes: list[Pipe], nats: EmbeddedNats) -> tuple[list[Played], float]:
    """Let all sites play, and kill the server halfway; when it was up again."""
    for pipe in pipes:
        pipe.send("play")
    up_at = 0.0
    if chosen.kill:
        time.sleep(chosen.seconds / 2)
        nats.kill()
        nats.start()
        up_at = time.time()
        for pipe in pipes:
            pipe.send("killed")
    return [pipe.recv() for pipe in pipes], up_at


def measured(dsn: str, played: list[Played], up_at: float) -> dict[str, float]:
    """What is booked, how late, and whether anything is lost; when a sum was booked again after a kill."""
    sent = {site: when for play in played for site, when in play.sent.items()}
    passed = {site: amount for play in played for site, amount in play.passed.items()}
    with connect(dsn) as connection:
        booked = connection.execute(BOOKED.encode()).fetchall()
        took = sorted(at - sent[site][entry] for site, entry, at in booked if entry in sent[site])
        members: dict[str, int] = dict(
            connection.execute("SELECT site, passed FROM books.member").fetchall()  # type: ignore[arg-type]
        )
        entries = connection.execute("SELECT count(*) FROM books.entry WHERE kind = 'Summed'").fetchone()
        verdict = audit(connection)
    assert not verdict.problems, verdict.problems
    assert entries is not None
    again = [at for site, entry, at in booked if sent[site].get(entry, 0.0) > up_at]
    back = {"booked_again_s": round(min(again) - up_at, 1)} if up_at else {}
    return back | {
        "sums_sent": sum(len(when) for when in sent.values()),
        "sums_booked": len(booked),
        "windows": entries[0],
        "committed_p50_ms": round(statistics.median(took) * 1e3),
        "committed_p99_ms": round(took[int(len(took) * 0.99)] * 1e3),
        "difference": sum(amount - members[site] for site, amount in passed.items()),
        "sites_that_differ": sum(amount != members[site] for site, amount in passed.items()),
        "cuts": sum(play.cuts for play in played),
    }


def start_sites(
    chosen: argparse.Namespace, seeds: list[bytes], port: int, ring: KeyRing
) -> tuple[list[Pipe], list[Any]]:
    """Start the processes of sites."""
    context = multiprocessing.get_context("spawn")
    pipes, processes = [], []
    for first in range(chosen.processes):
        own_end, other_end = context.Pipe()
        numbers = list(range(first, chosen.sites, chosen.processes))
        site_seeds = [seeds[number] for number in numbers]
        process = context.Process(
            target=play_sites, args=(numbers, site_seeds, chosen, port, ring, other_end)
        )
        process.start()
        pipes.append(own_end)
        processes.append(process)
    return pipes, processes


def run(chosen: argparse.Namespace, folder: Path, postgres: EmbeddedPostgres) -> dict[str, Any]:
    """Start the hub and its server, play, and compare."""
    migrate(postgres.dsn())
    with connect(postgres.dsn(role="writer")) as connection:
        begin(connection, network_link(), chosen.sites)
    ring = KeyRing(folder / "keys")
    ring.make_authority(HUB)
    ring.make(SERVER, ("127.0.0.1", "localhost"))
    ring.make("sites")
    seeds = [
        bytes(nkeys.encode_seed(random.randbytes(32), nkeys.PREFIX_BYTE_USER)) for _ in range(chosen.sites)
    ]
    users = [site_rights(public_half(seed), f"S{number}") for number, seed in enumerate(seeds)]
    plan = hub_plan([hub_rights(ring.make(HUB)), *users], ring.certificate(SERVER))
    if chosen.plain:
        plan = replace(plan, tls=None, least_tls="")
    nats = EmbeddedNats(folder / "nats", plan).start()
    command = [str(Path(sys.executable).with_name("feltwork")), "hub", "--keys", str(ring.folder)]
    command += [
        "--nats",
        nats.url,
        "--window-ms",
        str(chosen.window_ms),
        "--dsn",
        postgres.dsn(role="writer"),
    ]
    with (folder / "hub.log").open("wb") as log:
        hub = subprocess.Popen(command, stdout=log, stderr=log)
    pipes, processes = start_sites(chosen, seeds, nats.port, ring)
    try:
        wait_until_connected(pipes)
        before, wall = sum(psutil.Process(hub.pid).cpu_times()[:2]), time.time()
        played, up_at = play(chosen, pipes, nats)
        cpu = sum(psutil.Process(hub.pid).cpu_times()[:2]) - before
        figures: dict[str, Any] = {"hub_cores": round(cpu / (time.time() - wall), 2)}
        if chosen.kill:
            figures |= {
                "all_back_s": round(max(play.back_at for play in played) - up_at, 1),
                "sites_cpu_until_back_s": round(sum(play.back_cpu for play in played), 1),
                "failed_attempts": sum(play.failed_attempts for play in played),
            }
        figures |= measured(postgres.dsn(role="writer"), played, up_at)
        figures["hub_cpu_us_a_sum"] = round(cpu / figures["sums_sent"] * 1e6)
        figures["plain_loop_s"] = plain_loop()
        figures["load_average"] = round(psutil.getloadavg()[0], 1)
    finally:
        for process in processes:
            process.join(10)
            process.kill()
        hub.send_signal(signal.SIGTERM)
        hub.wait(30)
        print((folder / "hub.log").read_text()[-1500:], file=sys.stderr)
        nats.remove()
    return figures


def main() -> None:
    """Measure on servers of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--hertz", type=float, default=4)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--cuts", type=int, default=0)
    parser.add_argument("--window-ms", type=int, default=100)
    parser.add_argument("--plain", action="store_true", help="without TLS")
    parser.add_argument("--kill", action="store_true", help="kill -9 the NATS server halfway")
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bench-sites-"))
    folder.chmod(0o755)
    postgres = EmbeddedPostgres(folder / "postgres", SETTINGS).start()
    try:
        print(json.dumps(run(chosen, folder, postgres)))
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
