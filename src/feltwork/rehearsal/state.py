"""The visible state after a step: meters, awards and the round at a table."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from feltwork import money
from feltwork.money import Micros

#: Level -> amount in micros.
Levels: TypeAlias = Mapping[str, Micros]


@dataclass(frozen=True, slots=True, kw_only=True)
class AwardState:
    """An award as the screens show it; an open claim shows the amount due now."""

    id: str
    link: str
    table: str
    round: int
    seat: int
    hand: str
    level: str
    amount: Micros
    status: str
    #: The badges that an open claim needs.
    needs: tuple[str, ...]
    claimed_by: str
    confirmed_by: tuple[str, ...]
    paid_by: str

    def as_json(self) -> dict[str, Any]:
        """The award as the output lists it."""
        return {
            "link": self.link,
            "table": self.table,
            "round": self.round,
            "seat": self.seat,
            "hand": self.hand,
            "level": self.level,
            "amount": money.text(self.amount),
            "status": self.status,
            "needs": list(self.needs),
            "by": {
                "claimed": self.claimed_by,
                "confirmed": list(self.confirmed_by),
                "paid": self.paid_by,
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundState:
    """The current round of a link at a table, or the last one."""

    number: int
    seats: tuple[int, ...] = ()
    hands: Mapping[int, str] = field(default_factory=dict)
    is_open: bool = False


#: Link -> its round at a table.
Rounds: TypeAlias = Mapping[str, RoundState]
