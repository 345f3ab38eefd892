"""The SQL of reports: one block each, which the reader's role can run."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from psycopg.rows import dict_row

from feltwork.books.connection import Connection

#: A row of a report; its columns are described by the registry of reports.
Row: TypeAlias = Mapping[str, Any]


@cache
def block(name: str) -> str:
    """The SQL of a report."""
    return files(__name__).joinpath(f"{name}.sql").read_text(encoding="utf-8")


def rows(connection: Connection, query: str, **parameters: object) -> list[Row]:
    """The rows of a query; amounts are micros."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return list(cursor.execute(query.encode(), parameters or None))
