"""How far the messages of a link are booked, by their numbers in the stream."""

from dataclasses import dataclass
from datetime import datetime

from feltwork.books.connection import Connection
from feltwork.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamKey:
    """A link's messages in one stream, which is known by its domain and the time it was created."""

    link: str
    domain: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseRun:
    """One run of one database: a restart, a failover and a restore begin another."""

    started: datetime
    oid: int


def read_position(connection: Connection, key: StreamKey) -> tuple[DatabaseRun, int]:
    """The run of the database, and the last message up to which all are booked."""
    row = connection.execute(statement("stream_position"), (key.link, key.domain, key.created)).fetchone()
    assert row is not None
    return DatabaseRun(started=row[0], oid=row[1]), row[2] or 0


def save_position(connection: Connection, key: StreamKey, sequence: int, run: DatabaseRun) -> bool:
    """Save that messages are booked in this run of the database; returns whether it is still the same run."""
    with connection.transaction():
        now, saved = read_position(connection, key)
        if now == run and saved < sequence:
            row = (key.link, key.domain, key.created, sequence)
            connection.execute(statement("save_stream_position"), row)
    return now == run
