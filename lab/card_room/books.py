"""The books of a simulated card room: rounds and claims under the real rules, without a database."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, replace

from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.tables.deliveries import RoundRecord, turn_of
from feltwork.site.progressive import award as awards
from feltwork.site.progressive import contribution, life_cycle
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.chain import Tail
from feltwork.site.progressive.facts import Fact
from feltwork.site.progressive.fold import book
from feltwork.site.progressive.link import Level, Link, options_of
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import RoundStarted
from feltwork.site.progressive.sign_offs import Badge, TwoPersonRequest
from feltwork.site.progressive.state import LinkState, new_state
from feltwork.titles import registry
from lab.card_room.table import TableMessage

SEED, CONTRIBUTION, RESERVE = 10_000 * DOLLAR, 2_400, 500
_TWO = TwoPersonRequest(by="ann", approved_by="bob", reason="simulated")
_BADGES = (Badge("sam", "supervisor"), Badge("eve", "executive"))


def simulated_link() -> Link:
    """Return a jackpot with one level, won whole by a royal flush, whose meter moves at the claim."""
    top = Level(
        name="jackpot", seed=SEED, contribution=CONTRIBUTION, reserve=RESERVE, unreasonable=100 * DOLLAR
    )
    return Link(
        id="L1",
        jackpot="five_card",
        paytable=registry.paytable("five_card", "jackpot", "01"),
        wager=DOLLAR,
        levels=(top,),
        controls="nexus",
        lock_at="claim",
        executive_above=1_000 * DOLLAR,
        options=options_of(registry.jackpot("five_card")),
        variant="",
    )


@dataclass
class RoomBooks:
    """The committed state: the chain, and the record of every round."""

    state: LinkState
    tail: Tail = field(default_factory=Tail)
    facts: list[Fact] = field(default_factory=list)
    rounds: dict[tuple[str, int], TableRound] = field(default_factory=dict)
    refused: set[tuple[str, int]] = field(default_factory=set)
    #: Rounds whose table was notified of the refusal: the players have their chips back.
    told: set[tuple[str, int]] = field(default_factory=set)
    ended: set[tuple[str, int]] = field(default_factory=set)
    steps: dict[tuple[str, int], dict[int, TableMessage]] = field(default_factory=dict)
    parked: list[TableMessage] = field(default_factory=list)

    def duplicate(self) -> "RoomBooks":
        """Begin a transaction: copy the books, to be changed and committed or discarded."""
        parts = ("facts", "rounds", "refused", "told", "ended", "steps", "parked")
        return replace(self, **{name: copy(getattr(self, name)) for name in parts})

    def take(self, message: TableMessage, *, deliveries: int, at: int) -> bool:
        """Process one delivered message; return whether it is settled and needs no redelivery."""
        if message.kind == "start":
            self._start(message, at)
            return True
        steps = self.steps.get(message.key, {})
        record = RoundRecord(
            booked=message.key in self.rounds, refused=message.key in self.refused, steps=steps
        )
        turn = turn_of(message.step, record, deliveries=deliveries, may_come=lambda: True)
        if turn == "wait":
            return False
        if turn != "now":
            self.parked += [message] if turn != "repeated" else []
        elif message.kind != "end":
            self.steps[message.key] = {**steps, message.step: message}
            self._carry_out(message, at)
        elif message.key not in self.ended:
            self.ended.add(message.key)
            tray = rules.tray_of(self.rounds[message.key], at=at)
            self._book([contribution.fold_ends(self.state.link.id, [tray], at=at)])
        return True

    def decide(self, award: str, *, confirm: bool, at: int) -> None:
        """Confirm a claim of an ended round for the pit, or void one; a claim out of turn is refused."""
        claim = self.state.awards[award]
        place = claim.table, claim.round
        round_ = self.rounds[place]
        if confirm and place not in self.ended:
            return
        if not confirm:
            self._book(awards.void(self.state, awards=[award], reason="simulated", at=at, by="sam"))
            self.rounds[place] = rules.take_out(round_, seats=[claim.seat])
            return
        amount = claim.amount
        try:
            facts = awards.confirm(self.state, round_, awards=[award], badges=_BADGES, amount=amount, at=at)
        except ProblemsError:
            return  # another claim comes first
        self._book(facts)
        self.rounds[place] = replace(round_, confirmed=round_.confirmed | {claim.seat})

    def stop(self, *, at: int) -> None:
        """Stop the link, or let two people resume it."""
        if self.state.takes_wagers:
            self._book([life_cycle.stop(self.state, cause="suspended", reason="simulated", at=at, by="sam")])
        else:
            self._book([life_cycle.resume(self.state, _TWO, at=at)])

    def _start(self, message: TableMessage, at: int) -> None:
        if message.key in self.rounds or message.key in self.refused:
            return
        link = self.state.link
        started = RoundStarted(
            link=link.id, at=at, table=message.table, round=message.round, wager=DOLLAR, seats=message.seats
        )
        batch = contribution.fold_rounds(self.state, [started], at=at)
        if batch.fact is None:
            self.refused.add(message.key)
            self.told.add(message.key)
            return
        self._book([batch.fact])
        before = TableRound(table=message.table, link=link, number=message.round - 1)
        self.rounds[message.key], _ = rules.start(
            before, covered=message.seats, players=range(1, 8), takes_wagers=True, at=at
        )

    def _carry_out(self, message: TableMessage, at: int) -> None:
        round_ = self.rounds[message.key]
        started = round_.started
        assert started is not None
        if message.kind == "misdeal":
            self.rounds[message.key], _ = rules.misdeal(round_, reason="simulated", at=at, by="sam")
            fact = contribution.misdeal(self.state, started, booked_in=1, at=at, by="sam")
            self._book([fact])
        elif message.kind == "seat":
            (seat,) = message.seats
            self._book([contribution.add_wager(self.state, started, seat=seat, at=at, by="dana")])
            self.rounds[message.key] = rules.correct(round_, seat=seat, wagered=True)
        elif message.kind != "claim" or not self._is_made_by_hand(message):
            self._name(message, round_, at)

    def _is_made_by_hand(self, claim: TableMessage) -> bool:
        before = self.steps[claim.key].get(claim.step - 1)
        return before is not None and (before.kind, before.hand) == ("hand", claim.hand)

    def _name(self, message: TableMessage, round_: TableRound, at: int) -> None:
        (seat,) = message.seats
        current_hand = round_.hands.get(seat, "")
        if current_hand == message.hand:
            return
        after, _ = rules.press(round_, seat=seat, hand=message.hand or current_hand, at=at, by="dana")
        open_claims = [claim.id for claim in self.state.open_claims(*message.key) if claim.seat == seat]
        if open_claims:
            self._book(awards.void(self.state, awards=open_claims, reason="cleared", at=at, by="dana"))
        if seat in after.claims:
            name = f"{message.table}:{message.round}:{seat}:{len(self.state.awards)}"
            cards = "Ah Kh Qh Jh Th"
            facts = awards.claim(self.state, after, awards={seat: name}, at=at, by="dana", cards=cards)
            self._book(facts)
        self.rounds[message.key] = after

    def _book(self, facts: Sequence[Fact]) -> None:
        self.state, entries = book(self.state, self.tail, facts)
        self.facts += facts
        if entries:
            self.tail = entries[-1].tail


def opened_books(at: int) -> RoomBooks:
    """Return books in which two people have opened the link."""
    books = RoomBooks(new_state(simulated_link()))
    books._book([life_cycle.open_link(books.state, _TWO, at=at)])
    return books
