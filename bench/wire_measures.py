"""What is measured: tables into the books, the two engines bare, and how long until a meter shows a wager."""

import asyncio
import statistics
import tempfile
import time
from functools import partial
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import nats
from wire_box import TemporaryServers
from wire_tables import SEATS, TABLES, in_process, names_of, play_flat_out, play_paced

from feltwork.site.bookkeeper.pull_consumer import PullConsumer
from feltwork.site.books.connection import connect
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.wire.streams import FELT, consumer_config, consumer_name, ensure_streams


def end_to_end(
    box: TemporaryServers,
    *,
    tables: int,
    rounds: int,
    first: int,
    ends: bool = False,
) -> dict[str, Any]:
    """Tables flat out; the clock stops when the last wager, and the last end, is in the books."""
    before, cpu = box.wagers(), box.cpu()
    ended_before = box.ends() if ends else 0
    names = names_of(tables)
    box.lay(names)
    queue, process = in_process(partial(play_flat_out, ends=ends), box.log.url, names, first, rounds)
    expected = before + rounds * len(SEATS)
    while box.wagers() < expected or (ends and box.ends() < ended_before + rounds):
        time.sleep(0.05)
    ended = time.time()
    began, published, spent = queue.get(timeout=60)
    process.join(30)
    assert box.wagers() == expected, "every wager is booked once"
    wagers = rounds * len(SEATS)
    used = {name: seconds - cpu[name] for name, seconds in box.cpu().items()} | {"tables": spent}
    return {
        "wagers_per_second": round(wagers / (ended - began)),
        "published_after_seconds": round(published - began, 2),
        "seconds": round(ended - began, 2),
        "cpu_microseconds_per_wager": {
            name: round(seconds / wagers * 1e6, 2) for name, seconds in sorted(used.items())
        },
    }


def take_and_acknowledge(url: str, messages: int, queue: "Queue[Any]") -> None:
    """Bare: a consumer that takes and acknowledges as the bookkeeper does, and books nothing."""

    async def take() -> None:
        client = await nats.connect(url, pending_size=64 << 20)
        async with asyncio.TaskGroup() as tasks:
            pull = PullConsumer(client, FELT, consumer_name("L1"), ahead=10_000, prefix="$JS.API")
            await pull.start(tasks)
            count = 0
            while count < messages:
                letters = await pull.take(2_500)
                for letter in letters:
                    await letter.raw.ack()
                count += len(letters)
            queue.put(time.time())
            await pull.stop()
        await client.flush()
        await client.close()

    asyncio.run(take())


def bare_wire(*, tables: int, rounds: int, sync_always: bool, ends: bool = False) -> int:
    """Bare JetStream: the same messages published, taken and acknowledged; wagers a second."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bare-"))
    server = EmbeddedNats(folder, NatsPlan(sync_always=sync_always)).start()

    async def prepare() -> None:
        client = await nats.connect(server.url)
        await ensure_streams(client.jetstream())
        await client.jetstream().add_consumer(FELT, consumer_config("L1"))
        await client.close()

    try:
        asyncio.run(prepare())
        taker_queue, taker = in_process(take_and_acknowledge, server.url, 2 * rounds if ends else rounds)
        names = names_of(tables)
        player_queue, process = in_process(partial(play_flat_out, ends=ends), server.url, names, 1, rounds)
        ended = taker_queue.get(timeout=120)
        began, _, _ = player_queue.get(timeout=60)
        taker.join(30)
        process.join(30)
    finally:
        server.remove()
    return int(rounds * len(SEATS) / (ended - began))


def bare_copy(box: TemporaryServers, *, batch: int, seconds: float) -> int:
    """Bare PostgreSQL: COPY of the same rows and one meter update per commit; wagers a second."""
    seats = "{" + ",".join(map(str, SEATS)) + "}"
    columns = "table_id, number, link, started_at, wager, seats, entry"
    with connect(box.postgres.dsn()) as owner:
        row = owner.execute("SELECT coalesce(max(number), 0) FROM bare_round").fetchone()
        number = row[0] if row else 0
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            text = "".join(
                f"B{place % TABLES}\t{number + 1 + place // TABLES}\tL1\t1800000000000000\t1000000\t{seats}"
                "\t1\n"
                for place in range(batch)
            )
            with owner.transaction():
                with owner.cursor() as cursor, cursor.copy(f"COPY bare_round ({columns}) FROM STDIN") as copy:
                    copy.write(text)
                owner.execute("UPDATE bare_meter SET amount = amount + %s", (batch * len(SEATS),))
            number += batch // TABLES + 1
            count += batch
        return round(count * len(SEATS) / (time.perf_counter() - began))


def latency(box: TemporaryServers, *, tables: int, first: int, seconds: float) -> dict[str, float]:
    """From START GAME to the meter event, in milliseconds, at 2,000 wagers a second."""
    names = names_of(tables)
    box.lay(names)
    queue, process = in_process(play_paced, box.log.url, names, first, seconds)
    sent, latencies = queue.get(timeout=seconds + 90)
    process.join(30)
    assert len(latencies) == sent, f"{sent - len(latencies)} rounds were not seen on the meter"
    latencies.sort()
    return {
        "rounds": sent,
        "p50_ms": round(1_000 * statistics.median(latencies), 1),
        "p99_ms": round(1_000 * latencies[int(len(latencies) * 0.99)], 1),
    }
