"""Sites of a network link over the raw NATS protocol: many in one process, each of which may misbehave."""

import asyncio
import base64
import hashlib
import json
import random
import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

import nkeys

from feltwork.ledger.chain import GENESIS
from feltwork.money import Micros
from feltwork.problem import ProblemsError
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from feltwork.servers.nats_keys import public_half
from feltwork.wire.network import ALL_METERS, decode_down, downs_of, encode, subject_of

#: How a site sends: each message twice, late, or held back and then sent in reverse order.
Manner: TypeAlias = Literal["", "double", "late", "reorder"]
LONGEST_LATE = 5.0
#: The pause before a site reconnects, in seconds.
_PAUSE = (0.1, 2.0)
_HANDSHAKE_SECONDS = 30.0


class RawConnection(asyncio.Protocol):
    """A client of the hub's NATS server, over TLS or plain, that always reconnects."""

    def __init__(self, name: str, seed: bytes, *, port: int, tls: ssl.SSLContext | None) -> None:
        self.name = name
        self.is_up = False
        #: Number of failed attempts, and errors from the server.
        self.failed = 0
        self.refused: list[str] = []
        self._seed = seed
        self._port = port
        self._tls = tls
        self._transport: asyncio.Transport | None = None
        self._buffer = b""
        #: Subject and length of a message that is not read yet.
        self._message: tuple[str, int] | None = None
        self._info: asyncio.Future[dict[str, Any]] | None = None
        self._lost = asyncio.Event()

    def heard(self, subject: str, data: bytes) -> None:
        """Handle a message to this site; snapshots for all sites are ignored."""

    def write(self, subject: str, data: bytes) -> bool:
        """Send a message now; return false without a connection."""
        if not self.is_up or self._transport is None or self._transport.is_closing():
            return False
        self._transport.write(f"PUB {subject} {len(data)}\r\n".encode() + data + b"\r\n")
        return True

    def cut(self) -> None:
        """Cut the connection."""
        self.is_up = False
        if self._transport is not None:
            self._transport.abort()

    async def stay_connected(self) -> None:
        """Connect, and reconnect after a random pause."""
        while True:
            try:
                await self._connect()
            except (OSError, EOFError, ssl.SSLError, TimeoutError):
                self.failed += 1
                self.cut()
            else:
                await self._lost.wait()
            self.is_up = False
            await asyncio.sleep(random.uniform(*_PAUSE))

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        self._buffer, self._message = b"", None
        self._lost.clear()
        self._info = loop.create_future()
        transport, _ = await loop.create_connection(lambda: self, "127.0.0.1", self._port)
        info = await asyncio.wait_for(self._info, _HANDSHAKE_SECONDS)
        if self._tls is not None:
            secure = await loop.start_tls(
                transport,
                self,
                self._tls,
                server_hostname="127.0.0.1",
                ssl_handshake_timeout=_HANDSHAKE_SECONDS,
            )
            if secure is None:
                raise EOFError
            transport = secure
        self._transport = transport
        signature = nkeys.from_seed(bytearray(self._seed)).sign(info["nonce"].encode())
        hello = {
            "verbose": False,
            "pedantic": False,
            "lang": "raw",
            "version": "1",
            "nkey": public_half(self._seed),
            "sig": base64.urlsafe_b64encode(signature).rstrip(b"=").decode(),
        }
        subjects = f"SUB {downs_of(self.name)} 1\r\nSUB {ALL_METERS} 2\r\n"
        transport.write(f"CONNECT {json.dumps(hello)}\r\n{subjects}PING\r\n".encode())

    def connection_lost(self, exc: Exception | None) -> None:
        """Trigger a reconnection."""
        self.is_up = False
        self._lost.set()
        if self._info is not None and not self._info.done():
            self._info.set_exception(EOFError())

    def data_received(self, data: bytes) -> None:
        """Answer pings, and pass on the hub's messages to this site."""
        self._buffer += data
        while True:
            if self._message is not None:
                subject, length = self._message
                if len(self._buffer) < length + 2:
                    return
                if subject.startswith("down."):
                    self.heard(subject, self._buffer[:length])
                self._buffer, self._message = self._buffer[length + 2 :], None
            line, separator, rest = self._buffer.partition(b"\r\n")
            if not separator:
                return
            self._buffer = rest
            self._read(line)

    def _read(self, line: bytes) -> None:
        if line.startswith(b"MSG"):
            words = line.split(b" ")
            self._message = words[1].decode(), int(words[-1])
        elif line.startswith(b"PING") and self._transport is not None:
            self._transport.write(b"PONG\r\n")
        elif line.startswith(b"PONG"):
            self.is_up = True
        elif line.startswith(b"INFO") and self._info is not None and not self._info.done():
            self._info.set_result(json.loads(line.removeprefix(b"INFO ")))
        elif line.startswith(b"-ERR"):
            self.refused.append(line.decode())


