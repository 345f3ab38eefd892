"""Positions of the tables on the floor plan."""

from collections.abc import Mapping

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement


def table_places(connection: Connection) -> dict[str, tuple[int, int]]:
    """Column and row of each table in the last arrangement; empty before the first."""
    row = connection.execute(statement("floor_plan")).fetchone()
    return {table: (column, line) for table, (column, line) in row[0].items()} if row else {}


def arrange_tables(connection: Connection, places: Mapping[str, tuple[int, int]], *, by: str) -> None:
    """Save an arrangement."""
    connection.execute(statement("arrange_floor_plan"), (Jsonb(dict(places)), by))
