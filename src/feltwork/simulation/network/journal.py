"""A journal in memory: committed entries survive a crash, as text."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from feltwork.ledger.chain import GENESIS, Chained, Hash
from feltwork.money import Micros
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.network.hub_books import HubBooks, book_hub
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.site_books import SiteBooks, book_site

#: Number of entries between checkpoints of the books, like those of a real journal.
CHECKPOINT = 16
_Books = TypeVar("_Books", HubBooks, SiteBooks)


@dataclass(slots=True)
class SimulatedJournal(Generic[_Books]):
    """The entries of one chain, with the rows of those that book sums."""

    entries: list[Chained] = field(default_factory=list)
    #: Number of an entry -> its rows.
    rows: dict[int, tuple[SiteSum, ...]] = field(default_factory=dict)
    #: For each entry, the balances that a sign shows: account -> amount after it.
    meters: list[dict[str, Micros]] = field(default_factory=lambda: [{}])
    #: The last checkpoint: the number of its entry, and the books after it.
    checkpoint: tuple[int, _Books] | None = None

    def commit(self, entries: Sequence[Chained], books: _Books, rows: tuple[SiteSum, ...] = ()) -> None:
        """Append the entries of one step; ``books`` is the state after it."""
        for chained in entries:
            self.entries.append(chained)
            if chained.entry.kind in ("Summed", "SumsRelayed"):
                self.rows[chained.number] = rows
            meters = self.meters[-1]
            for posting in chained.entry.postings:
                if posting.account.startswith("meter/"):
                    meters = {**meters, posting.account: meters.get(posting.account, 0) + posting.amount}
            self.meters.append(meters)
        number = len(self.entries)
        if self.checkpoint is None or number - self.checkpoint[0] >= CHECKPOINT:
            self.checkpoint = (number, books)

    def hash_at(self, entry: int) -> Hash:
        """The hash of an entry."""
        return self.entries[entry - 1].hash if entry else GENESIS

    def meter_after(self, entry: int, level: str) -> Micros:
        """Return the meter of a level after an entry."""
        return next(
            (amount for account, amount in self.meters[entry].items() if account.endswith(f"/{level}")), 0
        )

    def replay(self, fresh: _Books, *, whole: bool) -> _Books:
        """Rebuild the books after a crash, from the last checkpoint or from the first entry."""
        first, books = (0, fresh) if whole or self.checkpoint is None else self.checkpoint
        for chained in self.entries[first:]:
            fact = from_plain(json.loads(chained.entry.fact))
            if isinstance(books, HubBooks):
                books, _ = book_hub(books, [fact], self.rows.get(chained.number, ()))
            else:
                books, _ = book_site(books, [fact])
        assert not self.entries or books.tail == self.entries[-1].tail, "the replay has another hash"
        return books