@dataclass(slots=True, kw_only=True)
class RawAward:
    """A claim of a raw site, and the hub's replies about it."""

    claim: m.ClaimUp
    #: Whether to void it, and the earliest event-loop time to do so.
    is_wrong: bool
    void_at: float
    #: Entry of the lock -> amount.
    grants: dict[int, Micros] = field(default_factory=dict)
    confirmed: set[Micros] = field(default_factory=set)
    handed_over: set[Micros] = field(default_factory=set)
    is_voided: bool = False
    refused: str = ""

    @property
    def is_done(self) -> bool:
        """Whether no message is left to send."""
        return bool(self.is_voided or self.handed_over or self.refused)

    def due(self, now: float) -> m.Up | None:
        """Return the next message, to be repeated until the hub answers."""
        who = {"link": self.claim.link, "site": self.claim.site, "award": self.claim.award}
        if self.is_done:
            return None
        if not self.grants:
            return self.claim
        if self.is_wrong:
            return m.VoidUp(**who, reason="the wrong button", by="sam") if now >= self.void_at else None
        if not self.confirmed:
            grant = max(self.grants)
            amount = self.grants[grant]
            return m.ConfirmUp(**who, grant=grant, amount=amount, supervisor="sam", executive="eve")
        return m.PaidUp(**who, amount=max(self.confirmed))


