"""Messages of tables as delivered by JetStream."""

from typing import TypeAlias

from msgspec import DecodeError, Struct
from nats.aio.msg import Msg

from feltwork.problem import Problem, ProblemsError
from feltwork.site.progressive.facts import Instant
from feltwork.site.wire.subjects import decode_from
from feltwork.site.wire.uplink import AnyUplink
from feltwork.telemetry.tracing import HEADER

#: Index of the delivery count in an acknowledgment subject, and the subject's length; a domain adds two.
_DELIVERED, _WORDS = 4, 9
_FIRST_WAIT_SECONDS = 0.1
_LONGEST_WAIT_SECONDS = 5.0
#: The tables whose messages a domain may hold; None for all.
Tables: TypeAlias = frozenset[str] | None


class StreamDelivery(Struct, gc=False):
    """A decoded message, or the reason why it cannot be decoded."""

    raw: Msg
    message: AnyUplink | None
    problem: Problem | None = None
    #: Whether another consumer delivered it before.
    is_read_again: bool = False

    @property
    def subject(self) -> str:
        """The subject."""
        return self.raw.subject

    @property
    def data(self) -> bytes:
        """The raw message."""
        return self.raw.data

    @property
    def origin(self) -> str:
        """The stream and time of storage, the same for each delivery."""
        known = self.raw.metadata
        return f"{known.domain or ''}:{known.sequence.stream}:{self.stored_at}"

    @property
    def deliveries(self) -> int:
        """The number of deliveries so far."""
        return self.raw.metadata.num_delivered

    @property
    def is_repeated(self) -> bool:
        """Whether it was delivered before; called for every message, so it parses only this word."""
        words = self.raw.reply.split(".")
        return self.is_read_again or words[_DELIVERED if len(words) == _WORDS else _DELIVERED + 2] != "1"

    @property
    def stored_at(self) -> Instant:
        """The time the stream stored it."""
        return round(self.raw.metadata.timestamp.timestamp() * 1_000_000)

    @property
    def trace(self) -> str:
        """The header of its trace; empty if there is none."""
        return (self.raw.headers or {}).get(HEADER, "")

    @property
    def wait_seconds(self) -> float:
        """Exponential back-off, capped at 5 s."""
        wait: float = _FIRST_WAIT_SECONDS * 2 ** min(self.deliveries - 1, 10)
        return min(wait, _LONGEST_WAIT_SECONDS)


def read(raw: Msg, tables: Tables = None) -> StreamDelivery:
    """Decode a message, or record why it cannot be decoded, or comes from where its table does not play."""
    try:
        message = decode_from(raw.subject, raw.data)
        if tables is not None and message.table not in tables:
            what = f"table {message.table} does not play at the pit that stored it"
            remedy = "look for a stranger at that server, or name the table in FELTWORK_DOMAINS"
            return StreamDelivery(raw, None, Problem(raw.subject, what, remedy, "GEN-07"))
        return StreamDelivery(raw, message)
    except DecodeError as error:
        remedy = "correct the device, and dismiss the message"
        return StreamDelivery(raw, None, Problem(raw.subject, str(error), remedy, "GL-12"))
    except ProblemsError as error:
        return StreamDelivery(raw, None, error.problems[0])
