"""Devices: third-party tables with their own implementation of the protocol and many messages in flight.

They do not use our controller. They resend unacknowledged messages, and occasionally send messages twice or
out of order, which the books must tolerate from any device.
"""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext

from feltwork.simulation.stage import PIN
from feltwork.simulation.tally import Tally
from feltwork.site.progressive.link import Link
from feltwork.site.table.offline_policy import wall_clock
from feltwork.site.wire.downlink import SignedOn, decode_downlink
from feltwork.site.wire.streams import FELT, consumer_name
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundEnded, RoundMessage, RoundStarted, SignOn, encode

_ACK_SECONDS = 2.0
#: The most messages of a link that may wait to be booked while more are sent.
_MOST_WAITING = 5_000


@dataclass(kw_only=True)
class SimulatedDevice:
    """A third-party table."""

    client: Client
    link: Link
    table: str
    seats: int
    #: The badge of the dealer.
    dealer: str
    tally: Tally
    dice: random.Random
    #: Rounds per window, and the pause between windows.
    window: int = 20
    rest_seconds: float = 0.1
    clock_offset: int = 0
    #: Windows sent out of order, and windows sent twice.
    shuffled: int = 0
    repeated: int = 0
    _shuffle: bool = False
    _repeat: bool = False
    _sign_on: str = ""
    _number: int = 0
    _stopping: bool = False
    _js: JetStreamContext = field(init=False)

    def __post_init__(self) -> None:
        self._js = self.client.jetstream(timeout=_ACK_SECONDS)

    @property
    def sign_on(self) -> str:
        """The id of its sign-on; empty before sign-on."""
        return self._sign_on

    def stop(self) -> None:
        """Send no further window."""
        self._stopping = True

    def shuffle_window(self) -> None:
        """Send the next messages out of order."""
        self._shuffle = True

    def repeat_window(self) -> None:
        """Send the next messages twice."""
        self._repeat = True

    async def run(self) -> None:
        """Send windows until stopped, each acknowledged before the next."""
        while not self._sign_on and not self._stopping:
            self._sign_on = await request_sign_on(self.client, self.link.id, self.table, self.dealer)
        while not self._stopping:
            starts = [self._started() for _ in range(self.window)]
            await self._send(starts)
            await self._send([start.ended(at=wall_clock() + self.clock_offset) for start in starts])
            await asyncio.sleep(self.rest_seconds)
            while await is_behind(self._js, self.link.id) and not self._stopping:
                await asyncio.sleep(self.rest_seconds)

    async def _send(self, batch: Sequence[RoundMessage]) -> None:
        messages = list(batch)
        if self._shuffle:
            self.dice.shuffle(messages)
        await asyncio.gather(*(self._until_kept(message) for message in messages))
        if self._shuffle:
            self._shuffle, self.shuffled = False, self.shuffled + 1
        if self._repeat:
            # Without deduplication ids: only the books can recognize them.
            for message in messages:
                await self.client.publish(subject_of(message), encode(message))
            self._repeat, self.repeated = False, self.repeated + 1

    async def _until_kept(self, message: RoundMessage) -> None:
        assert isinstance(message, RoundStarted | RoundEnded)
        subject, data = subject_of(message), encode(message)
        self.tally.sent(message)
        while True:
            try:
                await self._js.publish(subject, data, timeout=_ACK_SECONDS)
            except (NatsError, TimeoutError, OSError):
                await asyncio.sleep(0.25)
            else:
                self.tally.acknowledged(message)
                return

    def _started(self) -> RoundStarted:
        self._number += 1
        return RoundStarted(
            link=self.link.id,
            at=wall_clock() + self.clock_offset,
            table=self.table,
            round=self._number,
            step=0,
            sign_on=self._sign_on,
            wager=self.link.wager,
            seats=tuple(sorted(self.dice.sample(range(1, self.seats + 1), self.dice.randint(1, self.seats)))),
            version=self.link.fingerprint,
        )


async def count_waiting(js: JetStreamContext, link: str, domain: str = "") -> int:
    """Count the messages of a link that are not booked, at the site or in a domain."""
    consumer = await js.consumer_info(FELT, consumer_name(link, domain))
    return (consumer.num_pending or 0) + (consumer.num_ack_pending or 0)


async def is_behind(js: JetStreamContext, link: str) -> bool:
    """Whether a link's backlog is too large; senders must then pause, or a long run would never end."""
    try:
        return await count_waiting(js, link) > _MOST_WAITING
    except (NatsError, TimeoutError, OSError):
        return True


async def request_sign_on(client: Client, link: str, table: str, badge: str) -> str:
    """Sign a dealer on at a table; return an empty string if there is no reply."""
    request = SignOn(link=link, at=wall_clock(), table=table, badge=badge, pin=PIN)
    try:
        answer = await client.request(subject_of(request), encode(request), timeout=10)
    except (NatsError, TimeoutError, OSError):
        await asyncio.sleep(0.25)
        return ""
    response = decode_downlink(answer.data)
    assert isinstance(response, SignedOn)
    return response.sign_on
