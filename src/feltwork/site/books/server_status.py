"""The state of the database server: its settings, its clock, its schema, and whether it is set up."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement

_SETTINGS = (
    "fsync",
    "synchronous_commit",
    "full_page_writes",
    "data_checksums",
    "archive_mode",
    "is_superuser",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """The state of the database server."""

    #: As PostgreSQL numbers its versions: 180000 is 18.0.
    version: int
    settings: Mapping[str, str]
    #: The minimum difference between the clocks here and there.
    clock_seconds: float
    #: None before the first migration.
    schema: str | None
    people: int
    floors: int
    #: The last month with partitions; None before the first migration.
    partitions: date | None


def server_status(connection: Connection) -> ServerStatus:
    """Query the server's state; a schema of another release may lack the tables that are counted."""
    schema = schema_version(connection)
    return ServerStatus(
        version=connection.info.server_version,
        settings={name: str(_value(connection, f"SHOW {name}")) for name in _SETTINGS},
        clock_seconds=_clock_difference(connection),
        schema=schema,
        people=_count(connection, "books.person"),
        floors=_count(connection, "books.floor"),
        partitions=_last_partition(connection) if schema else None,
    )


def schema_version(connection: Connection) -> str | None:
    """The version of the schema; None before the first migration."""
    if _value(connection, "SELECT to_regclass('feltwork_schema')") is None:
        return None
    return str(_value(connection, "SELECT version_num FROM feltwork_schema"))


def _count(connection: Connection, table: str) -> int:
    if _value(connection, f"SELECT to_regclass('{table}')") is None:
        return 0
    return int(str(_value(connection, f"SELECT count(*) FROM {table}")))


def _clock_difference(connection: Connection) -> float:
    before = time.time()
    there = _value(connection, "SELECT extract(epoch FROM clock_timestamp())::float8")
    after = time.time()
    assert isinstance(there, float)
    return max(before - there, there - after, 0.0)


def _value(connection: Connection, query: str) -> object:
    row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


@dataclass(frozen=True, slots=True)
class ReplicationStatus:
    """Whether a server is the primary, and how much WAL a standby has."""

    is_primary: bool
    #: Whether a primary sends it WAL now.
    is_receiving: bool
    #: Bytes of WAL received or replayed.
    position: int


def replication_status(connection: Connection) -> ReplicationStatus:
    """Query the role of a server in the replication."""
    row = connection.execute(
        "SELECT NOT pg_is_in_recovery(), EXISTS (SELECT FROM pg_stat_wal_receiver),"
        " CASE WHEN pg_is_in_recovery()"
        " THEN greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'::pg_lsn ELSE 0 END"
    ).fetchone()
    assert row is not None
    return ReplicationStatus(bool(row[0]), bool(row[1]), int(row[2] or 0))


def promote_server(connection: Connection) -> bool:
    """Make a standby the primary; return whether it becomes the primary within a minute."""
    return bool(_value(connection, "SELECT pg_promote(wait => true, wait_seconds => 60)"))


def write_checkpoint(connection: Connection) -> None:
    """Write a checkpoint."""
    connection.execute("CHECKPOINT")


def _last_partition(connection: Connection) -> date | None:
    """The last month that has a partition in every partitioned table."""
    row = connection.execute(statement("last_partition")).fetchone()
    return row[0] if row else None
