"""A pull consumer with bounded prefetch."""

import asyncio
import json
from collections import deque

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from feltwork.background_tasks import is_cancelled
from feltwork.site.bookkeeper.delivery import StreamDelivery, Tables, read

#: Lifetime of a pull request.
_EXPIRES_SECONDS = 3.0
#: Silence after which a request is considered lost.
_SILENCE_SECONDS = _EXPIRES_SECONDS + 1.0
_NO_RESPONDERS = "503"
_PAUSE_SECONDS = 0.25


class PullConsumer:
    """Pulls from a durable consumer that bookkeepers share."""

    def __init__(
        self, client: Client, stream: str, consumer: str, *, ahead: int, prefix: str, tables: Tables = None
    ) -> None:
        self._tables = tables
        self._client = client
        self._ask_subject = f"{prefix}.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        #: The prefetch.
        self.ahead = ahead
        self._arrived: deque[StreamDelivery] = deque()
        self._some = asyncio.Event()
        #: Messages requested and not delivered yet.
        self._asked = 0
        self._heard_at = 0.0
        self._holding = False
        self._inbox = client.new_inbox()
        self._subscription: Subscription | None = None
        self._tick: asyncio.Task[None] | None = None

    async def start(self, tasks: asyncio.TaskGroup) -> "PullConsumer":
        """Start pulling, with a watchdog task in this group."""
        self._subscription = await self._client.subscribe(
            self._inbox, cb=self._receive, pending_msgs_limit=-1, pending_bytes_limit=-1
        )
        self._tick = tasks.create_task(self._watch())
        await self._ask()
        return self

    async def stop(self) -> list[StreamDelivery]:
        """Stop pulling; return the messages that were not taken."""
        if self._tick is not None:
            self._tick.cancel()
        if self._subscription is not None and not self._client.is_closed:
            await self._subscription.unsubscribe()
        left = list(self._arrived)
        self._arrived.clear()
        return left

    @property
    def waiting(self) -> int:
        """The number of messages in the buffer."""
        return len(self._arrived)

    async def take(self, most: int) -> list[StreamDelivery]:
        """Take the next messages, at least one."""
        while not self._arrived:
            self._some.clear()
            await self._some.wait()
        count = min(most, len(self._arrived))
        deliveries = [self._arrived.popleft() for _ in range(count)]
        await self._ask()
        return deliveries

    def hold(self, *, on: bool) -> None:
        """Pause or resume pulling; open requests expire by themselves."""
        self._holding = on

    async def again(self) -> None:
        """Pull again after a reconnect."""
        self._asked = 0
        await self._ask()

    async def _ask(self) -> None:
        count = self.ahead - self._asked - len(self._arrived)
        if self._holding or count < self.ahead // 2 or not self._client.is_connected:
            return
        if not self._asked:
            self._heard_at = asyncio.get_running_loop().time()
        self._asked += count
        body = {"batch": count, "expires": int(_EXPIRES_SECONDS * 1e9)}
        await self._client.publish(self._ask_subject, json.dumps(body).encode(), self._inbox)

    async def _receive(self, message: Msg) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        if message.headers is not None and (status := message.headers.get("Status")):
            self._asked -= int(message.headers.get("Nats-Pending-Messages", self._asked))
            if status == _NO_RESPONDERS:
                self._asked = 0  # NATS is down; the watchdog pulls again
                return
            await self._ask()
            return
        self._asked = max(0, self._asked - 1)
        self._arrived.append(read(message, self._tables))  # decoded while the previous batch is booked
        if not self._some.is_set():
            self._some.set()

    async def _watch(self) -> None:
        clock = asyncio.get_running_loop().time
        while not is_cancelled():
            await asyncio.sleep(_PAUSE_SECONDS)
            if clock() - self._heard_at > _SILENCE_SECONDS:
                self._asked = 0
            await self._ask()
