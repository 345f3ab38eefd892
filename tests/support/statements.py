"""The statements, transactions and locks of links that a block of code takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest


@dataclass(slots=True)
class Statements:
    """What was sent to PostgreSQL; background tasks of a service have connections of their own."""

    sent: list[tuple[int, str]] = field(default_factory=list)
    committed: list[int] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        """What the connection sent that took the lock of a link."""
        return [text for connection, text in self.sent if connection == self._own]

    @property
    def commits(self) -> int:
        return self.committed.count(self._own)

    @property
    def _own(self) -> int:
        return next(connection for connection, text in self.sent if "books.lock_link(" in text)

    @property
    def locks(self) -> int:
        """How often the lock of a link was taken."""
        return sum("books.lock_link(" in text or "books.book_rounds(" in text for text in self.texts)


@contextmanager
def counted() -> Iterator[Statements]:
    """Count what every connection of this process sends."""
    statements = Statements()
    execute, command = psycopg.Cursor.execute, psycopg.Connection._exec_command

    def execute_and_count(cursor: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        text = query if isinstance(query, str) else query.decode()
        statements.sent.append((id(cursor.connection), text))
        return execute(cursor, query, *arguments, **options)

    def command_and_count(connection: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        if query == b"COMMIT":
            statements.committed.append(id(connection))
        return command(connection, query, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", execute_and_count)
        patch.setattr(psycopg.Connection, "_exec_command", command_and_count)
        yield statements
