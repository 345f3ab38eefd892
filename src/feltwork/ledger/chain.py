"""The hash chain of a link: each entry carries the hash of the one before, so that no change goes unseen."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from feltwork.ledger.entry import Entry
from feltwork.problem import Problem, ProblemsError

Hash: TypeAlias = str
#: What the first entry of every chain follows.
GENESIS: Hash = "0" * 64


@dataclass(frozen=True, slots=True)
class Tail:
    """Where a chain ends: what the next entry must follow."""

    number: int = 0
    hash: Hash = GENESIS


@dataclass(frozen=True, slots=True, kw_only=True)
class Chained:
    """An entry in its place."""

    number: int
    previous: Hash
    entry: Entry
    #: The canonical text that was hashed.
    body: str
    hash: Hash

    @property
    def tail(self) -> Tail:
        """The end of a chain that ends here."""
        return Tail(self.number, self.hash)


def body_of(number: int, previous: Hash, entry: Entry) -> str:
    """The text that is hashed: JSON with sorted keys, no spaces, ASCII only, integers as they are."""
    body = {
        "at": entry.at,
        "kind": entry.kind,
        "link": entry.link,
        "number": number,
        "postings": [[posting.account, posting.amount] for posting in entry.postings],
        "previous": previous,
        "references": dict(entry.references),
    }
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def hash_of(body: str) -> Hash:
    """SHA-256 over the canonical text."""
    return hashlib.sha256(body.encode()).hexdigest()


def append(tail: Tail, entry: Entry) -> Chained:
    """Put an entry at the end of a chain."""
    number = tail.number + 1
    body = body_of(number, tail.hash, entry)
    return Chained(number=number, previous=tail.hash, entry=entry, body=body, hash=hash_of(body))


def first_bad(link: str, entries: Iterable[Chained], *, start: Tail, end: Tail | None) -> Problem | None:
    """The first entry that does not follow from the one before, or the missing end; none if all is well."""
    tail = start
    for chained in entries:
        where = f"{link}, entry {tail.number + 1}"
        if chained.number != tail.number + 1:
            return _bad(where, f"entry {chained.number} stands in its place")
        if chained.entry.link != link:
            return _bad(where, f"it belongs to {chained.entry.link}")
        if chained.previous != tail.hash:
            return _bad(where, "it does not follow the entry before it")
        if chained.hash != hash_of(body_of(chained.number, chained.previous, chained.entry)):
            return _bad(where, "its content is not what was hashed")
        tail = chained.tail
    if end is not None and tail != end:
        return _bad(
            f"{link}, entry {tail.number + 1}", f"the chain ends before entry {end.number}, its known end"
        )
    return None


def verify_chain(
    link: str, entries: Iterable[Chained], *, start: Tail | None = None, end: Tail | None = None
) -> None:
    """Raise the first bad entry of a chain; ``end`` is the tail that is known from elsewhere."""
    problem = first_bad(link, entries, start=start or Tail(), end=end)
    if problem is not None:
        raise ProblemsError([problem])


def _bad(where: str, what: str) -> Problem:
    return Problem(where, what, "compare with the last export and restore the entry; stop the link meanwhile")
