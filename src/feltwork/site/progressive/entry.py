"""Entries: moves of money between accounts; an unbalanced entry cannot be created."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from feltwork.money import Micros
from feltwork.site.progressive.accounts import Account, verify_account


@dataclass(frozen=True, slots=True)
class Move:
    """An amount moved from one account to another."""

    source: Account
    target: Account
    amount: Micros

    def __post_init__(self) -> None:
        if self.amount < 0:
            raise ValueError(
                f"{self.source} -> {self.target}: a move cannot be negative; swap source and target"
            )


@dataclass(frozen=True, slots=True)
class Posting:
    """The posting of one entry to one account."""

    account: Account
    amount: Micros


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One fact in the journal of a link; it has no postings if no money moved."""

    link: str
    #: Microseconds since 1970 in UTC.
    at: int
    kind: str
    postings: tuple[Posting, ...]
    #: References to its fact, the version and paytable, an award, the entry it reverses.
    references: Mapping[str, str] = field(default_factory=dict)
    #: The canonical text of the fact; the references contain its fingerprint.
    fact: str = ""

    def __post_init__(self) -> None:
        names = [posting.account for posting in self.postings]
        for name in names:
            verify_account(name)
        if names != sorted(set(names)):
            raise ValueError(f"{self.kind}: an entry posts once to each account, in order of their paths")
        if not all(posting.amount for posting in self.postings):
            raise ValueError(f"{self.kind}: an entry cannot have a posting of zero; leave it out")
        out_of_balance = sum(posting.amount for posting in self.postings)
        if out_of_balance:
            raise ValueError(f"{self.kind}: the postings are out of balance by {out_of_balance} micros")


def postings_of(moves: Iterable[Move]) -> tuple[Posting, ...]:
    """Return the net of the moves, account by account."""
    sums: defaultdict[Account, Micros] = defaultdict(int)
    for move in moves:
        sums[move.source] -= move.amount
        sums[move.target] += move.amount
    return tuple(Posting(account, sums[account]) for account in sorted(sums) if sums[account])


def fold(balances: Mapping[Account, Micros], postings: Iterable[Posting]) -> dict[Account, Micros]:
    """Return the balances after the postings, without zero balances."""
    after = dict(balances)
    for posting in postings:
        amount = after.get(posting.account, 0) + posting.amount
        if amount:
            after[posting.account] = amount
        else:
            after.pop(posting.account, None)
    return after
