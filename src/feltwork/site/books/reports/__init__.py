"""Reports: one named block of ``queries.sql`` each, which the reader's role can run."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from psycopg.rows import dict_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import blocks

#: A row of a report; its columns are described by the registry of reports.
Row: TypeAlias = Mapping[str, Any]


def block(name: str) -> str:
    """The SQL of a report."""
    return blocks("reports")[name]


def rows(connection: Connection, query: str, **parameters: object) -> list[Row]:
    """The rows of a query; amounts are micros.

    The best plan depends on the period, so each run is planned: a generic plan takes twice as long.
    """
    with connection.cursor(row_factory=dict_row) as cursor:
        return list(cursor.execute(query.encode(), parameters or None, prepare=False))
