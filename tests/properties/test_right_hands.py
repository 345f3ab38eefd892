"""However a round was pressed, cleared, voided, confirmed and reversed before: it pays its right hands."""

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from feltwork.money import Micros
from feltwork.problem import ProblemsError
from feltwork.site.progressive import award as awards
from feltwork.site.progressive import round as rounds
from feltwork.site.progressive.link import Link, LockAt
from feltwork.site.progressive.round_facts import HandCleared, HandPressed
from feltwork.site.progressive.state import Award
from feltwork.titles import registry
from feltwork.titles.meter_pays import Hands, pay_hands
from feltwork.titles.paytables.paytable import Row, Share
from feltwork.titles.round import TableJackpot
from tests.progressive.room import DEALER, Room, asked, level, link_of
from tests.sizes import size

#: Rounds of each jackpot; `just nightly` plays more.
ROUNDS = size(40, 1_000)
MISTAKES = 6
TABLE = "T1"


def links(jackpot: str, dice: random.Random) -> Iterator[Link]:
    """Links of a jackpot with random paytables, amounts and policies."""
    library = registry.library(jackpot)
    for _ in range(ROUNDS):
        paytable = library["jackpot", dice.choice(library.ids_of("jackpot"))]
        levels = [
            level(name, seed=dice.choice([10, 500]), contribution=dice.choice([100, 600]), reserve=300)
            for name in paytable.levels
        ]
        policies: dict[str, Any] = {
            "several_winners": dice.choice(["seat_order", "split", "each_in_full"]),
            "envy_from": dice.choice(["any_player", "bettors"]),
        }
        if jackpot == "dragon":
            policies = {"share_with": "all_bettors"}
        variant = dice.choice(registry.jackpot(jackpot).variants or ("",))
        lock_at: LockAt = dice.choice(["claim", "confirm"])
        yield link_of(jackpot, paytable.id, levels, lock_at=lock_at, variant=variant, **policies)


