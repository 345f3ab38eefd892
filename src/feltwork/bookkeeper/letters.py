"""Letters: messages of tables as they were read, and what is to become of each."""

from dataclasses import dataclass, field

from msgspec import DecodeError, Struct
from nats.aio.msg import Msg

from feltwork.books.standing import Taken
from feltwork.problem import Problem, ProblemsError
from feltwork.wire.messages import SaidMessage
from feltwork.wire.subjects import decode_from
from feltwork.wire.told import Refused

_FIRST_WAIT_SECONDS = 0.1
_LONGEST_WAIT_SECONDS = 5.0


class Letter(Struct, gc=False):
    """A message, and what it says; or why nobody can read it."""

    message: Msg
    said: SaidMessage | None
    problem: Problem | None = None

    @property
    def deliveries(self) -> int:
        """How often it has come."""
        return self.message.metadata.num_delivered

    @property
    def wait_seconds(self) -> float:
        """How long it waits until it comes again: longer each time, so that nothing turns in circles."""
        wait: float = _FIRST_WAIT_SECONDS * 2 ** min(self.deliveries - 1, 10)
        return min(wait, _LONGEST_WAIT_SECONDS)


def read(message: Msg) -> Letter:
    """Read a message; one that cannot be read is kept with the reason."""
    try:
        return Letter(message, decode_from(message.subject, message.data))
    except DecodeError as error:
        remedy = "correct the device; the message is in PARKED"
        return Letter(message, None, Problem(message.subject, str(error), remedy, "GL-12"))
    except ProblemsError as error:
        return Letter(message, None, error.problems[0])


@dataclass(slots=True)
class Outcome:
    """What became of a batch of letters."""

    #: Booked now or before: they need not come again.
    done: list[Letter] = field(default_factory=list)
    #: Their round, or what was said before them, is not there yet.
    waiting: list[Letter] = field(default_factory=list)
    #: Nobody can book them.
    parked: list[tuple[Letter, Problem]] = field(default_factory=list)
    #: What their tables are told about refusals.
    told: list[Refused] = field(default_factory=list)
    #: How the link stands after its rounds and ends.
    after: Taken | None = None
    rounds: int = 0
    wagers: int = 0
    duplicates: int = 0
    refused: int = 0
