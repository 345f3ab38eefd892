"""The SQL of the books: named blocks in the ``queries.sql`` of each subject, and of the reports."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from psycopg import Connection
from psycopg.abc import Params
from psycopg.rows import TupleRow, class_row

T = TypeVar("T")

_BLOCK = re.compile(r"^-- name: (\w+)\n(.*?)(?=^-- name: |\Z)", re.DOTALL | re.MULTILINE)


@cache
def statement(name: str) -> bytes:
    """The text of a statement."""
    return _statements()[name]


def rows_of(
    connection: Connection[TupleRow], record: type[T], name: str, parameters: Params | None = None
) -> list[T]:
    """The rows of a statement as records, whose fields have the names of its columns."""
    with connection.cursor(row_factory=class_row(record)) as cursor:
        return cursor.execute(statement(name), parameters).fetchall()


@cache
def blocks(folder: str) -> dict[str, str]:
    """The named blocks of one folder's ``queries.sql``."""
    text = Path(str(files(__package__))).joinpath(folder, "queries.sql").read_text(encoding="utf-8")
    return {name: body.strip() for name, body in _BLOCK.findall(text)}


@cache
def _statements() -> dict[str, bytes]:
    subjects = ("audit", "awards", "floors", "journal", "links", "people", "tables", "watch")
    pairs = [block for subject in subjects for block in blocks(subject).items()]
    statements = {name: text.encode() for name, text in pairs}
    assert len(statements) == len(pairs), "two statements have one name"
    return statements
