"""Columns of many rows as PostgreSQL array literals, much faster than lists; sets of numbers as text."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement

#: A round of a link by its table and number.
Key: TypeAlias = tuple[str, int]


def numbers(values: Iterable[int]) -> str:
    """An array of whole numbers."""
    return "{" + ",".join([str(value) for value in values]) + "}"


def texts(values: Iterable[str]) -> str:
    """An array of texts."""
    return "{" + ",".join([_quoted(value) for value in values]) + "}"


def columns(keys: Sequence[Key]) -> tuple[str, str]:
    """The tables and the numbers of some rounds."""
    return texts([table for table, _ in keys]), numbers([number for _, number in keys])


def existing_keys(connection: Connection, link: str, keys: Sequence[Key], how: str) -> set[Key]:
    """Rounds of a link that are booked (`numbers_booked`), over (`ends_booked`), parked (`rounds_parked`)."""
    rows = connection.execute(statement(how), (*columns(keys), link))
    return {(table, number) for table, number in rows}


def ranges_text(multirange: str) -> str:
    """``{[3,5),[7,8)}``, as PostgreSQL writes a set of numbers, in the form ``3-4,7``."""
    parts = [part.split(",") for part in multirange.strip("{}[)").split("),[") if part]
    pairs = [(int(first), int(end) - 1) for first, end in parts]
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in pairs)


@lru_cache(maxsize=10_000)
def _quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
