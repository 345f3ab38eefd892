"""A house on one machine: real books, a real log, bookkeepers as real commands, tables that speak."""

import asyncio
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import nats
import psycopg
from nats.aio.client import Client
from nats.js import JetStreamContext
from nats.js.errors import NotFoundError

from feltwork.money import DOLLAR
from feltwork.simulation.stage import light_hash
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.floors.floor_files import register_floor
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.progressive.link import Link
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.wire.downlink import AnyDownlink, decode_downlink
from feltwork.site.wire.streams import DOWNLINK, ensure_streams
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import Claim, ClaimCleared, RoundEnded, RoundMessage, RoundStarted, encode
from tests.floor_text import TABLES, floor_text
from tests.progressive.room import asked, level, link_of
from tests.support.books import Books
from tests.support.commands import Program, run
from tests.support.postgres import migrated_cluster

NOW = time.time_ns() // 1_000
#: The tables of a second link.
OTHERS = tuple(f"U{number}" for number in range(1, 9))
PEOPLE = {"dana": "dealer", "sam": "supervisor"}
SIGN_ON = b"""
INSERT INTO books.sign_on (id_hash, person, role, table_id, ends_at)
VALUES (%s, %s, %s, %s, clock_timestamp() + interval '8 hours') ON CONFLICT DO NOTHING
"""


def sign_on_of(table: str, person: str = "dana") -> str:
    """What messages carry that somebody sends from a table."""
    return f"{person}@{table}"


def a_link(name: str = "L1", *, lock_at: Any = "claim") -> Link:
    return link_of("five_card", "01", [level(seed=100)], lock_at=lock_at, name=name)


class House:
    """Books, a log, and any number of bookkeepers."""

    def __init__(
        self,
        folder: Path,
        *,
        plan: NatsPlan = NatsPlan(sync_always=False),  # noqa: B008
        settings: Mapping[str, str] | None = None,
        books: Books | None = None,
    ) -> None:
        folder.chmod(0o755)
        self.folder = folder
        self.postgres = books or migrated_cluster(folder / "books", settings)
        self.log = EmbeddedNats(folder / "log", plan)
        self.keepers: list[Program] = []

    @property
    def dsn(self) -> str:
        return self.postgres.dsn(role="writer")

    def open(self, *names: str) -> "House":
        self.postgres.start()
        self.log.start()
        with connect(self.dsn) as connection:
            for name in names or ("L1",):
                lifecycle.register_link(connection, a_link(name), by="ann")
                lifecycle.open_link(connection, name, asked())
            everybody = [
                people.Person(id=person, name=person, role=role, badge=f"B-{person}")
                for person, role in PEOPLE.items()
            ]
            staff.register_people(connection, everybody, pin="2580", by="setup", hasher=light_hash)
        self.lay(dict.fromkeys(names[:1] or ("L1",), TABLES) | dict.fromkeys(names[1:], OTHERS))
        return self

    def lay(self, tables: Mapping[str, Iterable[str]], software: Sequence[str] = ("controller 1",)) -> None:
        """Put a floor into effect: these links, each on tables of its own."""
        text = f"device_software = {list(software)}\n" + floor_text(*map(a_link, tables), tables=tables)
        with connect(self.dsn) as connection:
            register_floor(connection, text, asked())
            for table in {table for those in tables.values() for table in those}:
                for person, role in PEOPLE.items():
                    row = (people.token_hash(sign_on_of(table, person)), person, role, table)
                    connection.execute(SIGN_ON, row)

    def keeper(self, *options: str) -> Program:
        """One more bookkeeper, as people start it."""
        name = f"keeper-{len(self.keepers) + 1}"
        words = ("bookkeeper", "--dsn", self.dsn, "--nats", self.log.url, "--name", name, *options)
        process = Program(words, self.folder / f"{name}.log")
        self.keepers.append(process)
        return process

    def command(self, *arguments: str, check: bool = True) -> str:
        """What a command prints; its errors too, where it may fail."""
        result = run(*arguments)
        assert not (check and result.returncode), result.stderr
        return result.stdout if not result.returncode else result.stdout + result.stderr

    def close(self) -> None:
        for process in self.keepers:
            with suppress(ProcessLookupError):
                process.kill()
            process.wait()
        self.log.remove()
        self.postgres.remove()

    def connections(self) -> list[str]:
        """The names of the clients that are connected to NATS, as its monitor tells them."""
        response = httpx.get(f"http://127.0.0.1:{self.log.monitor_port}/connz").json()
        return [connection.get("name", "") for connection in response["connections"]]

    def logs(self) -> str:
        return "\n".join(path.read_text() for path in sorted(self.folder.glob("keeper-*.log")))

    def ask(self, query: str, *values: object) -> Any:
        """The first value of the first row; the books may be coming back."""
        with connect(self.postgres.dsn()) as connection:
            row = connection.execute(query.encode(), values).fetchone()
        return row[0] if row else None

    def booked(self, table: str = "T1") -> str:
        query = "SELECT booked::text FROM books.booked_rounds WHERE table_id = %s"
        return str(self.ask(query, table) or "{}")

    def wagers(self) -> int:
        return int(self.ask("SELECT coalesce(sum(cardinality(seats)), 0) FROM books.round") or 0)

    def until(self, true: Callable[[], object], seconds: float = 150.0) -> float:
        """Wait until something is true; the answer is how long that took."""
        began = time.monotonic()
        while time.monotonic() - began < seconds:
            with suppress(psycopg.OperationalError):
                if true():
                    return time.monotonic() - began
            time.sleep(0.05)
        raise AssertionError(f"not within {seconds} s:\n{self.logs()[-3000:]}")

    def check(self) -> None:
        """The audit finds nothing wrong."""
        with connect(self.dsn) as connection:
            assert audit(connection).problems == []


