"""What the wire costs: wagers from tables through JetStream into the books, beside its two engines bare.

All of it in one run on one machine: tables that publish (one process), a nats-server, a bookkeeper and
PostgreSQL. Bare (a) is a COPY of the same rounds and one meter update per batch; bare (b) is the same
messages published, taken and acknowledged with nobody to book them. `--quick` takes about a minute on a quiet
machine, `--json` prints figures for programs, `--curve` measures tables and links and draws the chart of
docs/operating, `--sse` 1,000 screens of one service.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg

from feltwork.books import life, links
from feltwork.books.carried import Carried
from feltwork.books.connection import connect
from feltwork.books.migrate import migrate
from feltwork.money import DOLLAR
from feltwork.progressive.link import Level, Link, options_of
from feltwork.progressive.people import Asked
from feltwork.titles import registry
from feltwork.wire.messages import RoundStarted, encode
from feltwork.wire.server import Plan, Server
from feltwork.wire.streams import FELT, consumer_config, consumer_name, ensure_streams
from feltwork.wire.subjects import subject_of
from feltwork.wire.told import MeterSnapshot, decode_told

HERE = Path(__file__).parent
SEATS = (1, 2, 3, 4, 5, 6, 7)
RATE = 1_200
TABLES = 150
#: How many messages a process of tables has under way at most.
IN_FLIGHT = 4_000
BARE = """
CREATE TABLE IF NOT EXISTS bare_round (
  table_id text, number bigint, link text, started_at bigint, wager bigint, seats smallint[], entry bigint,
  booked_at timestamptz DEFAULT now(), PRIMARY KEY (table_id, number));
