"""A simulated site: it accepts tables, counts their wagers and answers claims, as a bookkeeper would.

A device under test plays against it. It keeps no books: its one meter is the sum of all wagers.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from feltwork.money import Micros
from feltwork.problem import ProblemsError
from feltwork.site.wire.downlink import (
    AwardConfirmed,
    AwardMessage,
    AwardVoided,
    ClaimBooked,
    MeterSnapshot,
    Refused,
    SignedOn,
    Welcome,
)
from feltwork.site.wire.streams import AT_A_SITE, FELT, consumer_config, consumer_name, ensure_streams
from feltwork.site.wire.subjects import decode_from, subject_of, uplink_subject
from feltwork.site.wire.uplink import (
    AnyUplink,
    Claim,
    ClaimCleared,
    HandMessage,
    Hello,
    Message,
    RoundMessage,
    RoundStarted,
    SeatCorrected,
    SeatFolded,
    SignOn,
    encode,
)

LEVEL = "jackpot"
#: The PIN that is always refused.
WRONG_PIN = "0000"


class SimulatedSite:
    """One link of a simulated site; `domain` is the JetStream domain that stores the tables' rounds.

    With keys, `streams` is the connection that manages streams.
    """

    def __init__(self, client: Client, link: str, *, domain: str = "", streams: Client | None = None) -> None:
        self.link = link
        self.client = client
        self._js = client.jetstream()
        self._streams = (streams or client).jetstream()
        self._consumers: JetStreamContext = (streams or client).jetstream(domain=domain or None)
        self._tables: JetStreamContext = client.jetstream(domain=domain or None)
        self._version = ""
        self._playing = True
        self._tasks: list[asyncio.Task[None]] = []
        self._seen: set[tuple[str, int]] = set()
        #: Rounds with a hand, whose seats are final.
        self._dealt: set[tuple[str, int]] = set()
        self._wager: Micros = 0
        self._taken: set[int] = set()
        self._last: dict[str, int] = {}
        self._awards: dict[str, Claim] = {}
        self._entry = 0
        self._publish = asyncio.Lock()
        #: Award messages held back while it is silent.
        self._late: list[Message] = []
        self.meter: Micros = 0
        self.takes_wagers = True
        self.speaks = True
        #: Whether it books messages.
        self.books = True
        #: Whether it answers hellos.
        self.welcomes = True
        #: Whether it confirms claims immediately.
        self.confirms = True
        #: A predicate for messages to refuse.
        self.refuses: Callable[[RoundMessage], bool] = lambda message: False
        #: The messages that it has refused.
        self.refused: list[RoundMessage] = []
        #: The reason for refusing a device; empty to accept it.
        self.approves: Callable[[Hello], str] = lambda hello: ""
        #: Every message of tables, in order of arrival.
        self.said: list[AnyUplink] = []
        self.hellos: list[Hello] = []
        self.problems: list[str] = []
        #: Sign-ons by id.
        self.sign_ons: dict[str, SignOn] = {}
        #: Messages without a valid sign-on.
        self.unsigned: list[str] = []
        self.confirmed: set[str] = set()

    async def open(self) -> None:
        """Create the streams and start."""
        await ensure_streams(self._streams, AT_A_SITE)
        await self.client.subscribe(uplink_subject("*", "*", "hello"), cb=self._greet)
        await self.client.subscribe(uplink_subject("*", "*", "sign_on"), cb=self._sign_on)
        await self.client.flush()
        self._tasks = [asyncio.create_task(self._read()), asyncio.create_task(self._snapshots())]

    async def close(self) -> None:
        """Stop; the loops check a flag, because a cancelled fetch may swallow its cancellation."""
        self._playing = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def be_silent(self) -> None:
        """Stop sending, after messages in flight are stored."""
        self.speaks = False
        async with self._publish:
            pass

    async def catch_up(self, seconds: float) -> None:
        """Wait until every stored message is read, with a timeout in seconds."""
        with suppress(NatsError, TimeoutError):
            async with asyncio.timeout(seconds):
                while True:
                    reader = await self._consumers.consumer_info(FELT, consumer_name(self.link))
                    if not reader.num_pending and not reader.num_ack_pending:
                        return
                    await asyncio.sleep(0.1)

    async def confirm(self, award: str) -> None:
        """Confirm a claim for the whole meter."""
        claim = self._awards[award]
        self.confirmed.add(award)
        amount, self.meter = self.meter, 0
        await self._tell(AwardConfirmed(**_of(claim), at=_now(), level=LEVEL, amount=amount))

    async def void(self, award: str, reason: str) -> None:
        """Void a claim."""
        await self._tell(AwardVoided(**_of(self._awards[award]), at=_now(), reason=reason))

    async def _greet(self, message: Msg) -> None:
        with suppress(msgspec.DecodeError, ProblemsError):
            hello = decode_from(message.subject, message.data)
            if not isinstance(hello, Hello) or hello.link != self.link:
                return
            if not self.speaks or not self.welcomes:
                return
            self.hellos.append(hello)
            self._version = hello.version
            why = self.approves(hello)
            await self._tell(
                Welcome(
                    link=hello.link,
                    table=hello.table,
                    at=_now(),
                    controller=hello.controller,
                    accepted=not why,
                    last_round=self._last.get(hello.table, 0),
                    booked=self._last.get(hello.table, 0),
                    version=hello.version,
                    why=why,
                    requirement="WA-31" if why else "",
                    remedy="install software from the approved list" if why else "",
                )
            )
            await self._snapshot()

    async def _sign_on(self, message: Msg) -> None:
        """Accept any sign-on, except with the wrong PIN."""
        with suppress(msgspec.DecodeError, ProblemsError):
            request = decode_from(message.subject, message.data)
            if not isinstance(request, SignOn) or request.link != self.link or not self.speaks:
                return
            about: dict[str, Any] = {"link": request.link, "table": request.table, "at": _now()}
            if request.pin == WRONG_PIN:
                wrong = "badge or PIN is wrong"
                refused = SignedOn(**about, why=wrong, requirement="GL-10", remedy="try again")
                await message.respond(encode(refused))
                return
            sign_on = secrets.token_urlsafe(32)
            self.sign_ons[sign_on] = request
            until = _now() + 8 * 3_600_000_000
            await message.respond(encode(SignedOn(**about, sign_on=sign_on, name=request.badge, until=until)))

    async def _snapshots(self) -> None:
        while self._playing:
            if self.speaks and self._version:
                with suppress(NatsError, TimeoutError):
                    await self._snapshot()
                    while self._late:
                        await self._tell(self._late[0])
                        self._late.pop(0)
            await asyncio.sleep(1.0)

    async def _snapshot(self) -> None:
        snapshot = MeterSnapshot(
            link=self.link,
            at=_now(),
            version=self._version,
            takes_wagers=self.takes_wagers,
            stops={} if self.takes_wagers else {"suspended": "the other side is being tested"},
            meters={LEVEL: self.meter},
            entry=self._entry,
            hash=hashlib.sha256(str(self._entry).encode()).hexdigest(),
        )
        await self._tell(snapshot)

    async def _read(self) -> None:
        """Consume every message, starting with the first."""
        config = consumer_config(self.link)
        reader = None
        while self._playing:
            try:
                if reader is None:
                    await self._consumers.add_consumer(FELT, config)
                    reader = await self._tables.pull_subscribe_bind(consumer_name(self.link), FELT)
                if not self.books:
                    await asyncio.sleep(0.1)
                    continue
                messages = await reader.fetch(100, timeout=1.0)
            except (NatsError, TimeoutError):
                await asyncio.sleep(0.1)
                continue
            for message in messages:
                with suppress(NatsError, TimeoutError):  # it is redelivered
                    if not self.books:
                        await message.nak()
                        continue
                    place = message.metadata.sequence.stream
                    if place not in self._taken:  # otherwise its acknowledgment was lost
                        await self._take(message)
                        self._taken.add(place)
                    await message.ack()

    async def _take(self, message: Msg) -> None:
        try:
            content = decode_from(message.subject, message.data)
        except (msgspec.DecodeError, ProblemsError) as error:
            self.problems.append(f"{message.subject}: {error}")
            return
        if "Nats-Msg-Id" in (message.headers or {}):
            self.problems.append(f"{message.subject}: it has a Nats-Msg-Id, whose window is stream-wide")
        if isinstance(content, RoundMessage) and self.refuses(content):
            self.said.append(content)
            await self._refuse(content)
            return
        match content:
            case RoundStarted():
                await self._count(content)
            case RoundMessage() if (content.table, content.round) not in self._seen:
                where = f"{content.table}:{content.round}:{content.step}"
                self.problems.append(f"{where}: a {type(content).__name__} before its round")
            case SeatCorrected():
                self._correct(content)
            case HandMessage() | SeatFolded():
                self._dealt.add((content.table, content.round))
        self._verify_sign_on(content)
        self.said.append(content)
        await self._answer(content)

    async def _answer(self, message: AnyUplink) -> None:
        match message:
            case Claim():
                self._awards[message.award] = message
                await self._tell(ClaimBooked(**_of(message), at=_now()))
                if self.confirms:
                    await self.confirm(message.award)
            case ClaimCleared() if message.award in self._awards:
                await self.void(message.award, message.reason)

    async def _refuse(self, message: RoundMessage) -> None:
        self.refused.append(message)
        await self._tell_refused(
            message.link, message.table, message.round, message.step, "it is refused as a test"
        )

    async def _tell_refused(self, link: str, table: str, number: int, step: int, what: str) -> None:
        about: dict[str, Any] = {"link": link, "table": table, "at": _now()}
        remedy = "undo it and go on"
        await self._tell(Refused(**about, round=number, step=step, what=what, remedy=remedy))

    def _verify_sign_on(self, message: AnyUplink) -> None:
        if not isinstance(message, RoundMessage):
            return
        signed_on = self.sign_ons.get(message.sign_on)
        if signed_on is None or signed_on.table != message.table:
            self.unsigned.append(f"{message.table}: a {type(message).__name__}")

    def _correct(self, correction: SeatCorrected) -> None:
        if (correction.table, correction.round) in self._dealt:
            self.problems.append(
                f"{correction.table}:{correction.round}: a seat corrected after the first hand"
            )
        self.meter += self._wager if correction.wagered else -self._wager

    async def _count(self, start: RoundStarted) -> None:
        if (start.table, start.round) in self._seen:
            self.problems.append(f"{start.table}:{start.round} was sent twice")
            await self._tell_refused(start.link, start.table, start.round, 0, "it is booked")
        else:
            if start.round != self._last.get(start.table, 0) + 1:
                self.problems.append(f"{start.table}: {start.round} follows {self._last.get(start.table, 0)}")
            self._seen.add((start.table, start.round))
            self._last[start.table] = max(start.round, self._last.get(start.table, 0))
            self._wager = start.wager
            self.meter += start.wager * len(start.seats)
            self._entry += 1
        with suppress(NatsError, TimeoutError):  # the next snapshot follows
            await self._snapshot()

    async def _tell(self, message: Message) -> None:
        if not self.speaks:
            self._late += [message] if isinstance(message, AwardMessage) else []
            return
        async with self._publish:
            await self._js.publish(subject_of(message), encode(message), timeout=2)


def _of(claim: Claim) -> dict[str, Any]:
    return {
        "link": claim.link,
        "table": claim.table,
        "award": claim.award,
        "round": claim.round,
        "seat": claim.seat,
        "hand": claim.hand,
    }


def _now() -> int:
    return time.time_ns() // 1_000
