"""The booker: batch after batch of a link's rounds; while the database writes one, the next is made ready."""

from collections.abc import Sequence
from dataclasses import dataclass
from time import time_ns

from psycopg.errors import UniqueViolation, error_from_result
from psycopg.generators import fetch_many, send
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from feltwork.books.connection import Connection
from feltwork.books.rounds import Booked, Ready, book_rounds, make_ready
from feltwork.books.standing import Taken, look_at_meters
from feltwork.books.statements import statement
from feltwork.progressive.facts import Instant
from feltwork.progressive.round_facts import RoundStarted

_PREPARED = b"feltwork_book_rounds"


@dataclass(frozen=True, slots=True)
class _HandedIn:
    """A batch whose fate is not told yet."""

    rounds: Sequence[RoundStarted]
    at: Instant | None
    ready: Ready
    sent: bool


class Booker:
    """Books the rounds of one link; nothing else uses its connection.

    It carries the state of the link from batch to batch instead of reading it. That is safe because the chain
    tells: where somebody else has written to the link meanwhile, the entry of a batch does not follow the
    last one, and the database refuses it; so it does where a number is booked already. Then `book_rounds`
    takes over.
    """

    def __init__(self, connection: Connection, link: str) -> None:
        self._connection = connection
        self._link = link
        self._handed_in: _HandedIn | None = None
        #: How the link stands after the batch that was handed in.
        self._taken: Taken | None = None
        #: How far the database's clock is ahead of ours.
        self._ahead: Instant = 0
        _raise_error(connection.pgconn.prepare(_PREPARED, statement("book_rounds")))

    def book(self, rounds: Sequence[RoundStarted], *, at: Instant | None = None) -> Booked | None:
        """Hand in a batch; the answer is what became of the one before it, which is durable by then.

        An error is that of the batch before; this one is then not handed in.
        """
        taken = self._taken or self._look()
        ready = make_ready(taken, rounds, at=_now() + self._ahead if at is None else at)
        before = self.settle()
        self._handed_in = _HandedIn(rounds, at, ready, sent=self._send(ready))
        self._taken = Taken(ready.booked.state, ready.booked.tail, taken.now)
        return before

    def settle(self) -> Booked | None:
        """Wait until the batch that was handed in last is durable; none if its fate was told already."""
        one, taken = self._handed_in, self._taken
        self._handed_in = self._taken = None
        if one is None:
            return None
        if one.sent and self._written():
            self._taken = taken
            return one.ready.booked
        return book_rounds(self._connection, self._link, one.rounds, at=one.at)

    def _look(self) -> Taken:
        taken = look_at_meters(self._connection, self._link)
        self._ahead = taken.now - _now()
        return taken

    def _send(self, ready: Ready) -> bool:
        """Send a batch without waiting for the answer; one with refused rounds needs more than that."""
        if ready.row is None or ready.booked.refused:
            return False
        self._connection.pgconn.send_query_prepared(_PREPARED, [value.encode() for value in ready.row])
        self._connection.wait(send(self._connection.pgconn))
        return True

    def _written(self) -> bool:
        """Wait for the answer, which comes after the commit; false where the batch does not fit."""
        try:
            for result in self._connection.wait(fetch_many(self._connection.pgconn)):
                _raise_error(result)
        except UniqueViolation as error:
            if error.diag.constraint_name not in ("chain", "numbered"):
                raise
            return False
        return True


def _raise_error(result: PGresult) -> None:
    if result.status == ExecStatus.FATAL_ERROR:
        raise error_from_result(result)


def _now() -> Instant:
    return time_ns() // 1_000
