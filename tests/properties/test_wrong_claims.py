"""Wrong buttons do no harm: a link with wrong claims ends as one that never saw them, to the millionth."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from feltwork.money import CENT, DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.progressive.badges import hit_of
from feltwork.site.progressive.link import Link, LockAt
from feltwork.site.progressive.state import Award
from feltwork.titles.paytables.paytable import Share
from tests.progressive.room import Room, level, link_of
from tests.sizes import size

#: `just nightly` runs more of them.
HISTORIES = size(50, 5_000)
STEPS = 40
TABLES = ("T1", "T2", "T3")
LEVELS = {"01": ("jackpot",), "ML01": ("mega", "major")}


@dataclass
class Histories:
    """One history told twice: as it happened, and as it would have been without the wrong buttons."""

    link: Link
    dice: random.Random
    real: Room = field(init=False)
    oracle: Room = field(init=False)
    #: Claims of the real room by place, and their twins; a wrong claim has none.
    twins: dict[str, str] = field(default_factory=dict)
    wrong: int = 0

    def __post_init__(self) -> None:
        self.real, self.oracle = Room(self.link, TABLES).open(), Room(self.link, TABLES).open()

    @property
    def hands(self) -> list[str]:
        return [row.hand for row in self.link.paytable.rows if isinstance(row.pays, Share)]

    @property
    def rooms(self) -> tuple[Room, Room]:
        return self.real, self.oracle

    def open_claims(self) -> list[Award]:
        return [award for award in self.real.state.awards.values() if award.status == "claimed"]

    def step(self) -> None:
        table = self.dice.choice(TABLES)
        match self.real.rounds[table].phase:
            case "idle":
                seats = self.dice.sample(range(1, 8), self.dice.randint(1, 7))
                for room in self.rooms:
                    room.start(table, seats)
            case "playing" if self.dice.random() < 0.3:
                for room in self.rooms:
                    room.end(table)
            case "playing" if self.dice.random() < 0.1 and self.may_misdeal():
                for room in self.rooms:
                    room.misdeal(table)
            case _ if self.dice.random() < 0.65:
                self.press(table)
            case "claimed":
                self.settle(table)
            case _:
                self.press(table)

    def may_misdeal(self) -> bool:
        """What a misdeal takes back depends on what the pools hold then, so none falls between claims."""
        playing = {(name, round_.number) for name, round_ in self.real.rounds.items()}
        return not any((award.table, award.round) in playing for award in self.real.state.awards.values())

    def is_wrong(self, claim: Award) -> bool:
        return claim.id not in self.twins

    def press(self, table: str) -> None:
        round_ = self.real.rounds[table]
        free = [seat for seat in round_.seats if seat not in round_.hands]
        if not free:
            return
        seat, hand = self.dice.choice(free), self.dice.choice(self.hands)
        if round_.link.divides(hand) and hand in [
            round_.hands[confirmed_seat] for confirmed_seat in round_.confirmed
        ]:
            return  # a divided prize that is confirmed has no further winner
        claim = self.real.press(table, seat, hand)
        if self.dice.random() < 0.5:
            self.twins[claim] = self.oracle.press(table, seat, hand)
        else:
            self.wrong += 1

    def settle(self, table: str) -> None:
        """Clear a wrong claim, or confirm a true one; what stands before it in the queue is settled first."""
        chosen = self.dice.choice(self.real.claims(table))
        if self.is_wrong(chosen):
            self.clear(chosen)
            return
        self.confirm([chosen])

    def hit(self, chosen: Award) -> list[Award]:
        """The claims confirmed with one; the wrong ones among them are cleared."""
        hit = hit_of(self.link, chosen)
        members = [claim for claim in self.real.claims(chosen.table) if hit_of(self.link, claim) == hit]
        for claim in members:
            if self.is_wrong(claim):
                self.clear(claim)
        return [claim for claim in members if not self.is_wrong(claim)]

    def ahead_of(self, claims: Sequence[Award]) -> list[Award]:
        """Open claims that were locked on the same level before any of these, the earliest first."""
        state, names = self.real.state, {claim.id for claim in claims}
        ahead = [
            other
            for other in self.open_claims()
            for claim in (state.awards[name] for name in names)
            if other.id not in names
            and other.level == self.link.level_paying(claim.hand)
            and other.lock_number < claim.lock_number
        ]
        return sorted(ahead, key=lambda other: other.lock_number)

    def clear(self, claim: Award) -> None:
        if self.real.state.awards[claim.id].status != "claimed":
            return
        if self.dice.random() < 0.5:
            self.real.void(claim.id)
        else:
            self.real.press(claim.table, claim.seat, claim.hand)

    def confirm(self, claims: Sequence[Award]) -> None:
        """Confirm what waits of some true claims, as the books ask for it: in turn, or a round together."""
        waiting = [claim for claim in claims if self.real.state.awards[claim.id].status == "claimed"]
        names = list(dict.fromkeys(award.id for claim in waiting for award in self.hit(claim)))
        if not names:
            return
        try:
            self.real.confirm(*names)
        except ProblemsError as error:
            self.settle_first(error, [self.real.state.awards[name] for name in names])
        else:
            self.oracle.confirm(*[self.twins[name] for name in names])

    def settle_first(self, error: ProblemsError, claims: Sequence[Award]) -> None:
        beside = self.real.claims(claims[0].table)
        wrong = [claim for claim in beside if self.is_wrong(claim)]
        if "both together" in str(error):
            if wrong:
                self.clear(wrong[0])
                self.confirm(claims)
            else:
                level_name = self.link.level_paying(claims[0].hand)
                self.confirm([claim for claim in beside if self.link.level_paying(claim.hand) == level_name])
            return
        assert "before it" in str(error), error
        ahead = self.ahead_of(claims)
        first = ahead[0] if ahead else max(beside, key=lambda claim: (claim not in claims, claim.seat))
        if self.is_wrong(first):
            self.clear(first)
        else:
            self.confirm([first])
        self.confirm(claims)

    def compare(self) -> int:
        """The number of awards that were compared; every one has the amount of its twin."""
        for claim in self.open_claims():
            if self.is_wrong(claim):
                self.clear(claim)
        for name, twin in self.twins.items():
            award, twin_award = self.real.state.awards[name], self.oracle.state.awards[twin]
            assert (award.status, award.amount, award.level) == (
                twin_award.status,
                twin_award.amount,
                twin_award.level,
            ), name
        for level_name in self.link.level_names:
            for pool in ("meter", "shown", "reserve", "unrecovered_seed", "pending"):
                amount, twin_amount = (getattr(room.state, pool)(level_name) for room in self.rooms)
                assert amount == twin_amount, (pool, level_name)
        self.real.check()
        return len(self.twins)


def link_for(dice: random.Random, cap: int = -1) -> Link:
    paytable = dice.choice(["01", "ML01"])
    lock_at: LockAt = dice.choice(["claim", "confirm"])
    levels = [
        level(
            name,
            seed=dice.choice([0, 10, 50]),
            contribution=dice.choice([100, 2_400]),
            reserve=dice.choice([0, 500]),
            cap=cap,
        )
        for name in LEVELS[paytable]
    ]
    return link_of(
        "five_card",
        paytable,
        levels,
        wager=dice.choice([CENT, DOLLAR, 5 * DOLLAR]),
        lock_at=lock_at,
        several_winners=dice.choice(["seat_order", "seat_order", "split", "each_in_full"]),
    )


@pytest.mark.requirement("GEN-10", "LT-02", "LT-07")
def test_wrong_claims_change_no_award() -> None:
    awards = wrong = 0
    for seed in range(HISTORIES):
        dice = random.Random(seed)
        history = Histories(link_for(dice), dice)
        try:
            for _ in range(STEPS):
                history.step()
            awards += history.compare()
        except Exception as error:
            raise AssertionError(f"history {seed}, {history.link.lock_at}") from error
        wrong += history.wrong
    assert awards > HISTORIES
    assert wrong > HISTORIES
