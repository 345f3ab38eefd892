"""Audit rules of a hub: its sums must match their rows, and its members must match the entries."""

from dataclasses import replace

from feltwork.books.connection import Connection
from feltwork.books.network.sum_rows import MemberRow, members_of, sums_of_entry
from feltwork.books.queries import statement
from feltwork.ledger.chain import Chained, Tail
from feltwork.progressive.facts import Claimed, Fact, Opened
from feltwork.progressive.fold import book
from feltwork.progressive.network.aggregator_facts import AggregatorOpened, SumsRelayed
from feltwork.progressive.network.facts import Summed
from feltwork.progressive.network.hub_books import HubBooks, NetworkMember, book_hub
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.sums import judge, relayed, summed
from feltwork.progressive.state import LinkState


class HubReplay:
    """Folds the entries of a link; those of a hub together with its members and their sums."""

    def __init__(self, connection: Connection, link: str) -> None:
        self._connection = connection
        self._link = link
        self._books: HubBooks | None = None
        self._rows = 0

    def book(self, state: LinkState, tail: Tail, fact: Fact) -> tuple[LinkState, tuple[Chained, ...]]:
        """Return the state after a fact, and its entry. An opened network link is a hub or an aggregator."""
        opens = isinstance(fact, Opened | AggregatorOpened) and state.link.network is not None
        if self._books is None and not opens:
            return book(state, tail, [fact])
        books = self._books or HubBooks(state=state)
        books = replace(books, state=state, tail=tail)
        rows = self._summed(books, fact) if isinstance(fact, Summed | SumsRelayed) else ()
        self._books, entries = book_hub(books, [fact], rows)
        return self._books.state, entries

    def claims(self, fact: Fact) -> bool:
        """Whether a fact is a member's claim, whose round is in the site's books."""
        return self._books is not None and isinstance(fact, Claimed) and fact.table in self._books.members

    def _summed(self, books: HubBooks, fact: Summed | SumsRelayed) -> tuple[SiteSum, ...]:
        rows = sums_of_entry(self._connection, books.state.link, books.tail.number + 1)
        self._rows += len(rows)
        known = {site: member.sum for site, member in books.members.items()}
        for row in rows:
            if row.site not in known or judge(known[row.site], row) != "newer":
                raise ValueError(f"the sum of site {row.site} does not follow the one booked before")
        comes_to = summed if isinstance(fact, Summed) else relayed
        if comes_to(books.state, known, rows, fact.at) != fact:
            raise ValueError("its amounts are not the total of its sums")
        return rows

    def verify_end(self) -> None:
        """Raise unless the stored members match their entries, and every row of a sum has its entry."""
        count = self._connection.execute(statement("sums_booked"), (self._link,)).fetchone()
        if count != (self._rows,):
            raise ValueError("sums name entries that did not book them")
        members = dict(self._books.members) if self._books else {}
        rows_by_site = {row.site: row for row in members_of(self._connection, self._link)}
        for site in sorted({*members, *rows_by_site}):
            member = members.get(site)
            row = rows_by_site.get(site)
            if member is None or row is None or _said(member) != _kept(row):
                raise ValueError(f"the saved state of site {site} does not match its entries")


def _said(member: NetworkMember) -> tuple[object, ...]:
    last = member.sum
    pools = (last.accrued, last.reserved, last.returned)
    counters = [pool[level] for pool in pools for level in sorted(pool)]
    end = (last.entry, last.hash, last.version, last.wagers, counters)
    owes = (last.passed, member.awards, member.settled, member.settlements, member.owes_since, member.left)
    return *end, *owes


def _kept(row: MemberRow) -> tuple[object, ...]:
    end = (row.entry, row.hash, row.version, row.wagers, row.counters)
    return *end, row.passed, row.paid, row.settled, row.settlements, row.owes_since, row.has_left
