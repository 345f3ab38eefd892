"""Paytables, their rows, and the fingerprint recorded with every contribution and award."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from feltwork.money import DOLLAR, Micros


@dataclass(frozen=True, slots=True)
class Odds:
    """A fixed pay, ``3 to 2`` or ``300 for 1``; *to* also returns the stake, *for* does not."""

    wins: int
    per: int
    stake_returned: bool

    def pay(self, wager: Micros) -> Micros:
        """Return the win on a wager, rounded down to the micro."""
        return wager * self.wins // self.per

    def pay_on(self, wager: Fraction) -> Fraction:
        """Return the exact win on a wager."""
        return wager * Fraction(self.wins, self.per)

    def __str__(self) -> str:
        return f"{self.wins} {'to' if self.stake_returned else 'for'} {self.per}"


@dataclass(frozen=True, slots=True)
class Share:
    """A share of a meter, ``100% of jackpot`` or ``10% of major``."""

    basis_points: int
    level: str

    @property
    def is_whole(self) -> bool:
        """Whether it pays the full meter, which then resets to its seed."""
        return self.basis_points == 10_000

    def __str__(self) -> str:
        whole, rest = divmod(self.basis_points, 100)
        return f"{whole}{f'.{rest:02d}' if rest else ''}% of {self.level}"


@dataclass(frozen=True, slots=True)
class Push:
    """A returned stake."""

    def __str__(self) -> str:
        return "push"


Pay: TypeAlias = Odds | Share | Push


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a paytable; ``envy`` is paid to every other bettor at the table, per dollar of wager."""

    hand: str
    pays: Pay
    cites: str
    envy: Micros = 0

    def envy_for(self, wager: Micros) -> Micros:
        """Return the envy pay for a wager, rounded down to the micro."""
        return self.envy * wager // DOLLAR


@dataclass(frozen=True)
class Paytable:
    """The rows of one bet, best hand first; the first row that a hand matches is paid."""

    id: str
    title: str
    bet: str
    rows: tuple[Row, ...]
    #: Terms that its source recommends: seed, contribution, reserve, decks, wager.
    recommended: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name in the lock file and the books."""
        return f"{self.title}/{self.bet}/{self.id}"

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """The meters it pays from, highest first."""
        return tuple(dict.fromkeys(row.pays.level for row in self.rows if isinstance(row.pays, Share)))

    def row_for(self, names: frozenset[str]) -> Row | None:
        """Return the first row that has one of the names."""
        return next((row for row in self.rows if row.hand in names), None)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over everything that affects pays; citations do not."""
        body = {
            "id": self.id,
            "title": self.title,
            "bet": self.bet,
            "rows": [{"hand": row.hand, "pays": str(row.pays), "envy": row.envy} for row in self.rows],
            "recommended": self.recommended,
        }
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()
