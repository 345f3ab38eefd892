"""Replies to the hellos and sign-ons of table controllers."""

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Mapping
from contextlib import suppress

import structlog
from msgspec import DecodeError
from nats import errors
from nats.aio.msg import Msg

from feltwork.problem import Problem, ProblemsError
from feltwork.site.bookkeeper.link_worker import WorkerContext
from feltwork.site.bookkeeper.stream_position import keep_copy
from feltwork.site.books.connection import UNAVAILABLE, wait_for_standbys
from feltwork.site.books.context import Policy, anonymous
from feltwork.site.books.errors import Refusal, RefusedError
from feltwork.site.books.people.sign_in import SignOnCopy, sign_on_at_table
from feltwork.site.books.tables.controllers import TablePosition, software_refusal, table_position
from feltwork.site.books.watch.alarms import Report
from feltwork.site.servers.nats_keys import inbox_of
from feltwork.site.wire.downlink import SignedOn, Welcome, decode_downlink
from feltwork.site.wire.streams import DOWNLINK, TABLES, latest_of_felt, latest_with_age
from feltwork.site.wire.subjects import decode_from, downlink_prefix, name_of, uplink_subject
from feltwork.site.wire.uplink import Health, Hello, RoundStarted, SignOn, decode_uplink, encode

_HELLOS = "felt.*.*.hello"
_SIGN_ONS = "felt.*.*.sign_on"
#: Limit on concurrent sign-ons: PIN hashes are slow, and booking needs threads too.
_SIGN_ONS_AT_ONCE = 4
#: Limit on the sign-ons of a table, which are proved one at a time: a stolen key must not stop the others.
_SIGN_ONS_A_MINUTE, _MINUTE_SECONDS = 10, 60.0
ALARM = "suspicious sign-ons"
#: Silence after which a controller counts as gone; each sends a health message every two seconds.
GONE_SECONDS = 6.0
_log = structlog.get_logger("feltwork.site.bookkeeper")


