"""What a bet pays, row by row, and the fingerprint that goes with every contribution and award."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from feltwork.money import DOLLAR, Micros


@dataclass(frozen=True, slots=True)
class Odds:
    """A fixed pay, ``3 to 2`` or ``300 for 1``: *to* gives the stake back besides, *for* does not."""

    wins: int
    per: int
    stake_returned: bool

    def pay(self, wager: Micros) -> Micros:
        """What the wager wins, rounded down to the micro."""
        return wager * self.wins // self.per

    def __str__(self) -> str:
        return f"{self.wins} {'to' if self.stake_returned else 'for'} {self.per}"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a meter, ``100% of jackpot`` or ``10% of major``."""

    basis_points: int
    level: str

    @property
    def is_whole(self) -> bool:
        """Whether it takes the whole meter, which then starts again at its seed."""
        return self.basis_points == 10_000

    def __str__(self) -> str:
        whole, rest = divmod(self.basis_points, 100)
        return f"{whole}{f'.{rest:02d}' if rest else ''}% of {self.level}"


@dataclass(frozen=True, slots=True)
class Push:
    """The stake comes back and nothing more."""

    def __str__(self) -> str:
        return "push"


Pay: TypeAlias = Odds | Share | Push


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a paytable; ``envy`` is what every other bettor at the table gets per dollar of wager."""

    hand: str
    pays: Pay
    cites: str
    envy: Micros = 0

    def envy_for(self, wager: Micros) -> Micros:
        """The envy pay at a wager other than one dollar, rounded down to the micro."""
        return self.envy * wager // DOLLAR


@dataclass(frozen=True)
class Paytable:
    """The rows of one bet from the best hand down: the first row that a hand answers to is paid."""

    id: str
    title: str
    bet: str
    rows: tuple[Row, ...]
    #: What its source recommends or presets: seed, contribution, reserve, decks, wager.
    recommended: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """How the lock file and the books call it."""
        return f"{self.title}/{self.bet}/{self.id}"

    @cached_property
    def levels(self) -> tuple[str, ...]:
        """The meters it pays from, the highest first."""
        return tuple(dict.fromkeys(row.pays.level for row in self.rows if isinstance(row.pays, Share)))

    def row_for(self, names: frozenset[str]) -> Row | None:
        """The first row that one of the names answers to."""
        return next((row for row in self.rows if row.hand in names), None)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 over what decides money. Citations are left out: mending one changes no pay."""
        body = {
            "id": self.id,
            "title": self.title,
            "bet": self.bet,
            "rows": [{"hand": row.hand, "pays": str(row.pays), "envy": row.envy} for row in self.rows],
            "recommended": self.recommended,
        }
        canonical = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(canonical.encode()).hexdigest()
