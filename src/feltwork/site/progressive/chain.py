"""The hash chain of a link: each entry contains the hash of the one before."""

import hashlib
import json
from dataclasses import dataclass
from typing import TypeAlias

from feltwork.site.progressive.entry import Entry

Hash: TypeAlias = str
#: The previous hash of the first entry of every chain.
GENESIS: Hash = "0" * 64
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a chain, which the next entry must follow."""

    number: int = 0
    hash: Hash = GENESIS


@dataclass(frozen=True, slots=True, kw_only=True)
class Chained:
    """An entry at its place in a chain."""

    number: int
    previous: Hash
    entry: Entry
    #: The canonical text that was hashed.
    body: str
    hash: Hash

    @property
    def tail(self) -> Tail:
        """The tail of a chain that ends with this entry."""
        return Tail(self.number, self.hash)


def body_of(number: int, previous: Hash, entry: Entry) -> str:
    """Return the text to hash: JSON with sorted keys, no spaces, ASCII only, plain integers."""
    body = {
        "at": entry.at,
        "kind": entry.kind,
        "link": entry.link,
        "number": number,
        "postings": [[posting.account, posting.amount] for posting in entry.postings],
        "previous": previous,
        "references": dict(entry.references),
    }
    return _ENCODER.encode(body)


def hash_of(body: str) -> Hash:
    """SHA-256 over the canonical text."""
    return hashlib.sha256(body.encode()).hexdigest()


def append(tail: Tail, entry: Entry) -> Chained:
    """Append an entry to a chain."""
    number = tail.number + 1
    body = body_of(number, tail.hash, entry)
    return Chained(number=number, previous=tail.hash, entry=entry, body=body, hash=hash_of(body))
