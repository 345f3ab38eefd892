"""The statements, transactions and locks of links that a block of code takes."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest


@dataclass(slots=True)
class Statements:
    """What was sent to PostgreSQL."""

    texts: list[str] = field(default_factory=list)
    commits: int = 0

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
        statements.texts.append(text)
        return execute(cursor, query, *arguments, **options)

    def command_and_count(connection: Any, query: Any, *arguments: Any, **options: Any) -> Any:
        statements.commits += query == b"COMMIT"
        return command(connection, query, *arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", execute_and_count)
        patch.setattr(psycopg.Connection, "_exec_command", command_and_count)
        yield statements
