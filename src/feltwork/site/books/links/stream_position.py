"""Positions up to which the messages of a link are booked, by their numbers in the stream."""

from dataclasses import dataclass
from datetime import datetime

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamKey:
    """A link's messages in one stream, identified by its domain and creation time."""

    link: str
    domain: str
    created: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseRun:
    """One run of one database; a restart, failover or restore begins a new one."""

    started: datetime
    oid: int


def read_position(connection: Connection, key: StreamKey) -> tuple[DatabaseRun, int]:
    """The run of the database, and the last message up to which all are booked."""
    row = connection.execute(statement("stream_position"), (key.link, key.domain, key.created)).fetchone()
    assert row is not None
    return DatabaseRun(started=row[0], oid=row[1]), row[2] or 0


def save_position(connection: Connection, key: StreamKey, sequence: int, run: DatabaseRun) -> bool:
    """Save a position if the database is still in this run; return whether it is."""
    with connection.transaction():
        now, saved = read_position(connection, key)
        if now == run and saved < sequence:
            row = (key.link, key.domain, key.created, sequence)
            connection.execute(statement("save_stream_position"), row)
    return now == run