class Evening:
    """A room whose dealer errs, and whose people correct it before the round ends."""

    def __init__(self, link: Link, dice: random.Random) -> None:
        self.dice, self.room = dice, Room(link, [TABLE]).open()
        seats = dice.sample(range(1, 8), dice.randint(1, 7))
        self.room.start(TABLE, seats)
        self.rows = {row.hand: row for row in link.paytable.rows}
        shares = [row.hand for row in link.paytable.rows if isinstance(row.pays, Share)]
        #: The hands of the cards: mostly nothing, and shares of a meter more often than at a table.
        self.right = {
            seat: dice.choice([*shares, *self.rows]) for seat in seats if link.title.divides_shares is False
        }
        self.right = {seat: hand for seat, hand in self.right.items() if dice.random() < 0.4}
        if link.title.divides_shares:  # one result of the coup, for everyone
            self.right = dict.fromkeys(seats, dice.choice([*self.rows]))
        self.reversals = 0

    def due(self) -> tuple[dict[int, Micros], Micros, Micros]:
        """What each seat wins off the meters, and what the tray pays, by the rules that settle cards."""
        link, state = self.room.first, self.room.state
        table = TableJackpot(
            jackpot=registry.jackpot(link.jackpot),
            paytable=link.paytable,
            wager=link.wager,
            meters={name: state.meter(name) for name in link.level_names},
            options=link.options,
            reseed={one.name: one.seed for one in link.levels},
            reserve={name: state.reserve(name) for name in link.level_names},
        )
        seats = self.room.rounds[TABLE].seats
        rows: dict[int, Row | None] = {seat: self.rows.get(self.right.get(seat, "")) for seat in seats}
        paid, _ = pay_hands(table, Hands(rows=rows, bettors=tuple(seats), backing=frozenset(seats)))
        shares = {seat for seat, row in rows.items() if row and isinstance(row.pays, Share)}
        fixed = sum(
            result.award + result.stake_returned for seat, result in paid.items() if seat not in shares
        )
        return (
            {seat: paid[seat].award for seat in shares},
            fixed,
            sum(result.envy for result in paid.values()),
        )

    def play(self) -> tuple[dict[int, Micros], Micros, Micros]:
        for _ in range(self.dice.randint(0, MISTAKES)):
            with suppress(ProblemsError):
                self.err()
        self.correct()
        while claims := self.claims():
            self.confirm(claims)
        ended = self.room.end(TABLE)
        wins = [award for award in self.room.state.awards.values() if award.status == "confirmed"]
        return {award.seat: award.amount for award in wins}, ended.fixed, ended.envy

    def claims(self) -> list[Award]:
        return sorted(self.room.claims(TABLE), key=lambda claim: -claim.seat)

    def press(self, seat: int, hand: str) -> None:
        """Press a button: claims of the seats whose hands change go, and those that a meter pays come."""
        room, at = self.room, self.room.later()
        after, facts = rounds.press(room.rounds[TABLE], seat=seat, hand=hand, at=at, by=DEALER)
        changed = {fact.seat for fact in facts if isinstance(fact, HandPressed | HandCleared)}
        room.rounds[TABLE] = after
        if cleared := [claim.id for claim in room.claims(TABLE) if claim.seat in changed]:
            room.book(*awards.void(room.state, awards=cleared, reason="cleared", at=room.later(), by=DEALER))
        if claimed := sorted(changed & set(after.claims)):
            names = {one: f"A{len(room.state.awards)}:{one}" for one in claimed}
            room.book(
                *awards.claim(room.state, after, awards=names, at=room.later(), by=DEALER, cards="as dealt")
            )

    def err(self) -> None:
        """Press a random button, void a claim, or confirm one and reverse it."""
        claims = self.claims()
        match self.dice.choice(["press", "press", "void", "reverse"]):
            case "void" if claims:
                self.room.void(self.dice.choice(claims).id)
            # Beside another open claim of its level, the reserve that a reversed award took stays out of that
            # claim's turn: some cents, and no deal gives two hands that take the whole meter at these games.
            case "reverse" if claims and len({claim.level for claim in claims}) == len(claims):
                self.reverse(self.confirm(claims))
            case _:
                seat = self.dice.choice(sorted(self.room.rounds[TABLE].seats))
                self.press(seat, self.dice.choice([*self.rows]))

    def confirm(self, claims: list[Award]) -> str:
        """Confirm what is confirmed together with the first claim that may be."""
        for first in claims:
            beside = [one.id for one in claims if one.level == first.level]
            same = [one.id for one in claims if (one.level, one.hand) == (first.level, first.hand)]
            for together in ([first.id], same, beside):
                with suppress(ProblemsError):
                    self.room.confirm(*together)
                    return first.id
        raise AssertionError("no claim can be confirmed")

    def reverse(self, award: str) -> None:
        self.reversals += 1
        before = {one.id for one in self.room.state.awards.values() if one.status == "confirmed"}
        facts = awards.reverse(
            self.room.state,
            asked("the card was misread"),
            award=award,
            adjustment=f"R{self.reversals}",
            evidence="video 4",
            at=self.room.later(),
        )
        self.room.book(*facts)
        gone = [one.seat for name in before if (one := self.room.state.awards[name]).status == "reversed"]
        self.room.rounds[TABLE] = rounds.take_out(self.room.rounds[TABLE], seats=gone)

    def correct(self) -> None:
        """Clear what is wrong, reverse what was confirmed by mistake, and press the right hands."""
        for name, award in list(self.room.state.awards.items()):
            if award.status == "confirmed" and self.room.state.awards[name].status == "confirmed":
                self.reverse(name)
        for seat, hand in dict(self.room.rounds[TABLE].hands).items():
            if self.room.rounds[TABLE].hands.get(seat) == hand != self.right.get(seat):
                self.press(seat, hand)
        for seat, hand in self.right.items():
            if self.room.rounds[TABLE].hands.get(seat) != hand:
                self.press(seat, hand)


@pytest.mark.requirement("LT-02", "LT-04", "LT-07")
@pytest.mark.parametrize("jackpot", sorted(jackpot.name for jackpot in registry.jackpots()))
def test_a_round_pays_its_right_hands_whatever_was_pressed_before(jackpot: str) -> None:
    dice = random.Random(f"right hands of {jackpot}")
    reversals = 0
    for link in links(jackpot, dice):
        evening = Evening(link, dice)
        due = evening.due()
        assert evening.play() == due, (link.paytable.name, link.options, evening.right)
        evening.room.check()
        reversals += evening.reversals
    assert reversals > 0
