"""Messages and rounds that could not be booked, stored with the reason until two people answer them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Literal

from psycopg.types.json import Jsonb

from feltwork.problem import Problem
from feltwork.site.books import pg_arrays
from feltwork.site.books.connection import Connection
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.queries import statement
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.round_facts import RoundStarted

#: Limit on messages of one kind and table that wait for people, so a flood from one device fills no list.
MOST_WAITING = 100


@dataclass(frozen=True, slots=True)
class Parked:
    """A parked message, or one parked round of a message."""

    number: int
    subject: str
    #: The raw message; None for a round.
    data: bytes | None
    #: The fact of a refused round; None for a message.
    round: Mapping[str, Any] | None
    problem: Mapping[str, str]
    parked_at: datetime


def keep_messages(connection: Connection, messages: Iterable[tuple[str, str, bytes, Problem]]) -> None:
    """Store messages by origin, subject, bytes and the reason; each once."""
    rows = [
        {
            "origin": origin,
            "subject": subject,
            "data": data,
            "problem": Jsonb(asdict(problem)),
            "most": MOST_WAITING,
        }
        for origin, subject, data, problem in messages
    ]
    if rows:
        with connection.transaction(), connection.cursor() as cursor:
            cursor.executemany(statement("keep_parked_message"), rows)


def parked_messages(connection: Connection, origins: Sequence[str]) -> dict[str, Problem]:
    """The messages of these origins that are parked and not booked since, with the reason."""
    rows = connection.execute(statement("parked_by_origin"), (list(origins),))
    return {origin: Problem(**problem) for origin, problem in rows}


def refused_rounds(
    connection: Connection, link: str, keys: Sequence[Key]
) -> dict[Key, tuple[RoundStarted, Problem]]:
    """The rounds among these that were refused, with their start and the reason."""
    refusals: dict[Key, tuple[RoundStarted, Problem]] = {}
    for plain, problem in connection.execute(statement("rounds_refused"), (*pg_arrays.columns(keys), link)):
        started = from_plain(plain)
        assert isinstance(started, RoundStarted)
        refusals[started.table, started.round] = (started, Problem(**problem))
    return refusals


def waiting(connection: Connection, number: int = 0) -> list[Parked]:
    """The parked messages and rounds without an answer, the oldest first; all or one."""
    return [Parked(*row) for row in connection.execute(statement("parked_waiting"), {"id": number})]


def answer(
    connection: Connection, number: int, outcome: Literal["booked", "dismissed"], *, proposal: str
) -> bool:
    """Record the answer of two people; return whether it is the first."""
    return connection.execute(statement("answer_parked"), (number, outcome, proposal)).rowcount == 1
