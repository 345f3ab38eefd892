"""Messages of one durable consumer: asked for ahead, read as they come, and bounded in number."""

import asyncio
import json
from collections import deque

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from feltwork.bookkeeper.delivery import StreamDelivery, read

#: How long the server keeps a request that it cannot fill.
_EXPIRES_SECONDS = 3.0
#: After so long without a word a request is taken for lost and made again.
_SILENCE_SECONDS = _EXPIRES_SECONDS + 1.0
_NO_RESPONDERS = "503"
_PAUSE_SECONDS = 0.25


class PullConsumer:
    """A pull on a consumer that several bookkeepers may share."""

    def __init__(self, client: Client, stream: str, consumer: str, *, ahead: int, prefix: str) -> None:
        self._client = client
        self._ask_subject = f"{prefix}.CONSUMER.MSG.NEXT.{stream}.{consumer}"
        #: How many letters to ask for ahead of whoever takes them.
        self.ahead = ahead
        self._arrived: deque[StreamDelivery] = deque()
        self._some = asyncio.Event()
        #: How many more messages the server has been asked for.
        self._asked = 0
        self._heard_at = 0.0
        self._holding = False
        self._inbox = client.new_inbox()
        self._subscription: Subscription | None = None
        self._tick: asyncio.Task[None] | None = None

    async def start(self, tasks: asyncio.TaskGroup) -> "PullConsumer":
        """Begin to ask, and see to it in a task of this group that the log is asked again."""
        self._subscription = await self._client.subscribe(
            self._inbox, cb=self._receive, pending_msgs_limit=-1, pending_bytes_limit=-1
        )
        self._tick = tasks.create_task(self._watch())
        await self._ask()
        return self

    async def stop(self) -> list[StreamDelivery]:
        """Ask no more; the answer is what nobody took."""
        if self._tick is not None:
            self._tick.cancel()
        if self._subscription is not None and not self._client.is_closed:
            await self._subscription.unsubscribe()
        left = list(self._arrived)
        self._arrived.clear()
        return left

    @property
    def waiting(self) -> int:
        """How many messages have arrived and are not taken."""
        return len(self._arrived)

    async def take(self, most: int) -> list[StreamDelivery]:
        """The next letters, at least one."""
        while not self._arrived:
            self._some.clear()
            await self._some.wait()
        count = min(most, len(self._arrived))
        taken = [self._arrived.popleft() for _ in range(count)]
        await self._ask()
        return taken

    def hold(self, *, on: bool) -> None:
        """Ask for nothing while the books do not answer; what was asked for runs out by itself."""
        self._holding = on

    async def again(self) -> None:
        """The connection is new: whatever was asked for may be forgotten."""
        self._asked = 0
        await self._ask()

    async def _ask(self) -> None:
        wanted = self.ahead - self._asked - len(self._arrived)
        if self._holding or wanted < self.ahead // 2 or not self._client.is_connected:
            return
        if not self._asked:
            self._heard_at = asyncio.get_running_loop().time()
        self._asked += wanted
        body = {"batch": wanted, "expires": int(_EXPIRES_SECONDS * 1e9)}
        await self._client.publish(self._ask_subject, json.dumps(body).encode(), self._inbox)

    async def _receive(self, message: Msg) -> None:
        self._heard_at = asyncio.get_running_loop().time()
        if message.headers is not None and (status := message.headers.get("Status")):
            self._asked -= int(message.headers.get("Nats-Pending-Messages", self._asked))
            if status == _NO_RESPONDERS:
                self._asked = 0  # the log is away; the watch asks again
                return
            await self._ask()
            return
        self._asked = max(0, self._asked - 1)
        self._arrived.append(read(message))  # while the books take the batch before in
        if not self._some.is_set():
            self._some.set()

    async def _watch(self) -> None:
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(_PAUSE_SECONDS)
            if clock() - self._heard_at > _SILENCE_SECONDS:
                self._asked = 0
            await self._ask()
