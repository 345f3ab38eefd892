"""Connections to the books: explicit transactions, and statements prepared on first use."""

from typing import TypeAlias

import psycopg
from psycopg.rows import TupleRow

Connection: TypeAlias = psycopg.Connection[TupleRow]


def connect(dsn: str, *, timeout: int | None = None) -> Connection:
    """Open an autocommit connection; each function of the books opens its own transaction."""
    connection = psycopg.connect(dsn, autocommit=True, prepare_threshold=1, connect_timeout=timeout)
    configure(connection)
    return connection


def configure(connection: Connection) -> None:
    """Configure a connection: an abandoned transaction ends by itself."""
    connection.execute("SET idle_in_transaction_session_timeout = '60s'")


def configure_pooled(connection: Connection) -> None:
    """Configure a shared connection: a statement times out after a minute."""
    configure(connection)
    connection.execute("SET statement_timeout = '60s'")