def started(
    number: int, table: str = "T1", *, link: str = "L1", seats: Sequence[int] = (1, 2, 3)
) -> RoundStarted:
    return RoundStarted(
        link=link,
        at=NOW + number,
        table=table,
        round=number,
        step=0,
        sign_on=sign_on_of(table),
        wager=DOLLAR,
        seats=tuple(seats),
        version=a_link(link).fingerprint,
    )


def ended(number: int, step: int = 1, table: str = "T1", *, fixed: int = 0) -> RoundEnded:
    return RoundEnded(
        link="L1",
        at=NOW + number,
        table=table,
        round=number,
        step=step,
        sign_on=sign_on_of(table),
        fixed=fixed * DOLLAR,
        envy=0,
    )


def claim(number: int, step: int = 1, table: str = "T1", *, seat: int = 1) -> Claim:
    return Claim(
        link="L1",
        at=NOW + number,
        table=table,
        round=number,
        step=step,
        award=f"{table}:{number}:{seat}",
        seat=seat,
        hand="royal_flush",
        sign_on=sign_on_of(table),
        players=(1, 2, 3),
        hands={seat: "royal_flush"},
        cards="Ah Kh Qh Jh Th",
    )


def cleared(claimed: Claim, step: int) -> ClaimCleared:
    return ClaimCleared(
        link=claimed.link,
        at=claimed.at + 1,
        table=claimed.table,
        round=claimed.round,
        step=step,
        award=claimed.award,
        seat=claimed.seat,
        sign_on=sign_on_of(claimed.table),
        players=claimed.players,
        hands={},
    )


def say(house: House, messages: Iterable[RoundMessage | tuple[str, bytes]]) -> None:
    """Messages into the log, each acknowledged by it."""

    async def publish(js: JetStreamContext) -> None:
        for message in messages:
            subject, data = message if isinstance(message, tuple) else (subject_of(message), encode(message))
            await js.publish(subject, data)

    with_log(house, publish)


def with_log(house: House, do: Callable[[JetStreamContext], Awaitable[Any]]) -> Any:
    async def connected() -> Any:
        client: Client = await nats.connect(house.log.url, connect_timeout=30)
        js = client.jetstream(timeout=60)
        await ensure_streams(js)
        try:
            return await do(js)
        finally:
            await client.close()

    return asyncio.run(connected())


def told(house: House, subject: str) -> AnyDownlink | None:
    """The newest thing that the books told under a subject."""

    async def newest(js: JetStreamContext) -> AnyDownlink | None:
        try:
            message = await js.get_last_msg(DOWNLINK, subject)
        except NotFoundError:
            return None
        return decode_downlink(message.data or b"")

    downlink: AnyDownlink | None = with_log(house, newest)
    return downlink


def kill(process: Program) -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.wait()


def writer(house: House) -> Connection:
    return connect(house.dsn)
