"""An independent model of player funds, computed from the floor file.

It reads the TOML itself and shares no code with the product but the names of reports.
"""

from dataclasses import dataclass, field
from typing import Any

CENT = 10_000
DOLLAR = 1_000_000


def micros(text: str) -> int:
    whole, _, cents = text.partition(".")
    return int(whole) * DOLLAR + int((cents or "0").ljust(2, "0")) * CENT


def share(wager: int, percent: str) -> int:
    return wager * int(percent.removesuffix("%")) // 100


@dataclass
class AuditLine:
    """A line of the master games report: one table on one link."""

    rounds: int = 0
    wagers: int = 0
    misdeals: int = 0
    from_meter: int = 0
    reversed: int = 0
    fixed: int = 0
    envy: int = 0


@dataclass
class Till:
    """A progressive link from the floor file."""

    about: dict[str, Any]
    meters: dict[str, int] = field(default_factory=dict)
    reserves: dict[str, int] = field(default_factory=dict)
    caps: dict[str, int] = field(default_factory=dict)
    lines: dict[str, AuditLine] = field(default_factory=dict)
    owed: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    adjusted: int = 0
    opened: int = 0
    paid: int = 0
    seeds: int = 0

    def __post_init__(self) -> None:
        self.wager = micros(self.about["wager"])
        self.levels = {meter["level"]: meter for meter in self.about["meter"]}
        for level, meter in self.levels.items():
            self.meters[level] = micros(meter["seed"])
            self.reserves[level] = 0
            if "cap" in meter:
                self.caps[level] = micros(meter["cap"])
        self.opened = sum(self.meters.values())

    @property
    def funds(self) -> int:
        """Player funds: the amount the bank must hold."""
        waiting = sum(amount for _, amount, _ in self.owed.values())
        return sum(self.meters.values()) + sum(self.reserves.values()) + waiting

    def line(self, table: str) -> AuditLine:
        return self.lines.setdefault(table, AuditLine())

    def start(self, table: str, seats: int) -> None:
        line = self.line(table)
        line.rounds += 1
        line.wagers += seats
        self._move(seats)

    def misdeal(self, table: str, seats: int) -> None:
        self.line(table).misdeals += 1
        self._move(-seats)

    def _move(self, seats: int) -> None:
        for level, meter in self.levels.items():
            accrued = share(self.wager, meter["contribution"]) * seats
            room = self.caps[level] - self.meters[level] if level in self.caps else accrued
            increase = min(accrued, max(0, room))
            self.meters[level] += increase
            self.reserves[level] += share(self.wager, meter["reserve"]) * seats + accrued - increase

    def claim(self, award: str, level: str) -> int:
        """Take the whole meter in whole cents and reset it to seed plus reserve."""
        due = self.meters[level] - self.meters[level] % CENT
        restart = micros(self.levels[level]["seed"])
        self.meters[level] += restart + self.reserves[level] - due
        self.seeds += restart
        self.owed[award] = (level, due, self.reserves[level])
        self.reserves[level] = 0
        return due

    def give_back(self, award: str) -> int:
        """Void a claim or reverse a confirmed award."""
        level, due, reserve = self.owed.pop(award)
        restart = micros(self.levels[level]["seed"])
        self.meters[level] += due - restart - reserve
        self.reserves[level] += reserve
        self.seeds -= restart
        return due

    def pay(self, award: str) -> int:
        _, due, _ = self.owed.pop(award)
        self.paid += due
        return due
