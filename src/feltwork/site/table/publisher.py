"""Publishes the messages of a table in order, each acknowledged by the nearest JetStream."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.errors import APIError

from feltwork.problem import Problem, ProblemsError
from feltwork.site.wire.downlink import AnyDownlink, decode_downlink
from feltwork.site.wire.streams import DOWNLINK, FELT, latest_of_felt
from feltwork.site.wire.subjects import KEPT, downlink_prefix, subject_of, uplink_subject
from feltwork.site.wire.uplink import RoundMessage, UplinkMessage, encode
from feltwork.telemetry.tracing import HEADER, span, trace_headers

#: JetStream's error code for a wrong expected sequence.
_WRONG_LAST = 10071
#: The header of a message that JetStream answers with.
_ANSWERED_FROM = "Nats-Stream"
_TRY_SECONDS = 2.0
#: PIN hashes are slow, and several tables may ask at once.
_ASK_SECONDS = 30.0


class TablePublisher:
    """One table's connection to the nearest JetStream and, through it, to the books.

    The store prevents two controllers from playing the same table: each message carries the sequence of the
    previous message on its subject, and the store refuses any other.
    """

    def __init__(
        self, client: Client, *, link: str, table: str, site_domain: str = "", controller: str = ""
    ) -> None:
        self.client = client
        self.link = link
        self.table = table
        #: The id of this controller, new at every start.
        self.controller = controller or secrets.token_hex(8)
        self._near = client.jetstream(timeout=_TRY_SECONDS)
        self._site = client.jetstream(domain=site_domain) if site_domain else self._near
        self._last: dict[str, int] = {}
        #: The trace of the round.
        self._trace = ""

    @property
    def reconnects(self) -> int:
        """The number of times that the connection was lost and restored."""
        return self.client.stats["reconnects"]

    async def newest(self) -> dict[str, bytes]:
        """Get the latest stored message of each kind."""
        messages: dict[str, bytes] = {}
        for kind in KEPT:
            subject = uplink_subject(self.link, self.table, kind)
            last = await latest_of_felt(self._near, subject)
            self._last[subject] = last[1] if last else 0
            if last:
                messages[kind] = last[0]
        return messages

    async def say(self, message: RoundMessage, *, within: float = 10.0) -> None:
        """Publish until the store acknowledges; raise if it does not within this many seconds.

        After that error, publish the same message again: publishing is idempotent.
        """
        subject, data = subject_of(message), encode(message)
        headers = {"Nats-Expected-Last-Subject-Sequence": str(self._last[subject])}
        deadline = asyncio.get_running_loop().time() + within
        while True:
            try:
                with span("publish to NATS", subject=subject):
                    acknowledged = await self._near.publish(
                        subject, data, stream=FELT, headers=headers | trace_headers(), timeout=_TRY_SECONDS
                    )
            except APIError as error:
                if error.err_code != _WRONG_LAST:
                    raise self._refused(
                        f"the message store refused the message: {error.description}"
                    ) from error
                self._last[subject] = await self._stored_before(subject, data)
            except (NatsError, TimeoutError) as error:
                if asyncio.get_running_loop().time() > deadline:
                    raise self._refused(
                        "the nearest message store did not acknowledge the message"
                    ) from error
                await asyncio.sleep(0.2)
                continue
            else:
                self._last[subject] = acknowledged.seq
            return

    @contextmanager
    def button(self, name: str) -> Iterator[None]:
        """Trace a button; all buttons of a round are in the trace of its START GAME."""
        round_ = "" if name == "START GAME" else self._trace
        with span(name, [round_], link=self.link, table=self.table):
            self._trace = round_ or trace_headers().get(HEADER, "")
            yield

    async def mention(self, message: UplinkMessage) -> None:
        """Publish without waiting for an acknowledgment."""
        await self.client.publish(subject_of(message), encode(message))

    async def ask(self, message: UplinkMessage) -> AnyDownlink:
        """Send a request to the books; raise if there is no reply."""
        try:
            answer = await self.client.request(subject_of(message), encode(message), timeout=_ASK_SECONDS)
        except (NatsError, TimeoutError) as error:
            raise self._refused("the books do not answer", "check the connection and try again") from error
        return decode_downlink(answer.data)

    async def listen(self, hear: Callable[[AnyDownlink], Awaitable[None]], *subjects: str) -> None:
        """Subscribe to downlink messages."""

        async def decode(message: Msg) -> None:
            # The store sends what it answers to wherever a request says, so also here; the books do not.
            if _ANSWERED_FROM not in (message.headers or {}):
                await hear(decode_downlink(message.data))

        for subject in subjects:
            await self.client.subscribe(subject, cb=decode)
        await self.client.flush()

    async def told(self, topic: str) -> AnyDownlink | None:
        """Get the latest downlink message of a topic, if the site is reachable."""
        try:
            subject = f"{downlink_prefix(self.link, self.table)}.{topic}"
            message = await self._site.get_last_msg(DOWNLINK, subject, direct=True)
        except (NatsError, TimeoutError):
            return None
        return decode_downlink(message.data or b"")

    async def _stored_before(self, subject: str, data: bytes) -> int:
        """Find the sequence of a message whose acknowledgment was lost."""
        last = await latest_of_felt(self._near, subject)
        if last is None or last[0] != data:
            raise self._refused(
                "another controller is active at this table",
                "stop one of the two controllers, then restart the other",
            )
        return last[1]

    def _refused(
        self,
        what: str,
        remedy: str = "check the connection; the message is sent again with the next button press",
    ) -> ProblemsError:
        return ProblemsError([Problem(f"table {self.table}", what, remedy, "GEN-07")])
