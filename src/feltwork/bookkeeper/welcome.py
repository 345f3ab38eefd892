"""Answers tables that say hello: whether they may play, and which of their rounds was the last."""

import asyncio
import time
from collections.abc import Mapping
from concurrent.futures import Executor
from typing import Any

import structlog
from msgspec import DecodeError
from nats import errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from psycopg_pool import ConnectionPool

from feltwork.bookkeeper.publish import Publish
from feltwork.books.standing import look_at_meters
from feltwork.books.tables import last_round, played_round
from feltwork.operations.deliveries import AWAY
from feltwork.problem import Problem, ProblemsError
from feltwork.wire.messages import Hello, Rounds, RoundStarted, decode_said
from feltwork.wire.streams import last_said
from feltwork.wire.subjects import decode_from, said_by
from feltwork.wire.told import Welcome

_HELLOS = "felt.*.*.hello"
_NO_VERSION = "0" * 64
_log = structlog.get_logger("feltwork.bookkeeper")


class Welcomes:
    """The desk where tables sign on; one bookkeeper of several answers each hello."""

    def __init__(
        self,
        client: Client,
        pool: ConnectionPool[Any],
        threads: Executor,
        publish: Publish,
        software: Mapping[str, str],
    ) -> None:
        self._client = client
        self._pool = pool
        self._threads = threads
        self._publish = publish
        #: Hashes of controllers that are approved, with their names; empty where no list was given.
        self._software = software

    async def start(self) -> None:
        """Listen, and answer those who said hello while nobody listened."""
        await self._client.subscribe(_HELLOS, queue="books", cb=self._hello)

    async def _hello(self, message: Msg) -> None:
        try:
            said = decode_from(message.subject, message.data)
            if isinstance(said, Hello):
                await self._publish.tell(await self.answer(said))
        except (DecodeError, ProblemsError) as error:
            _log.warning("a hello cannot be read", subject=message.subject, error=str(error))
        except (*AWAY, errors.Error, TimeoutError) as error:
            _log.warning("a hello is not answered; the table says it again", error=str(error))

    async def answer(self, said: Hello) -> Welcome:
        """Whether a table may play, and the last round that is booked or on its way."""
        loop = asyncio.get_running_loop()
        booked, is_over, version, problem = await loop.run_in_executor(self._threads, self._read, said)
        on_its_way = await self._on_its_way(said)
        return Welcome(
            link=said.link,
            table=said.table,
            at=time.time_ns() // 1_000,
            accepted=problem is None,
            last_round=max(booked, on_its_way),
            is_over=is_over and booked >= on_its_way > 0,
            version=version,
            why=problem.what if problem else "",
            requirement=problem.requirement if problem else "",
            remedy=problem.remedy if problem else "",
        )

    async def _on_its_way(self, said: Hello) -> int:
        js = self._client.jetstream()
        found = await last_said(js, said_by(said.link, said.table, "round"))
        if found is None:
            return 0
        last = decode_said(found[0])
        return last.last if isinstance(last, Rounds) else last.round if isinstance(last, RoundStarted) else 0

    def _read(self, said: Hello) -> tuple[int, bool, str, Problem | None]:
        with self._pool.connection() as connection:
            booked = last_round(connection, said.table)
            try:
                link = look_at_meters(connection, said.link).state.link
                is_over = played_round(connection, link, said.table, None).round.phase == "idle"
            except ProblemsError as error:
                return booked, False, _NO_VERSION, error.problems[0]
            return booked, is_over, link.fingerprint, self._problem(said, link.fingerprint)

    def _problem(self, said: Hello, version: str) -> Problem | None:
        where = f"table {said.table}"
        if self._software and said.software_hash not in self._software:
            what = f"{said.software} runs as {said.software_hash[:12]}, which is not approved"
            return Problem(where, what, "install the approved software", "WA-31")
        if said.version != version:
            what = f"it plays version {said.version[:12]}, in force is {version[:12]}"
            return Problem(where, what, "load the floor that is in force", "GEN-06")
        return None
