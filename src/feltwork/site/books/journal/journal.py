"""The journal: facts become entries at the end of their link's chain, all of them or none."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from psycopg.rows import dict_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, keep
from feltwork.site.books.queries import statement
from feltwork.site.books.reports import Row
from feltwork.site.progressive.chain import Chained
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.fold import book
from feltwork.telemetry.tracing import span


@dataclass(frozen=True, slots=True)
class PreparedEntries:
    """Entries ready to be written, with the link state after them."""

    after: LinkSnapshot
    texts: tuple[tuple[str, str], ...]


def prepare(snapshot: LinkSnapshot, facts: Sequence[Fact]) -> PreparedEntries:
    """Fold facts into the state of a link and make their entries; nothing is written."""
    state, entries = book(snapshot.state, snapshot.tail, facts)
    tail = entries[-1].tail if entries else snapshot.tail
    return PreparedEntries(replace(snapshot, state=state, tail=tail), texts_of(entries))


def append(connection: Connection, before: LinkSnapshot, prepared: PreparedEntries) -> LinkSnapshot:
    """Write entries of a locked link; the database updates the chain and balances."""
    with span("journal entry", entry=prepared.after.tail.number), connection.pipeline():
        write(connection, prepared.texts)
        keep(connection, before.state, prepared.after.state, prepared.after.tail)
    return prepared.after


def write(connection: Connection, texts: Iterable[tuple[str, str]]) -> None:
    """Insert entries with their facts."""
    for row in texts:
        connection.execute(statement("append_entry"), row)


def entries_after(connection: Connection, link: str, *, after: int, limit: int) -> list[Row]:
    """Entries of a chain after a number, each with its fact and its hash."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("journal_page"), (link, after, limit)).fetchall()
    return [{**row, "fact": json.loads(row["fact"])} for row in rows]


def last_entry(connection: Connection, link: str) -> int | None:
    """The number of a link's last entry; None for an unknown link."""
    row = connection.execute(statement("read_link"), (link,)).fetchone()
    return row[0] if row else None


def texts_of(entries: Iterable[Chained]) -> tuple[tuple[str, str], ...]:
    """The canonical text of each entry, which was hashed, and of its fact."""
    return tuple((entry.body, entry.entry.fact) for entry in entries)
