"""A simulated table: its controller's messages of an evening, in order."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

#: The hand that takes the whole meter, and one that the tray pays.
JACKPOT, TRAY = "royal_flush", "flush"
_MOST_SEATS = 5
Kind: TypeAlias = Literal["start", "seat", "hand", "claim", "clear", "end", "misdeal"]


@dataclass(frozen=True, slots=True)
class TableMessage:
    """One message of a round; its start is step 0."""

    table: str
    round: int
    step: int
    kind: Kind
    seats: tuple[int, ...] = ()
    hand: str = ""

    @property
    def key(self) -> tuple[str, int]:
        """The round of the message."""
        return self.table, self.round


def evening(table: str, rounds: int, dice: random.Random) -> Iterator[TableMessage]:
    """Yield every message of some rounds: corrected seats, misdeals, hands, claims, cleared claims, ends."""
    for number in range(1, rounds + 1):
        yield from (
            TableMessage(table, number, step, kind, seats, hand)
            for step, (kind, seats, hand) in enumerate(_round(dice))
        )


def _round(dice: random.Random) -> Iterator[tuple[Kind, tuple[int, ...], str]]:
    seats = sorted(dice.sample(range(1, _MOST_SEATS + 1), dice.randint(1, _MOST_SEATS - 1)))
    yield "start", tuple(seats), ""
    if dice.random() < 0.2:
        forgotten = dice.choice([seat for seat in range(1, _MOST_SEATS + 1) if seat not in seats])
        seats.append(forgotten)
        yield "seat", (forgotten,), ""
    if dice.random() < 0.05:
        yield "misdeal", (), ""
        return
    if dice.random() < 0.4:
        seat = dice.choice(seats)
        hands = [dice.choice((TRAY, JACKPOT)) for _ in range(dice.randint(1, 2))]
        for place, hand in enumerate(hands):
            if place:
                yield "clear", (seat,), ""
            yield "hand", (seat,), hand
            if hand == JACKPOT:
                yield "claim", (seat,), hand
    yield "end", (), ""