class ControllerHandshake:
    """Replies to controllers; one of several bookkeepers answers each request."""

    def __init__(
        self, desk: WorkerContext, software: Mapping[str, str], policy: Policy, report: Report, *, keyed: bool
    ) -> None:
        self._name = desk.name
        self._client = desk.client
        self._pool = desk.pool
        self._threads = desk.threads
        self._publish = desk.publish
        #: Hashes of approved controllers; empty without a list.
        self._software = software
        self._policy = policy
        self._report = report
        #: Whether NATS knows devices by keys, each with its own inbox.
        self._keyed = keyed
        self._signing_on: set[asyncio.Task[None]] = set()
        self._turns = asyncio.Semaphore(_SIGN_ONS_AT_ONCE)
        #: Table -> its turn, and when it asked for the sign-ons of the last minute.
        self._tables: defaultdict[str, tuple[asyncio.Lock, deque[float]]] = defaultdict(
            lambda: (asyncio.Lock(), deque(maxlen=_SIGN_ONS_A_MINUTE))
        )

    async def start(self) -> None:
        """Subscribe to hellos and sign-ons."""
        await self._client.subscribe(_HELLOS, queue="books", cb=self._hello)
        await self._client.subscribe(_SIGN_ONS, queue="books", cb=self._sign_on)

    async def _hello(self, message: Msg) -> None:
        try:
            uplink = decode_from(message.subject, message.data)
            if isinstance(uplink, Hello):
                await self._publish.tell(await self.answer(uplink))
        except (DecodeError, ProblemsError) as error:
            _log.warning("a hello cannot be read", subject=message.subject, error=str(error))
        except (*UNAVAILABLE, errors.Error, TimeoutError) as error:
            _log.warning("a hello is not answered; the table says it again", error=str(error))

    async def _sign_on(self, message: Msg) -> None:
        """Start answering, unless the table asks too often, or for an answer that goes elsewhere.

        NATS delivers whatever the bookkeeper may publish, so the answer goes only where the table may listen.
        """
        _, link, table, _ = map(name_of, message.subject.split("."))
        turn, asked = self._tables[table]
        now = asyncio.get_running_loop().time()
        if not message.reply.startswith(f"{inbox_of(table)}." if self._keyed else "_INBOX."):
            what = f"table {table} asked for the answer to a sign-on in the name of others"
            self._report(ALARM, f"table {table}", what)
        elif len(asked) == _SIGN_ONS_A_MINUTE and now - asked[0] < _MINUTE_SECONDS:
            what = f"table {table} asked for more than {_SIGN_ONS_A_MINUTE} sign-ons within a minute"
            self._report(ALARM, f"table {table}", what)
            problem = Problem(f"table {table}", what, "wait a minute, then try again", "GL-10")
            with suppress(errors.Error):
                await message.respond(encode(_refused(link, table, problem)))
        else:
            asked.append(now)
            answering = asyncio.create_task(self._answer_sign_on(message, turn))
            self._signing_on.add(answering)
            answering.add_done_callback(self._signing_on.discard)

    async def _answer_sign_on(self, message: Msg, turn: asyncio.Lock) -> None:
        try:
            uplink = decode_from(message.subject, message.data)
            if isinstance(uplink, SignOn):
                loop = asyncio.get_running_loop()
                async with turn, self._turns:
                    signed_on, copy = await loop.run_in_executor(self._threads, self._prove, uplink)
                if copy is not None:
                    await keep_copy(self._client.jetstream(), copy)
                await message.respond(encode(signed_on))
        except (DecodeError, ProblemsError) as error:
            _log.warning("a sign-on cannot be read", subject=message.subject, error=str(error))
        except (*UNAVAILABLE, errors.Error, TimeoutError) as error:
            _log.warning("a sign-on is not answered; the table asks again", error=str(error))

    def _prove(self, sign_on: SignOn) -> tuple[SignedOn, SignOnCopy | None]:
        at = time.time_ns() // 1_000
        with self._pool.connection() as connection:
            try:
                op = anonymous(connection, self._policy)
                view = sign_on_at_table(op, sign_on.table, sign_on.badge, sign_on.pin)
            except RefusedError as error:
                return _refused(sign_on.link, sign_on.table, error.refusal), None
        signed_on = SignedOn(
            link=sign_on.link,
            table=sign_on.table,
            at=at,
            sign_on=view.id,
            name=view.name,
            until=view.copy.until,
        )
        return signed_on, view.copy

    async def answer(self, hello: Hello) -> Welcome:
        """Decide whether a table may play, and find its last round."""
        loop = asyncio.get_running_loop()
        on_its_way = await self._on_its_way(hello)
        standing, refusal = await loop.run_in_executor(self._threads, self._standing, hello, on_its_way)
        problem = refusal or _other_version(hello, standing.version) or await self._second(hello)
        return Welcome(
            link=hello.link,
            table=hello.table,
            at=time.time_ns() // 1_000,
            controller=hello.controller,
            accepted=problem is None,
            last_round=max(standing.last_round, on_its_way),
            booked=standing.last_round,
            is_over=standing.is_over,
            version=standing.version,
            why=problem.what if problem else "",
            requirement=problem.requirement if problem else "",
            remedy=problem.remedy if problem else "",
        )

    async def _second(self, hello: Hello) -> Problem | None:
        """Return a problem if another controller is active at the table."""
        js = self._client.jetstream()
        health, ago = await latest_with_age(js, TABLES, uplink_subject(hello.link, hello.table, "health"))
        last_health = decode_uplink(health) if health and ago < GONE_SECONDS else None
        welcome, ago = await latest_with_age(
            js, DOWNLINK, f"{downlink_prefix(hello.link, hello.table)}.welcome"
        )
        let_in = decode_downlink(welcome) if welcome and ago < GONE_SECONDS else None
        others: set[str] = set()
        if isinstance(let_in, Welcome) and let_in.accepted:
            others.add(let_in.controller)
        if isinstance(last_health, Health):
            (others.discard if last_health.phase == "closed" else others.add)(last_health.controller)
        if others <= {hello.controller}:
            return None
        what = "another controller is active at this table"
        return Problem(f"table {hello.table}", what, "stop one of the two", "GEN-07")

    async def _on_its_way(self, hello: Hello) -> int:
        js = self._client.jetstream()
        latest = await latest_of_felt(js, uplink_subject(hello.link, hello.table, "round"))
        if latest is None:
            return 0
        last = decode_uplink(latest[0])
        return last.round if isinstance(last, RoundStarted) else 0

    def _standing(self, hello: Hello, on_its_way: int) -> tuple[TablePosition, Problem | None]:
        """The position of a table, and the reason it may not play, if any."""
        with self._pool.connection() as connection:
            standing = table_position(connection, hello.link, hello.table, on_its_way)
            refusal = standing.problem or software_refusal(connection, hello, self._software, by=self._name)
            wait_for_standbys(connection)
        return standing, refusal


def _refused(link: str, table: str, why: Problem | Refusal) -> SignedOn:
    at = time.time_ns() // 1_000
    what, remedy, requirement = why.what, why.remedy, why.requirement
    return SignedOn(link=link, table=table, at=at, why=what, requirement=requirement, remedy=remedy)


def _other_version(hello: Hello, version: str) -> Problem | None:
    if hello.version == version:
        return None
    what = f"it runs version {hello.version[:12]}, but version {version[:12]} is in force"
    return Problem(f"table {hello.table}", what, "load the floor that is in force", "GEN-06")
