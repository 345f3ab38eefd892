"""The hub's books in PostgreSQL: loaded under the link's lock, and one transaction for each step."""

import json
from collections.abc import Sequence
from dataclasses import replace

from psycopg.rows import dict_row

from feltwork.books.connection import Connection
from feltwork.books.journal.journal import texts_of
from feltwork.books.journal.link_state import LinkSnapshot, award_from, keep, lock_link, read_meters
from feltwork.books.links.versions import link_from
from feltwork.books.network.sum_rows import insert_sums, members_of
from feltwork.books.queries import statement
from feltwork.ledger import accounts
from feltwork.ledger.chain import Hash, Tail
from feltwork.money import Micros
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.network.aggregator_facts import SumsRelayed
from feltwork.progressive.network.facts import Summed
from feltwork.progressive.network.hub_books import HUB_KINDS, HubBooks, after_fact, book_hub
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.refusal import refuse

#: Number of cached hashes: those that sites have just seen.
_RECENT = 4_096


def hub_links(connection: Connection) -> list[str]:
    """The network links that were opened here, as a hub or as an aggregator."""
    return [link for (link,) in connection.execute(statement("hub_links")).fetchall()]


def aggregator_links(connection: Connection) -> dict[str, str]:
    """The links of an aggregator, each with its name at the hub above."""
    return dict(connection.execute(statement("aggregator_links")).fetchall())


def lock_hub(connection: Connection, link: str, known: HubBooks | None = None) -> tuple[HubBooks, Instant]:
    """Lock a link and return its hub's books and the time; reuse ``known`` unless someone else has booked."""
    snapshot = lock_link(connection, link)
    if known is not None and known.tail == snapshot.tail:
        return known, snapshot.now
    if snapshot.state.link.network is None:
        raise refuse(f"link {link}", "it is no network link", "name the hub in its version", "GEN-18")
    return _load(connection, snapshot), snapshot.now


def read_hub(connection: Connection, link: str) -> HubBooks:
    """Read the hub's books of a link without a lock, for display."""
    with connection.transaction():
        return _load(connection, read_meters(connection, link))


def _load(connection: Connection, snapshot: LinkSnapshot) -> HubBooks:
    """Fold the journal except sums; the newest sum of each member is stored in its row."""
    link = snapshot.state.link
    versions: dict[str, str] = dict(connection.execute(statement("versions_of"), (link.id,)).fetchall())
    with connection.cursor(row_factory=dict_row) as cursor:
        awards = cursor.execute(statement("all_awards"), (link.id,)).fetchall()
    state = replace(
        snapshot.state,
        versions={fingerprint: link_from(text, fingerprint) for fingerprint, text in versions.items()},
        awards={row["id"]: award_from(row) for row in awards},
    )
    books = HubBooks(state=state)
    rows = connection.execute(statement("hub_facts"), (link.id, sorted(HUB_KINDS)))
    for number, hash_, text in rows.fetchall():
        books = after_fact(books, from_plain(json.loads(text)), Tail(number, hash_))
    members = {
        row.site: replace(books.members[row.site], sum=row.of(link), owes_since=row.owes_since)
        for row in members_of(connection, link.id)
    }
    return replace(books, tail=snapshot.tail, members=members)


def write_step(
    connection: Connection, before: HubBooks, facts: Sequence[Fact], rows: Sequence[SiteSum] = ()
) -> HubBooks:
    """Book the facts of a step of a locked link, and the rows of the sums among them."""
    if not facts:
        return before
    after, entries = book_hub(before, facts, rows)
    with connection.pipeline():
        for fact, texts in zip(facts, texts_of(entries), strict=True):
            connection.execute(statement("append_entry"), texts)
            if isinstance(fact, Summed | SumsRelayed):
                insert_sums(connection, before.state.link, rows)
        keep(connection, before.state, after.state, after.tail)
    return after


class StoredHistory:
    """Older entries of a hub's chain; the newest hashes, which every sum names, are cached in memory."""

    def __init__(self, link: str) -> None:
        self._link = link
        self._recent: dict[int, Hash] = {}
        self.connection: Connection | None = None

    def note(self, tail: Tail) -> None:
        """Cache the hash of a committed entry."""
        self._recent[tail.number] = tail.hash
        if len(self._recent) > _RECENT:
            del self._recent[next(iter(self._recent))]

    def forget(self) -> None:
        """Clear the cache: the books may have been replaced."""
        self._recent.clear()

    def hash_at(self, entry: int) -> Hash:
        """The hash of an entry; empty if there is no such entry."""
        if entry not in self._recent:
            row = self._connected().execute(statement("hash_of_entry"), (self._link, entry)).fetchone()
            self.note(Tail(entry, row[0] if row else ""))
        return self._recent[entry]

    def meter_after(self, entry: int, level: str) -> Micros:
        """The amount displayed for a level after an entry."""
        about = (self._link, accounts.meter(self._link, level), entry)
        row = self._connected().execute(statement("meter_after"), about).fetchone()
        assert row is not None
        amount: Micros = row[0]
        return amount

    def _connected(self) -> Connection:
        assert self.connection is not None, "history is read inside a transaction"
        return self.connection
