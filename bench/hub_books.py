"""What a hub's books cost: windows of sums, one entry and one commit each, as the hub books them.

Processor time is that of this process and of its PostgreSQL backend. ``--json`` prints figures for programs.
"""

import argparse
import hashlib
import json
import math
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
from bench_link import plain_loop, the_link

from feltwork.books.audit.replay import audit
from feltwork.books.connection import Connection, connect
from feltwork.books.links import lifecycle, links
from feltwork.books.migrate import migrate
from feltwork.books.network.hub_store import lock_hub, write_step
from feltwork.operations.network.hub import HubLink
from feltwork.progressive.link import Link
from feltwork.progressive.network.facts import Joined
from feltwork.progressive.network.hub import HubTiming
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.terms import NetworkTerms
from feltwork.progressive.sign_offs import TwoPersonRequest
from feltwork.servers.postgres import EmbeddedPostgres

AT_ONCE = HubTiming(window=0, snapshot=0)


def network_link() -> Link:
    """The link of the benchmarks, shared by sites."""
    link = the_link("N1")
    options = {**link.options, "several_winners": "seat_order", "fixed_pays_from": "tray"}
    return replace(link, lock_at="claim", options=options, network=NetworkTerms(hub="hub"))


def begin(connection: Connection, link: Link, sites: int) -> None:
    """Open a hub with so many members."""
    links.register_link(connection, link, by="bench")
    request = TwoPersonRequest(by="ann", approved_by="bob", reason="bench")
    lifecycle.open_link(connection, link.id, request)
    joined = [
        Joined(
            link=link.id,
            at=1,
            site=f"S{site}",
            agreement="bench",
            limit=10**15,
            entry=0,
            hash="0" * 64,
            by="ann",
            approved_by="bob",
        )
        for site in range(sites)
    ]
    with connection.transaction():
        write_step(connection, lock_hub(connection, link.id)[0], joined)


def sums(link: Link, sites: int, entry: int) -> Iterator[SiteSum]:
    """A newer sum of every site."""
    for site in range(sites):
        name = f"S{site}"
        yield SiteSum(
            link=link.id,
            site=name,
            entry=entry,
            hash=hashlib.sha256(f"{name} {entry}".encode()).hexdigest(),
            version=link.fingerprint,
            wagers=entry * 7,
            accrued={level.name: entry * 7 * level.contribution * 100 for level in link.levels},
            reserved={level.name: entry * 7 * level.reserve * 100 for level in link.levels},
            returned=dict.fromkeys(link.level_names, 0),
        )


def measure(dsn: str, *, sites: int, windows: int) -> dict[str, float]:
    """Book windows of sums and audit them."""
    link = network_link()
    with connect(dsn) as connection:
        begin(connection, link, sites)
        backend = psutil.Process(connection.info.backend_pid)
        hub = HubLink(link.id, AT_ONCE)
        hub.tick(connection)
        wall = hub_seconds = 0.0
        best = math.inf
        backend_seconds = sum(backend.cpu_times()[:2])
        for entry in range(1, windows + 1):
            for new in list(sums(link, sites, entry)):
                hub.hear(new)
            before, before_hub = time.perf_counter(), time.process_time()
            hub.tick(connection)
            took = time.perf_counter() - before
            wall, best = wall + took, min(best, took)
            hub_seconds += time.process_time() - before_hub
        backend_seconds = sum(backend.cpu_times()[:2]) - backend_seconds
        size = connection.execute(
            "SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('books.sum')"
        ).fetchone()
        assert size is not None
        verdict = audit(connection)
        assert not verdict.problems, verdict.problems
    booked = sites * windows
    return {
        "sums": booked,
        "sums_a_second": round(booked / wall),
        "sums_a_second_in_the_best_window": round(sites / best),
        "hub_cpu_us_a_sum": round(hub_seconds / booked * 1e6, 1),
        "postgres_cpu_us_a_sum": round(backend_seconds / booked * 1e6, 1),
        "bytes_a_sum": round(float(size[0]) / booked),
        "plain_loop_s": plain_loop(),
    }


def main() -> None:
    """Measure on a PostgreSQL of our own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sites", type=int, default=1_000)
    parser.add_argument("--windows", type=int, default=50)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bench-hub-"))
    folder.chmod(0o755)
    server = EmbeddedPostgres(folder).start()
    try:
        migrate(server.dsn())
        figures = measure(server.dsn(role="writer"), sites=chosen.sites, windows=chosen.windows)
    finally:
        server.remove()
    if chosen.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name.replace('_', ' '):34} {value:>12,}")


if __name__ == "__main__":
    main()