CREATE TABLE IF NOT EXISTS bare_meter (link text PRIMARY KEY, amount bigint);
INSERT INTO bare_meter VALUES ('L1', 0) ON CONFLICT DO NOTHING;
"""


def the_link(name: str) -> Link:
    """Three levels on a five-card link, as a room would run it."""
    names = {"mega": (25_000, RATE), "major": (2_000, 800), "minor": (250, 400)}
    return Link(
        id=name,
        jackpot="five_card",
        paytable=registry.paytable("five_card", "jackpot", "ML03"),
        wager=DOLLAR,
        levels=tuple(
            Level(name=level, seed=seed * DOLLAR, contribution=rate, reserve=100, unreasonable=100 * DOLLAR)
            for level, (seed, rate) in names.items()
        ),
        controls="nexus",
        lock_at="confirm",
        executive_above=1_000 * DOLLAR,
        options=options_of(registry.jackpot("five_card")),
    )


class Box:
    """One machine: books, log and bookkeeper, with its links open."""

    def __init__(self, folder: Path, *, links_: int = 1, sync_always: bool = False) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o755)
        books = folder / "books"
        books.mkdir()
        books.chmod(0o755)
        self.folder = folder
        self.postgres = Carried(books, {"shared_buffers": "512MB"}).start()
        self.log = Server(folder / "log", Plan(sync_always=sync_always)).start()
        self.links = [f"L{number}" for number in range(1, links_ + 1)]
        self.dsn = self.postgres.dsn(role="writer")
        migrate(self.postgres.dsn())
        with connect(self.dsn) as connection:
            for name in self.links:
                links.register_link(connection, the_link(name), by="bench")
                life.open_link(connection, name, Asked(by="ann", approved_by="bob", reason="benchmark"))
        with connect(self.postgres.dsn()) as owner:
            owner.execute(BARE.encode())
        self.keeper: subprocess.Popen[bytes] | None = None
        self._look = connect(self.dsn)

    def keep(self) -> "Box":
        """Start the bookkeeper, as people start it, and wait until it reads every link."""
        command = str(Path(sys.executable).parent / "feltwork")
        with (self.folder / "keeper.log").open("ab") as log:
            self.keeper = subprocess.Popen(
                [command, "bookkeeper", "--dsn", self.dsn, "--nats", self.log.url], stdout=log, stderr=log
            )
        asyncio.run(self._wait_for_readers())
        return self

    async def _wait_for_readers(self) -> None:
        client = await nats.connect(self.log.url)
        js = client.jetstream()
        await ensure_streams(js)
        for _ in range(300):
            if len(await js.consumers_info(FELT)) >= len(self.links):
                break
            await asyncio.sleep(0.1)
        await client.close()

    def wagers(self) -> int:
        """How many wagers the books have."""
        row = self._look.execute(
            "SELECT sum((state #>> '{counters,mega,wagers}')::bigint) FROM books.standing"
        ).fetchone()
        return int(row[0]) if row else 0

    def cpu(self) -> dict[str, float]:
        """Seconds of processor time of each part."""
        keeper = {"bookkeeper": cpu_of(self.keeper.pid)} if self.keeper else {}
        return {**keeper, "nats-server": cpu_of(self.log.pid), "postgres": cpu_of_tree(self.postgres.pid)}

    def close(self) -> None:
        """End everything."""
        self._look.close()
        if self.keeper:
            self.keeper.send_signal(signal.SIGTERM)
            self.keeper.wait(20)
        self.log.remove()
        self.postgres.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def a_box(*, links_: int = 1, sync_always: bool = False) -> Iterator[Box]:
    """A box in a folder of its own that leaves nothing behind."""
    box = Box(Path(tempfile.mkdtemp(prefix="feltwork-wire-")), links_=links_, sync_always=sync_always)
    try:
        yield box
    finally:
        box.close()


def cpu_of(pid: int) -> float:
    """Processor seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def cpu_of_tree(pid: int) -> float:
    """Of a process, its children, and the children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    total = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        try:
            total += cpu_of(int(child))
        except OSError:
            continue
    return total


# --- tables ---


class Tables:
    """Tables that start rounds, in a process of their own; each round is acknowledged by the log."""

    def __init__(self, client: Client, names: list[tuple[str, str]], first: int = 1) -> None:
        self.client = client
        self.names = names
        self.number = first
        self.sent = 0
        self.acknowledged = 0
        self._inbox = client.new_inbox()
        self._turn = 0

    async def open(self) -> "Tables":
        """Hear acknowledgements."""
        await self.client.subscribe(
            f"{self._inbox}.*", cb=self._hear, pending_msgs_limit=-1, pending_bytes_limit=-1
        )
        return self

    async def _hear(self, message: Msg) -> None:
        assert b'"error"' not in message.data, message.data
        self.acknowledged += 1

    async def start(self) -> None:
        """START GAME at the next table."""
        link, table = self.names[self._turn]
        said = RoundStarted(
            link=link,
            at=time.time_ns() // 1_000,
            table=table,
            round=self.number,
            step=0,
            wager=DOLLAR,
            seats=SEATS,
            version="0" * 64,
        )
        headers = {"Nats-Msg-Id": said.id}
        await self.client.publish(subject_of(said), encode(said), f"{self._inbox}.{self.sent}", headers)
        self.sent += 1
        self._turn += 1
        if self._turn == len(self.names):
            self._turn, self.number = 0, self.number + 1

    async def flat_out(self, rounds: int) -> None:
        """As many as the log takes."""
        for _ in range(rounds):
            await self.start()
            if not self.sent % 64:
                await asyncio.sleep(0)
                while self.sent - self.acknowledged > IN_FLIGHT:
                    await asyncio.sleep(0.001)
        while self.acknowledged < self.sent:
            await asyncio.sleep(0.001)


def names_of(links_: list[str], tables: int, prefix: str = "T") -> list[tuple[str, str]]:
    """Tables, shared out among links."""
    return [(links_[number % len(links_)], f"{prefix}{number + 1}") for number in range(tables)]


def play_flat_out(
    url: str, names: list[tuple[str, str]], first: int, rounds: int, told: "Queue[Any]"
) -> None:
    """The process of tables: tells when it began and what it cost."""

    async def play() -> None:
        client = await nats.connect(url, pending_size=64 << 20)
        tables = await Tables(client, names, first).open()
        began, cpu = time.time(), time.process_time()
        await tables.flat_out(rounds)
        told.put((began, time.time(), time.process_time() - cpu))
        await client.close()

    asyncio.run(play())


def in_process(target: Callable[..., None], *arguments: Any) -> tuple[Any, multiprocessing.Process]:
    """Start a process; what it tells comes over a queue."""
    context = multiprocessing.get_context("spawn")
    told = context.Queue()
    process = context.Process(target=target, args=(*arguments, told))
    process.start()
    return told, process  # type: ignore[return-value]


# --- what is measured ---


def end_to_end(box: Box, *, tables: int, rounds: int, first: int, prefix: str = "T") -> dict[str, Any]:
    """Tables flat out; the clock stops when the last wager is in the books."""
    before, cpu = box.wagers(), box.cpu()
    told, process = in_process(play_flat_out, box.log.url, names_of(box.links, tables, prefix), first, rounds)
    wanted = before + rounds * len(SEATS)
    while box.wagers() < wanted:
        time.sleep(0.05)
    ended = time.time()
    began, published, spent = told.get(timeout=60)
    process.join(30)
    assert box.wagers() == wanted, "every wager is booked once"
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


def take_and_acknowledge(url: str, messages: int, told: "Queue[Any]") -> None:
    """Bare: a consumer that takes and acknowledges as the bookkeeper does, and books nothing."""

    async def take() -> None:
        from feltwork.bookkeeper.pull import Pull  # noqa: PLC0415

        client = await nats.connect(url, pending_size=64 << 20)
        pull = await Pull(client, FELT, consumer_name("L1"), ahead=10_000, prefix="$JS.API").start()
        taken = 0
        while taken < messages:
            letters = await pull.take(2_500)
            for letter in letters:
                await letter.message.ack()
            taken += len(letters)
        told.put(time.time())
        await client.flush()
        await client.close()

    asyncio.run(take())


def bare_wire(*, tables: int, rounds: int, sync_always: bool) -> int:
    """Bare JetStream: the same messages published, taken and acknowledged; wagers a second."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-bare-"))
    server = Server(folder, Plan(sync_always=sync_always)).start()

    async def prepare() -> None:
        client = await nats.connect(server.url)
        await ensure_streams(client.jetstream())
        await client.jetstream().add_consumer(FELT, consumer_config("L1"))
        await client.close()

    try:
        asyncio.run(prepare())
        heard, taker = in_process(take_and_acknowledge, server.url, rounds)
        told, process = in_process(play_flat_out, server.url, names_of(["L1"], tables), 1, rounds)
        ended = heard.get(timeout=120)
        began, _, _ = told.get(timeout=60)
        taker.join(30)
        process.join(30)
    finally:
        server.remove()
    return round(rounds * len(SEATS) / (ended - began))