class RawSite(RawConnection):
    """A site without books: its chain is a number and a hash, and it remembers what it has sent."""

    def __init__(
        self,
        name: str,
        link: Link,
        seed: bytes,
        *,
        port: int,
        tls: ssl.SSLContext | None,
        dice: random.Random,
    ) -> None:
        super().__init__(name, seed, port=port, tls=tls)
        self.link = link
        self.dice = dice
        self.entry = 0
        self.wagers = 0
        self.awards: dict[str, RawAward] = {}
        self.manner: Manner = ""
        #: The hub's last report of its booked sum, and the newest hub entry that it knows.
        self.booked: m.BookedDown | None = None
        self.seen = 0
        self._seen_hash = GENESIS
        #: Answers that contradict earlier ones.
        self.contradictions: list[str] = []
        self._kept: list[tuple[str, bytes]] = []

    def sum(self) -> m.SiteSum:
        """Return the current sum."""
        amount = self.wagers * self.link.wager
        return m.SiteSum(
            link=self.link.id,
            site=self.name,
            entry=self.entry,
            hash=hashlib.sha256(f"{self.name} {self.entry}".encode()).hexdigest(),
            version=self.link.fingerprint,
            wagers=self.wagers,
            accrued={level.name: amount * level.contribution // 10_000 for level in self.link.levels},
            reserved={level.name: amount * level.reserve // 10_000 for level in self.link.levels},
            returned=dict.fromkeys(self.link.level_names, 0),
            seen=self.seen,
            seen_hash=self._seen_hash,
        )

    @property
    def is_stopped(self) -> bool:
        """Whether the hub has stopped it, by the hub's last report."""
        return self.booked is not None and "rolled_back" in self.booked.stops

    def play(self) -> None:
        """Play a little, and send everything that is due."""
        self.grow()
        self.ask_again()

    def claim(self, *, wrong: bool = False) -> None:
        """Play a round that wins, or in which the wrong button is pressed."""
        self.grow()
        award = f"{self.name}:T1:{self.entry}:1:1"
        hand = next(row.hand for row in self.link.paytable.rows if self.link.takes_from_meter(row))
        claim = m.ClaimUp(
            link=self.link.id,
            site=self.name,
            award=award,
            seat=1,
            hand=hand,
            cards="",
            by="dana",
            version=self.link.fingerprint,
            shown=0,
            sum=self.sum(),
        )
        void_at = asyncio.get_running_loop().time() + self.dice.uniform(0, 2)
        self.awards[award] = RawAward(claim=claim, is_wrong=wrong, void_at=void_at)
        self.say(claim)

    def ask_again(self) -> None:
        """Send everything that the hub has not answered, and the sum."""
        now = asyncio.get_running_loop().time()
        for award in self.awards.values():
            if (message := award.due(now)) is not None:
                self.say(message)
        self.say(self.sum())

    def say(self, message: m.Up) -> bool:
        """Send a message in the site's current manner; return whether it was sent immediately."""
        subject, data = subject_of(message), encode(message)
        if self.manner == "late":
            late = self.dice.uniform(0, LONGEST_LATE)
            asyncio.get_running_loop().call_later(late, self.write, subject, data)
            return False
        if self.manner == "reorder":
            self._kept.append((subject, data))
            return False
        if self.manner == "double":
            self.write(subject, data)
        return self.write(subject, data)

    def behave(self) -> None:
        """Send normally again; messages held back go out in reverse order."""
        self.manner = ""
        for subject, data in reversed(self._kept):
            self.write(subject, data)
        self._kept = []

    def wrong_hash(self) -> m.SiteSum | None:
        """Return a sum with another hash for an entry that the hub has booked."""
        if self.booked is None or not self.booked.booked_entry:
            return None
        return replace(self.sum(), entry=self.booked.booked_entry, hash="f" * 64)

    def shrunk(self) -> m.SiteSum | None:
        """Return a newer sum with fewer wagers than the hub has booked."""
        if self.booked is None or not self.booked.passed:
            return None
        self.entry += 1
        nothing = dict.fromkeys(self.link.level_names, 0)
        return replace(self.sum(), wagers=0, accrued=nothing, reserved=nothing)

    def garbage(self, other: str) -> Iterator[tuple[str, bytes]]:
        """Yield messages that no hub may book, each with its subject; ``other`` is another site."""
        good = self.sum()
        subject, data = subject_of(good), encode(good)
        yield subject, self.dice.randbytes(200)
        yield subject, data[: len(data) // 2]
        yield subject, encode(replace(good, site=other))
        yield subject_of(replace(good, site=other)), encode(replace(good, site=other, wagers=10**6))
        yield subject, encode(replace(good, entry=self.entry + 1, accrued={}))
        yield subject, encode(replace(good, entry=self.entry + 1, wagers=2**63))
        yield subject, encode(replace(good, entry=self.entry + 1, version="0" * 64))
        yield subject.replace(".sum", ".claim"), data

    def heard(self, subject: str, data: bytes) -> None:
        """Record a message from the hub."""
        try:
            message = decode_down(subject, data)
        except ProblemsError as error:
            self.contradictions.append(f"{self.name}: {error}")
            return
        if message.entry > self.seen:
            self.seen, self._seen_hash = message.entry, message.hash
        if isinstance(message, m.BookedDown):
            if self.booked is None or message.entry >= self.booked.entry:
                self.booked = message
        elif (award := self.awards.get(getattr(message, "award", ""))) is not None:
            self._about(award, message)

    def _about(self, award: RawAward, message: m.Down) -> None:
        match message:
            case m.GrantDown():
                if award.grants.setdefault(message.entry, message.amount) != message.amount:
                    self.contradictions.append(f"{message.award}: two amounts for one lock")
            case m.ConfirmedDown():
                award.confirmed.add(message.amount)
            case m.HandedOverDown():
                award.handed_over.add(message.amount)
            case m.VoidedDown():
                award.is_voided = True
            case m.RefusedDown():
                award.refused = message.reason

    def grow(self) -> None:
        """Play a little, without sending anything."""
        self.entry += 1
        self.wagers += self.dice.randint(1, 7)
