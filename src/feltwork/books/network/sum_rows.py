"""Sums as rows: the counters of a site are one array, with the levels of each pool in alphabetical order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg.rows import class_row

from feltwork.books.connection import Connection
from feltwork.books.pg_arrays import numbers, texts
from feltwork.books.queries import statement
from feltwork.money import Micros
from feltwork.progressive.facts import Instant
from feltwork.progressive.link import Link
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.sums import SumRows


@dataclass(frozen=True, slots=True, kw_only=True)
class SumRow:
    """A site's sum as stored in the database."""

    site: str
    entry: int
    hash: str
    version: str
    wagers: int
    counters: list[int]

    def of(self, link: Link) -> SiteSum:
        """Convert the row to the sum of a link."""
        levels = sorted(link.level_names)
        size = len(levels)
        pools: list[Mapping[str, Micros]] = [
            dict(zip(levels, self.counters[first : first + size], strict=True))
            for first in (0, size, 2 * size)
        ]
        return SiteSum(
            link=link.id,
            site=self.site,
            entry=self.entry,
            hash=self.hash,
            version=self.version,
            wagers=self.wagers,
            accrued=pools[0],
            reserved=pools[1],
            returned=pools[2],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRow(SumRow):
    """A member as stored in the database: its newest sum, and the amount it owes."""

    passed: Micros
    paid: Micros
    settled: Micros
    settlements: int
    owes_since: Instant
    has_left: bool


def members_of(connection: Connection, link: str) -> list[MemberRow]:
    """The members of a hub, including those that have left."""
    with connection.cursor(row_factory=class_row(MemberRow)) as cursor:
        return cursor.execute(statement("members_of"), (link,)).fetchall()


def sums_of_entry(connection: Connection, link: Link, number: int) -> tuple[SiteSum, ...]:
    """The sums that one entry has booked."""
    with connection.cursor(row_factory=class_row(SumRow)) as cursor:
        rows = cursor.execute(statement("sums_of_entry"), (link.id, number)).fetchall()
    return tuple(row.of(link) for row in rows)


def last_sum(connection: Connection, link: Link, site: str, *, since: int, until: int) -> SiteSum | None:
    """The newest sum of a site that was booked after an entry and up to another one."""
    with connection.cursor(row_factory=class_row(SumRow)) as cursor:
        row = cursor.execute(statement("last_sum"), (link.id, site, since, until)).fetchone()
    return row.of(link) if row else None


def last_sums_at(connection: Connection, link: str) -> dict[str, datetime]:
    """The time at which the newest sum of each site was booked."""
    return dict(connection.execute(statement("last_sums_at"), (link,)).fetchall())


def insert_sums(connection: Connection, link: Link, rows: Sequence[SiteSum]) -> None:
    """Book the sums of the entry that was just appended; the database compares them with it."""
    columns = (
        texts([row.site for row in rows]),
        numbers([row.entry for row in rows]),
        "{" + ",".join([row.hash for row in rows]) + "}",
        "{" + ",".join([row.version for row in rows]) + "}",
        numbers([row.wagers for row in rows]),
        '{"{' + '}","{'.join(SumRows.of(rows).counters) + '}"}',
    )
    connection.execute(statement("book_sums"), (link.id, *columns))
