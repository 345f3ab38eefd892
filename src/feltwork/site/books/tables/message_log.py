"""Message log: each table message once, in the transaction that applies it.

Step 0 of a round, its start, is a row of the rounds; later steps are rows here, to detect duplicates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from feltwork.site.books import pg_arrays
from feltwork.site.books.connection import Connection
from feltwork.site.books.pg_arrays import Key
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedMessage:
    """One message of a round."""

    link: str
    table: str
    round: int
    step: int
    at: int
    kind: str
    said: Mapping[str, Any]
    refused: str = ""

    @property
    def content(self) -> dict[str, Any]:
        """What is stored of it."""
        return {**self.said, "step": self.step} | ({"refused": self.refused} if self.refused else {})


def steps_logged(connection: Connection, link: str, table: str, number: int) -> set[int]:
    """The logged steps of a round."""
    row = connection.execute(statement("booked_steps"), (link, table, number)).fetchone()
    return set(row[0] or ()) if row else set()


def steps_of(connection: Connection, link: str, keys: Sequence[Key]) -> dict[Key, set[int]]:
    """The logged steps of each of these rounds of a link."""
    rows = connection.execute(statement("steps_of_rounds"), (*pg_arrays.columns(keys), link))
    return {(table, number): set(steps) for table, number, steps in rows}


def differs_from_log(connection: Connection, message: LoggedMessage) -> bool:
    """Whether the log has a different message for the step of this one."""
    about = (message.link, message.table, message.round, message.step)
    row = connection.execute(statement("logged_step"), about).fetchone()
    if row is None:
        return False
    kind, content = row
    content.pop("refused", None)
    return (kind, content) != (message.kind, msgspec.json.decode(msgspec.json.encode(message.said)))


def last_hand(connection: Connection, message: LoggedMessage, *, seat: int) -> tuple[str, str]:
    """The kind and hand of the last message about a seat's hand before this one; empty without any."""
    about = (message.link, message.table, message.round, message.step, seat)
    row = connection.execute(statement("last_hand_of_seat"), about).fetchone()
    return (row[0], row[1] or "") if row else ("", "")


def booked_rounds(
    connection: Connection, link: str, keys: Sequence[Key]
) -> dict[Key, tuple[int, int, tuple[int, ...]]]:
    """The start, wager and seats of rounds of a link that are booked."""
    rows = connection.execute(statement("rounds_booked"), (*pg_arrays.columns(keys), link))
    return {(row[0], row[1]): (row[2], row[3], tuple(row[4])) for row in rows}
