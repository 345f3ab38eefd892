"""A thousand screens of one service: how old a change is when each of them hears it."""

import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import nats
from wire_box import a_box, cpu_of
from wire_tables import SEATS, TABLES, Tables, names_of

from feltwork.books.connection import connect
from feltwork.books.people.people import Person, Secrets, register_people
from feltwork.servers.ports import free_port

#: A busy machine takes its time to start a service.
_TRIES, _PAUSE_SECONDS = 600, 0.2


def screens(*, seconds: float, listeners: int = 1_000) -> dict[str, Any]:
    """Screens of one link on one service process, while wagers come in at 2,000 a second."""
    with a_box() as box:
        box.keep()
        box.lay(names_of(["L1"], TABLES))
        with connect(box.dsn) as connection:
            vic = Person(id="vic", name="Vic", role="surveillance")
            register_people(connection, {"B-vic": vic}, Secrets(pin="2580"), by="bench")
        port = free_port()
        command = [str(Path(sys.executable).parent / "feltwork"), "serve", "--dsn", box.dsn]
        with (box.folder / "service.log").open("wb") as log:
            service = subprocess.Popen(
                [*command, "--port", str(port), "--plain-http"],
                env={**os.environ, "FELTWORK_PIN_KEY": "none"},
                stdout=log,
                stderr=log,
            )
        try:
            lags_by_listener = asyncio.run(listen(port, listeners, seconds, box.log.url))
            cpu = cpu_of(service.pid)
        finally:
            service.send_signal(signal.SIGTERM)
            service.wait(20)
    lags = sorted(lag for listener_lags in lags_by_listener for lag in listener_lags)
    rates = sorted(len(listener_lags) / seconds for listener_lags in lags_by_listener)
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
    lags_by_listener = await asyncio.gather(
        *(_hear(reader, since=time.time(), until=until) for reader, _ in opened)
    )
    await playing
    for _, writer in opened:
        writer.close()
    await client.close()
    return lags_by_listener


async def _hear(reader: asyncio.StreamReader, *, since: float, until: float) -> list[float]:
    """How old each event was; those from before the last screen was let in have waited for us, not for it."""
    lags = []
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            while True:
                line = await reader.readline()
                if line.startswith(b"data:"):
                    event_time = json.loads(line[5:])["at"] / 1e6
                    if event_time > since:
                        lags.append(time.time() - event_time)
    return lags


async def _sign_in(port: int) -> str:
    body = json.dumps({"badge": "B-vic", "pin": "2580", "place": "room"}).encode()
    head = "POST /sign-in HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nConnection: close\r\n"
    for _ in range(_TRIES):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(_PAUSE_SECONDS)
            continue
        writer.write(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
        answer = await reader.read()
        writer.close()
        return str(json.loads(answer[answer.index(b"{") : answer.rindex(b"}") + 1])["token"])
    raise RuntimeError("the service does not answer")