def bare_copy(box: Box, *, batch: int, seconds: float) -> int:
    """Bare PostgreSQL: COPY of the same rows and one meter update per commit; wagers a second."""
    seats = "{" + ",".join(map(str, SEATS)) + "}"
    columns = "table_id, number, link, started_at, wager, seats, entry"
    with connect(box.postgres.dsn()) as owner:
        row = owner.execute("SELECT coalesce(max(number), 0) FROM bare_round").fetchone()
        number = row[0] if row else 0
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            text = "".join(
                f"B{one % TABLES}\t{number + 1 + one // TABLES}\tL1\t1800000000000000\t1000000\t{seats}\t1\n"
                for one in range(batch)
            )
            with owner.transaction():
                with owner.cursor() as cursor, cursor.copy(f"COPY bare_round ({columns}) FROM STDIN") as copy:
                    copy.write(text)
                owner.execute("UPDATE bare_meter SET amount = amount + %s", (batch * len(SEATS),))
            number += batch // TABLES + 1
            done += batch
        return round(done * len(SEATS) / (time.perf_counter() - began))


def play_paced(
    url: str, names: list[tuple[str, str]], first: int, seconds: float, told: "Queue[Any]"
) -> None:
    """START GAME at 2,000 wagers a second, and how long until a subscriber sees each on the meter."""

    async def play() -> None:
        client = await nats.connect(url)
        tables = await Tables(client, names, first).open()
        starts: dict[str, list[float]] = {link: [] for link, _ in names}
        seen: dict[str, int] = dict.fromkeys(starts, 0)
        base: dict[str, int] = {}
        latencies: list[float] = []
        each = DOLLAR * RATE // 10_000 * len(SEATS)

        async def hear(message: Msg) -> None:
            now = time.perf_counter()
            snapshot = decode_told(message.data)
            assert isinstance(snapshot, MeterSnapshot)
            link, amount = snapshot.link, snapshot.meters["mega"]
            if link not in starts:
                return
            base.setdefault(link, amount)
            upto = min((amount - base[link]) // each, len(starts[link]))
            latencies.extend(now - at for at in starts[link][seen[link] : upto])
            seen[link] = max(seen[link], upto)

        await client.subscribe("meters.*", cb=hear)
        await client.flush()
        while len(base) < len(starts):
            await asyncio.sleep(0.1)
        interval = len(SEATS) / 2_000
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            starts[tables.names[tables._turn][0]].append(time.perf_counter())
            await tables.start()
            await asyncio.sleep(max(0, began + tables.sent * interval - time.perf_counter()))
        until = time.perf_counter() + 5
        while len(latencies) < tables.sent and time.perf_counter() < until:
            await asyncio.sleep(0.05)
        told.put((tables.sent, latencies))
        await client.close()

    asyncio.run(play())


def latency(box: Box, *, tables: int, first: int, seconds: float, prefix: str = "T") -> dict[str, float]:
    """From START GAME to the meter event, in milliseconds, at 2,000 wagers a second."""
    told, process = in_process(play_paced, box.log.url, names_of(box.links, tables, prefix), first, seconds)
    sent, found = told.get(timeout=seconds + 90)
    process.join(30)
    assert len(found) == sent, f"{sent - len(found)} rounds were not seen on the meter"
    found.sort()
    return {
        "rounds": sent,
        "p50_ms": round(1_000 * statistics.median(found), 1),
        "p99_ms": round(1_000 * found[int(len(found) * 0.99)], 1),
    }


def measure(*, quick: bool) -> dict[str, Any]:
    """The main figures: end to end beside the bare engines, and the latency."""
    rounds, turns = (60_000, 2) if quick else (120_000, 5)
    figures: dict[str, Any] = {"seats": len(SEATS), "tables": TABLES, "rounds_per_turn": rounds}
    wholes, copies, wires = [], [], []
    with a_box() as box:
        box.keep()
        first = 1
        end_to_end(box, tables=TABLES, rounds=6_000, first=first)
        first += 6_000 // TABLES
        for _ in range(turns):
            wholes.append(end_to_end(box, tables=TABLES, rounds=rounds, first=first))
            first += rounds // TABLES
            copies.append(bare_copy(box, batch=1_000, seconds=2.0))
            wires.append(bare_wire(tables=TABLES, rounds=rounds // 2, sync_always=False))
        figures["latency"] = latency(box, tables=TABLES, first=first, seconds=6 if quick else 15)
    whole = statistics.median(one["wagers_per_second"] for one in wholes)
    bare = [min(pair) for pair in zip(copies, wires, strict=True)]
    ratios = [one["wagers_per_second"] / slower for one, slower in zip(wholes, bare, strict=True)]
    figures |= {
        "wagers_per_second": round(whole),
        "turns": wholes,
        "bare_copy": round(statistics.median(copies)),
        "bare_jetstream": round(statistics.median(wires)),
        "ratio_to_the_slower": round(statistics.median(ratios), 3),
    }
    always = 15_000 if quick else 40_000
    with a_box(sync_always=True) as box:
        box.keep()
        figures["sync_always"] = end_to_end(box, tables=TABLES, rounds=always, first=1)
        figures["sync_always"]["bare_jetstream"] = bare_wire(tables=TABLES, rounds=always, sync_always=True)
        figures["sync_always"]["latency"] = latency(
            box, tables=TABLES, first=always // TABLES + 1, seconds=5 if quick else 15
        )
    return figures


# --- cost against load ---


def curve(*, quick: bool) -> list[dict[str, Any]]:
    """Wagers a second, processor time and p99 for so many tables on so many links; and the chart of them."""
    rounds, seconds = (10_000, 3) if quick else (30_000, 6)
    found = []
    for links_ in (1, 4, 16):
        with a_box(links_=links_) as box:
            box.keep()
            end_to_end(box, tables=100, rounds=3_000, first=1, prefix="W")
            for tables in (1, 10, 100, 1_000):
                prefix = f"T{tables}-"
                flat = end_to_end(box, tables=tables, rounds=rounds, first=1, prefix=prefix)
                paced = latency(box, tables=tables, first=rounds + 1, seconds=seconds, prefix=prefix)
                each = flat["cpu_microseconds_per_wager"]
                found.append(
                    {
                        "links": links_,
                        "tables": tables,
                        "wagers_per_second": flat["wagers_per_second"],
                        "cpu_microseconds_per_wager": round(sum(each.values()), 2),
                        "parts": each,
                        "p50_ms": paced["p50_ms"],
                        "p99_ms": paced["p99_ms"],
                    }
                )
    folder = HERE.parent / "docs" / "operating"
    folder.mkdir(exist_ok=True)
    (folder / "wire_curve.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    draw(found, folder / "wire_curve.svg")
    return found


def draw(found: list[dict[str, Any]], target: Path) -> None:
    """Three small charts over the number of tables, a line for each number of links."""
    import altair  # noqa: PLC0415

    rows = [{**one, "links": f"{one['links']} links" if one["links"] > 1 else "1 link"} for one in found]
    base = altair.Chart(altair.Data(values=rows)).encode(
        x=altair.X("tables:Q", title="tables", scale=altair.Scale(type="log")),
        color=altair.Color("links:N", title=None, sort=["1 link", "4 links", "16 links"]),
        shape=altair.Shape("links:N", title=None, sort=["1 link", "4 links", "16 links"]),
    )
    parts = (
        ("wagers_per_second", "wagers a second, flat out"),
        ("cpu_microseconds_per_wager", "processor time per wager, µs"),
        ("p99_ms", "START GAME to meter, p99 in ms"),
    )
    charts = [
        base.mark_line(point=True)
        .encode(y=altair.Y(f"{name}:Q", title=title, scale=altair.Scale(zero=True)))
        .properties(width=230, height=190)
        for name, title in parts
    ]
    altair.hconcat(*charts).save(str(target))


# --- screens ---


def screens(*, seconds: float, listeners: int = 1_000) -> dict[str, Any]:
    """Screens of one link on one service process, while wagers come in at 2,000 a second."""
    from feltwork.books.people import Person, Secrets, register_person  # noqa: PLC0415
    from feltwork.wire.server import free_port  # noqa: PLC0415

    with a_box() as box:
        box.keep()
        with connect(box.dsn) as connection:
            vic = Person(id="vic", name="Vic", role="surveillance")
            register_person(connection, vic, "B-vic", Secrets(pin="2580"), by="bench")
        port = free_port()
        command = [str(Path(sys.executable).parent / "feltwork"), "serve", "--dsn", box.dsn]
        with (box.folder / "service.log").open("wb") as log:
            service = subprocess.Popen(
                [*command, "--port", str(port), "--plain-http"], stdout=log, stderr=log
            )
        try:
            heard = asyncio.run(listen(port, listeners, seconds, box.log.url))
            cpu = cpu_of(service.pid)
        finally:
            service.send_signal(signal.SIGTERM)
            service.wait(20)
    lags = sorted(lag for one in heard for lag in one)
    rates = sorted(len(one) / seconds for one in heard)
    return {
        "listeners": listeners,
        "events": len(lags),
        "hertz": {"slowest": round(rates[0], 2), "median": round(statistics.median(rates), 2)},
        "p50_ms": round(1_000 * statistics.median(lags), 1),
        "p99_ms": round(1_000 * lags[int(len(lags) * 0.99)], 1),
        "service_cpu_seconds": round(cpu, 1),
    }


async def listen(port: int, listeners: int, seconds: float, url: str) -> list[list[float]]:
    """Sign in once, listen so many times, and play meanwhile; how old each event was when it came."""
    token = await _sign_in(port)
    head = f"GET /links/L1/live HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
    opened = []
    for _ in range(listeners):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 16)
        writer.write(head)
        opened.append((reader, writer))
    for reader, _ in opened:
        assert b"200" in await reader.readline(), "the service lets it listen"
    client = await nats.connect(url)
    tables = await Tables(client, names_of(["L1"], TABLES)).open()
    until = asyncio.get_running_loop().time() + seconds

    async def play() -> None:
        while asyncio.get_running_loop().time() < until:
            await tables.start()
            await asyncio.sleep(len(SEATS) / 2_000)

    playing = asyncio.create_task(play())
    heard = await asyncio.gather(*(_hear(reader, since=time.time(), until=until) for reader, _ in opened))
    await playing
    for _, writer in opened:
        writer.close()
    await client.close()
    return heard


async def _hear(reader: asyncio.StreamReader, *, since: float, until: float) -> list[float]:
    """How old each event was; those from before the last screen was let in have waited for us, not for it."""
    lags = []
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            while True:
                line = await reader.readline()
                if line.startswith(b"data:"):
                    told = json.loads(line[5:])["at"] / 1e6
                    if told > since:
                        lags.append(time.time() - told)
    return lags


async def _sign_in(port: int) -> str:
    body = json.dumps({"badge": "B-vic", "pin": "2580", "place": "room"}).encode()
    head = "POST /sign-in HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nConnection: close\r\n"
    for _ in range(150):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.2)
            continue
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        return str(json.loads(answer[answer.index(b"{") : answer.rindex(b"}") + 1])["token"])
    raise RuntimeError("the service does not answer")


def main() -> int:
    """Measure what is asked for, and leave nothing behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    for flag in ("quick", "json", "curve", "sse"):
        parser.add_argument(f"--{flag}", action="store_true")
    asked = parser.parse_args()
    if asked.curve:
        figures: dict[str, Any] = {"curve": curve(quick=asked.quick)}
    elif asked.sse:
        figures = {"sse": screens(seconds=6 if asked.quick else 20)}
    else:
        figures = measure(quick=asked.quick)
    figures["load_average"] = os.getloadavg()[0]
    lines = "\n".join(f"{name}: {value}" for name, value in figures.items())
    print(json.dumps(figures) if asked.json else lines)
    return 0


if __name__ == "__main__":
    sys.exit(main())
