"""Messages of an evening that come in any order, several times, to bookkeepers that die: the same books."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import pytest
from msgspec.structs import replace as changed

from feltwork.site.books.connection import Connection
from feltwork.site.books.tables.deliveries import PATIENCE, LinkDeliveries
from feltwork.site.wire.uplink import (
    Claim,
    ClaimCleared,
    HandCleared,
    HandPressed,
    RoundEnded,
    RoundStarted,
    RoundVoided,
    SeatCorrected,
    encode,
)
from tests.bookkeeper.house import NOW, House, sign_on_of, started, writer
from tests.bookkeeper.test_repeats import Kept
from tests.sizes import NIGHTLY

#: Evenings in one card room, each at two tables of its own, and card rooms.
_EVENINGS, _ROOMS = (19, 5) if NIGHTLY else (4, 1)
_ROUNDS = 6
Said: TypeAlias = (
    RoundStarted | SeatCorrected | RoundVoided | HandPressed | HandCleared | Claim | ClaimCleared | RoundEnded
)
#: What the books say of a table, in any order of booking.
_SAID = """
SELECT 'round', number, seats::text, '' FROM books.round WHERE table_id = %(table)s
UNION ALL SELECT 'corrected', number, seat::text, wagered::text
            FROM books.correction WHERE table_id = %(table)s
UNION ALL SELECT 'end', number, fixed::text, envy::text FROM books.round_end WHERE table_id = %(table)s
UNION ALL SELECT 'award', round, seat || ' ' || hand, status FROM books.award WHERE table_id = %(table)s
UNION ALL SELECT 'message', number, fact ->> 'step', kind || coalesce(fact ->> 'refused', '')
            FROM books.table_fact WHERE table_id = %(table)s AND fact ? 'step'
ORDER BY 1, 2, 3, 4
"""


class _Dealer:
    """The messages of one table, in the order in which its controller says them."""

    def __init__(self, table: str, dice: random.Random) -> None:
        self.table = table
        self.dice = dice
        self.round = 0
        self.step = 0
        self.hands: dict[int, str] = {}
        self.said: list[Said] = []

    def play(self) -> list[Said]:
        for self.round in range(1, _ROUNDS + 1):
            self.step, self.hands = 0, {}
            seats = sorted(self.dice.sample(range(1, 6), self.dice.randint(2, 4)))
            self.said.append(started(self.round, self.table, seats=seats))
            if self.dice.random() < 0.3:
                more = self.dice.choice([seat for seat in range(1, 6) if seat not in seats])
                seats = sorted([*seats, more])
                about: dict[str, Any] = {"seat": more, "wagered": True, "seats": tuple(seats)}
                self.said.append(
                    SeatCorrected(**self._next(), **about, supervisor=sign_on_of(self.table, "sam"))
                )
            if self.dice.random() < 0.15:
                self.said.append(RoundVoided(**self._next("sam"), reason="misdeal"))
                continue
            for seat in self.dice.sample(seats, self.dice.randint(0, 2)):
                self._name(seat, self.dice.choice(("flush", "straight", "royal_flush")))
                if self.dice.random() < 0.4:
                    self._clear(seat)
                    self._name(seat, self.dice.choice(("flush", "royal_flush")))
            self.said.append(RoundEnded(**self._next(), fixed=0, envy=0))
        return self.said

    def _next(self, by: str = "dana") -> dict[str, Any]:
        self.step += 1
        return {
            "link": "L1",
            "at": NOW + 100 * self.round + self.step,
            "table": self.table,
            "round": self.round,
            "step": self.step,
            "sign_on": sign_on_of(self.table, by),
        }

    def _name(self, seat: int, hand: str) -> None:
        self.hands[seat] = hand
        self.said.append(HandPressed(**self._next(), seat=seat, hand=hand, hands=dict(self.hands)))
        if hand == "royal_flush":
            self.said.append(Claim(**self._next(), **self._about(seat), hand=hand))

    def _clear(self, seat: int) -> None:
        hand = self.hands.pop(seat)
        self.said.append(HandCleared(**self._next(), seat=seat, hand=hand, hands=dict(self.hands)))
        if hand == "royal_flush":
            self.said.append(ClaimCleared(**self._next(), **self._about(seat)))

    def _about(self, seat: int) -> dict[str, Any]:
        return {
            "award": f"{self.table}:{self.round}:{seat}",
            "seat": seat,
            "players": (1, 2, 3, 4, 5),
            "hands": dict(self.hands),
        }


def book_in_order(connection: Connection, messages: Sequence[Said]) -> None:
    link = LinkDeliveries("L1")
    for place, message in enumerate(messages):
        outcome = link.apply(connection, [Kept(message, origin=f"in order:{place}", data=encode(message))])
        assert len(outcome.done) == 1, outcome


def book_at_random(connection: Connection, messages: Sequence[Said], dice: random.Random) -> None:
    """Deliver batches in any order; acknowledgments get lost, and a bookkeeper dies after its commit."""
    link = LinkDeliveries("L1")
    left = [
        Kept(message, origin=f"{id(dice)}:{place}", data=encode(message))
        for place, message in enumerate(messages)
    ]
    while left:
        dice.shuffle(left)
        size = dice.randint(1, len(left) // 3 + 1)
        some, left = left[:size], left[size:]
        outcome = link.apply(connection, some)
        assert not outcome.parked, outcome.parked
        if dice.random() < 0.1:
            link, again = LinkDeliveries("L1"), some
        else:
            again = [*outcome.waiting, *(delivery for delivery in outcome.done if dice.random() < 0.2)]
        left += [
            replace(delivery, deliveries=min(delivery.deliveries + 1, PATIENCE - 1), is_repeated=True)
            for delivery in again
        ]


def said_of(connection: Connection, table: str) -> list[tuple[Any, ...]]:
    return connection.execute(_SAID.encode(), {"table": table}).fetchall()


def _for_table(messages: Sequence[Said], table: str) -> Iterator[Said]:
    for message in messages:
        moved = changed(message, table=table, sign_on=message.sign_on.replace(message.table, table))
        if isinstance(moved, SeatCorrected):
            moved = changed(moved, supervisor=moved.supervisor.replace(message.table, table))
        yield moved


@pytest.mark.requirement("GL-12", "GEN-11", "LT-02")
@pytest.mark.parametrize("room", range(_ROOMS))
def test_any_order_books_what_the_order_of_the_table_books(house: House, room: int) -> None:
    with writer(house) as connection:
        for evening in range(_EVENINGS):
            dice = random.Random(room * _EVENINGS + evening)
            names = [f"T{2 * evening + 1}", f"T{2 * evening + 2}"]
            in_order = _Dealer(names[0], dice).play()
            shuffled = list(_for_table(in_order, names[1]))
            book_in_order(connection, in_order)
            book_at_random(connection, shuffled, dice)
            first, second = (said_of(connection, name) for name in names)
            assert first == second, f"evening {evening}"
            kinds = [row[0] for row in first]
            assert kinds.count("round") == _ROUNDS
            assert kinds.count("message") > 0
    house.check()
