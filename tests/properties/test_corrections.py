"""A corrected seat leaves no trace in the money: as if START GAME had locked the right seats at once."""

import os
import random
from dataclasses import dataclass, field

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.site.progressive.link import Link, LockAt
from tests.progressive.room import Room, level, link_of

#: `just nightly` runs more of them.
HISTORIES = int(os.environ.get("FELTWORK_HISTORIES", "60"))
STEPS = 40
TABLES = ("T1", "T2", "T3")
HANDS = ("royal_flush", "straight_flush", "full_house")


@dataclass
class Histories:
    """One history told twice: with wrong seats that are corrected, and with the right seats at once."""

    link: Link
    dice: random.Random
    real: Room = field(init=False)
    oracle: Room = field(init=False)
    corrections: int = 0
    capped: int = 0

    def __post_init__(self) -> None:
        self.real, self.oracle = Room(self.link, TABLES).open(), Room(self.link, TABLES).open()

    def seats(self) -> set[int]:
        return set(self.dice.sample(range(1, 8), self.dice.randint(0, 7)))

    def start(self) -> None:
        """Start some tables with wrong seats, then correct them seat by seat, the tables mixed."""
        idle = [table for table in TABLES if self.real.rounds[table].phase == "idle"]
        wrong = {table: self.seats() for table in self.dice.sample(idle, self.dice.randint(0, len(idle)))}
        right = {table: self.seats() for table in wrong}
        for table, seats in wrong.items():
            self.real.start(table, seats)
            self.oracle.start(table, right[table])
        changes = [(table, seat) for table in wrong for seat in wrong[table] ^ right[table]]
        # Some are knocked about once more before they stand right.
        changes += [change for change in changes if self.dice.random() < 0.2 for _ in range(2)]
        self.dice.shuffle(changes)
        for table, seat in changes:
            self.real.correct(table, seat, wagered=seat not in self.real.rounds[table].seats)
            self.corrections += 1
            self.capped += self.real.state.room("jackpot") == 0

    def step(self) -> None:
        if self.dice.random() < 0.4:
            self.start()
            return
        busy = [table for table in TABLES if self.real.rounds[table].phase != "idle"]
        if not busy:
            return
        table = self.dice.choice(busy)
        seats = self.real.rounds[table].seats
        if self.dice.random() < 0.2 and not self.real.rounds[table].dealt:
            for room in (self.real, self.oracle):
                room.misdeal(table)
            return
        if seats and self.dice.random() < 0.6:
            seat, hand = self.dice.choice(seats), self.dice.choice(HANDS)
            claims = [room.press(table, seat, hand) for room in (self.real, self.oracle)]
            assert claims[0] == claims[1]
            if claims[0]:
                for room in (self.real, self.oracle):
                    room.confirm(claims[0])
        for room in (self.real, self.oracle):
            room.end(table)


@pytest.mark.parametrize("lock_at", ["claim", "confirm"])
@pytest.mark.parametrize("cap", [-1, 50 * DOLLAR + 50 * CENT, 53 * DOLLAR])
@pytest.mark.requirement("LT-01", "WA-05", "WA-09")
def test_corrected_rounds_end_as_rounds_that_were_started_right(lock_at: LockAt, cap: int) -> None:
    corrections = capped = 0
    for number in range(HISTORIES // 6):
        dice = random.Random(f"{lock_at}/{cap}/{number}")
        jackpot_level = level(
            seed=50, contribution=dice.randint(0, 4_000), reserve=dice.randint(0, 1_000), cap=cap
        )
        link = link_of("five_card", "01", [jackpot_level], lock_at=lock_at, executive_above=60 * DOLLAR)
        histories = Histories(link, dice)
        for _ in range(STEPS):
            histories.step()
            real, oracle = histories.real.state, histories.oracle.state
            assert (real.meter("jackpot"), real.reserve("jackpot")) == (
                oracle.meter("jackpot"),
                oracle.reserve("jackpot"),
            ), number
        assert real.balances == oracle.balances
        assert [
            (award.id, award.seat, award.hand, award.amount, award.status) for award in real.awards.values()
        ] == [
            (award.id, award.seat, award.hand, award.amount, award.status) for award in oracle.awards.values()
        ]
        histories.real.check()
        corrections += histories.corrections
        capped += histories.capped
    assert corrections > HISTORIES
    assert (capped > 0) == (cap != -1)
