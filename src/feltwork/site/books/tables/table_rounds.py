"""Rounds at a table: one store and one state machine, whether a screen or a controller drives it.

A round is the fold of its row in `books.round`, its messages in `books.table_fact`, its awards and its end,
so either can continue it.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

import msgspec

from feltwork.problem import Problem
from feltwork.site.books.awards import awards
from feltwork.site.books.awards.awards import award_ids
from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.link_state import LinkSnapshot, lock_link, read_meters, without_trays
from feltwork.site.books.journal.transaction import Committed, book_facts
from feltwork.site.books.tables.admission import now
from feltwork.site.books.tables.rounds import (
    BatchResult,
    Driver,
    LoggedMessage,
    OpenRound,
    book_correction,
    book_ends,
    book_misdeal,
    book_rounds,
    last_hand,
    last_round,
    layout_at,
    layout_of,
    log_message,
    park_round,
    played_round,
    say,
)
from feltwork.site.compliance.floor import FloorTable
from feltwork.site.progressive import award as award_rules
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.button_pays import verify_cards
from feltwork.site.progressive.facts import DAY, Claimed, Instant
from feltwork.site.progressive.layout import Layout
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.round import TableRound
from feltwork.site.progressive.round_facts import (
    HandCleared,
    HandPressed,
    KeyTurned,
    RegularWagers,
    RoundEnded,
    RoundStarted,
    RoundTakenOver,
)
from feltwork.site.wire import uplink as wire


class Table:
    """A table of a link, and its buttons; ``driver`` is the device that presses them."""

    #: The locked state of the link and its round, if a batch of messages has read them.
    snapshot: LinkSnapshot | None = None
    played: OpenRound | None = None
    #: The round after the last hand button.
    pressed: OpenRound | None = None

    def __init__(
        self,
        connection: Connection,
        link: str,
        name: str,
        *,
        seats: int = 7,
        driver: Driver = "screen",
        place: FloorTable | None = None,
    ) -> None:
        self._connection = connection
        self._link = link
        self._name = name
        self._seats = place.seats if place else seats
        self._place = place
        self._driver: Driver = driver

    def round(self, number: int | None = None) -> TableRound:
        """A round by its number, or the current one, or the last one."""
        with self._connection.transaction():
            return self._take(number)[1].round

    def seen(self, number: int | None = None) -> OpenRound:
        """Read a round, or the current one, without a lock."""
        return self.played or self._played(read_meters(self._connection, self._link), number)

    def hold(self, snapshot: LinkSnapshot, number: int) -> OpenRound:
        """Read a round of a locked link for the next button."""
        self.snapshot, self.played = snapshot, self._played(snapshot, number)
        return self.played

    def start(
        self,
        *,
        covered: Iterable[int],
        players: Iterable[int],
        by: str,
        number: int | None = None,
        at: Instant | None = None,
    ) -> tuple[RoundStarted, BatchResult]:
        """START GAME: lock the seats and book the round, by default under the table's next number [LT-01]."""
        with self._connection.transaction():
            snapshot, played = self._take(None)
            self._verify_driver(played)
            number = number or last_round(self._connection, self._name) + 1
            playing, started = rules.start(
                replace(played.round, number=number - 1),
                covered=covered,
                players=players,
                takes_wagers=snapshot.state.takes_wagers,
                at=snapshot.at(at),
            )
            booked = book_rounds(self._connection, self._link, [started], at=at)
            if not booked.rounds:
                where, remedy = f"table {self._name}, round {started.round}", "ask the pit"
                what = booked.refused[0].problem.what if booked.refused else "its number is booked already"
                raise refuse(where, what, remedy, "GEN-03")
            about = {"link": self._link, "table": self._name, "by": by}
            seated = RegularWagers(**about, at=started.at, round=started.round, players=playing.players)
            say(self._connection, [seated])
        return started, booked

    def correct(
        self,
        *,
        seat: int,
        wagered: bool,
        by: str,
        approved_by: str = "",
        number: int | None = None,
        at: Instant | None = None,
    ) -> Committed:
        """Correct one locked seat before the first card: book or return its wager [LT-01]."""
        with self._connection.transaction():
            snapshot, played = self._take(number)
            self._verify_driver(played)
            started = played.round.started
            rules.correct(played.round, seat=seat, wagered=wagered)
            assert started is not None
            if played.round.link.fingerprint != snapshot.state.link.fingerprint:
                where, what = (
                    f"table {self._name}, round {started.round}",
                    "the link was reconfigured after this round started",
                )
                raise refuse(where, what, "call a misdeal", "LT-10")
            people = {"by": by, "approved_by": approved_by}
            self.snapshot = None
            return book_correction(self._connection, started, seat=seat, wagered=wagered, **people, at=at)

    def leave_out(self, number: int, *, at: Instant | None = None) -> None:
        """Book a round number without seats while this link is stopped."""
        with self._connection.transaction():
            snapshot = lock_link(self._connection, self._link)
            link = snapshot.state.link
            started = RoundStarted(
                link=link.id, at=snapshot.at(at), table=self._name, round=number, wager=link.wager, seats=()
            )
            where, what = f"{link.id}, table {self._name}, round {number}", "the link is not accepting wagers"
            park_round(self._connection, started, Problem(where, what, "return the jackpot chips", "GEN-07"))

    def fold(
        self, *, seat: int, folded: bool, by: str, number: int | None = None, at: Instant | None = None
    ) -> None:
        """Mark a seat as folded, or remove the mark."""
        with self._connection.transaction():
            snapshot, played = self._take(number)
            self._verify_driver(played)
            _, fact = rules.fold(played.round, seat=seat, folded=folded, at=snapshot.at(at), by=by)
            say(self._connection, [fact])

    def press(
        self,
        *,
        seat: int,
        hand: str,
        by: str,
        cards: str = "",
        winners: Collection[int] = (),
        at: Instant | None = None,
    ) -> tuple[Committed, ...]:
        """Press a hand button: make, change or clear claims [LT-02]."""
        with self._connection.transaction():
            snapshot, played = self._take(None)
            self._verify_driver(played)
            about: dict[str, Any] = {"seat": seat, "hand": hand, "by": by, "cards": cards, "winners": winners}
            return self._pressed(snapshot, played, **about, at=at)

    def name_hand(
        self, number: int, *, seat: int, hand: str, by: str, cards: str = "", winners: Collection[int] = ()
    ) -> tuple[Committed, ...]:
        """Set or clear a seat's hand; repeating it has no effect."""
        with self._connection.transaction():
            snapshot, played = self._take(number)
            self._verify_driver(played)
            hands = played.round.hands
            if all(hands.get(seat_number, "") == hand for seat_number in (seat, *winners)):
                return ()
            pressed = hand or hands[seat]
            about: dict[str, Any] = {
                "seat": seat,
                "hand": pressed,
                "by": by,
                "cards": cards,
                "winners": winners,
            }
            return self._pressed(snapshot, played, **about, at=None)

    def turn_key(
        self, *, to: Literal["jackpot", "run"], by: str, number: int | None = None, at: Instant | None = None
    ) -> Committed | None:
        """Turn the Aquarius key to JPH, or back to RUN, where the meter moves."""
        with self._connection.transaction():
            snapshot, played = self._take(number)
            self._verify_driver(played)
            result = None
            if to == "jackpot":
                rules.key_to_jackpot(played.round)
            else:
                result = awards.move_meter(self._connection, rules.key_to_run(played.round), at=at)
            about = {"link": self._link, "table": self._name, "by": by}
            say(self._connection, [KeyTurned(**about, at=snapshot.at(at), round=played.round.number, to=to)])
            self.snapshot = None
        return result

    def end(self, *, at: Instant | None = None) -> RoundEnded:
        """END GAME: book the tray payments [LT-09]."""
        with self._connection.transaction():
            snapshot, played = self._take(None)
            self._verify_driver(played)
            _, ended = rules.end(played.round, at=snapshot.at(at))
            book_ends(self._connection, self._link, [ended], at=at)
        return ended

    def misdeal(
        self, *, reason: str, by: str, number: int | None = None, at: Instant | None = None
    ) -> Committed:
        """MISDEAL: void the round and return its wagers."""
        with self._connection.transaction():
            snapshot, played = self._take(number)
            self._verify_driver(played)
            _, fact = rules.misdeal(played.round, reason=reason, at=snapshot.at(at), by=by)
            result = book_misdeal(self._connection, self._link, self._name, played.round.number, by=by, at=at)
            say(self._connection, [fact])
            self.snapshot = None
        return result

    def take_over(self, *, by: str, at: Instant | None = None) -> TableRound:
        """Take over the open round of a failed controller at the screen."""
        with self._connection.transaction():
            snapshot, played = self._take(None)
            if played.round.phase == "idle" or played.driver == "screen":
                what = "no controller round is open at this table"
                raise refuse(f"table {self._name}", what, "press START GAME on the screen", "GEN-07")
            about = {"link": self._link, "table": self._name, "by": by}
            say(self._connection, [RoundTakenOver(**about, at=snapshot.at(at), round=played.round.number)])
            return played.round

    def _pressed(
        self,
        snapshot: LinkSnapshot,
        played: OpenRound,
        *,
        seat: int,
        hand: str,
        by: str,
        cards: str,
        winners: Collection[int],
        at: Instant | None,
    ) -> tuple[Committed, ...]:
        """Clear the claims whose hands changed, and claim the hands that a meter pays now."""
        round_, now = played.round, snapshot.at(at)
        if self._place is not None:
            layout: Layout | None = layout_at(self._connection, self._place, played)
        else:
            layout = layout_of(self._connection, round_.link, self._name, round_.number)
        about: dict[str, Any] = {"seat": seat, "hand": hand, "by": by, "cards": cards, "winners": winners}
        after, facts = rules.press(round_, **about, at=now, layout=layout)
        results: list[Committed] = []
        changed = {fact.seat for fact in facts if isinstance(fact, HandPressed | HandCleared)}
        held = played.state_of(snapshot)
        if cleared := [claim.id for claim in played.claims if claim.seat in changed]:
            void = award_rules.void(held.state, awards=cleared, reason="cleared", at=now, by=by)
            results.append(book_facts(self._connection, held, void))
            held = replace(held, state=results[-1].state, tail=results[-1].tail)
        if claimed := [seat for seat in after.claims if seat in changed]:
            names = award_ids(held.state, after, claimed)
            claim = award_rules.claim(held.state, after, awards=names, at=now, by=by, cards=cards)
            results.append(book_facts(self._connection, held, claim))
            held = replace(held, state=results[-1].state, tail=results[-1].tail)
        say(self._connection, facts)
        self.snapshot = self.snapshot and without_trays(held)
        self.pressed = replace(played, round=after)
        return tuple(results)

    def _verify_driver(self, played: OpenRound) -> None:
        if played.driver == self._driver or played.round.phase == "idle":
            return
        where = f"table {self._name}, round {played.round.number}"
        if played.driver == "controller":
            what, remedy = (
                "its controller deals this round",
                "end it there, or have a supervisor take it over",
            )
        else:
            what, remedy = "the round is dealt from the screen", "finish it there"
        raise refuse(where, what, remedy, "GEN-07")

    def _take(self, number: int | None) -> tuple[LinkSnapshot, OpenRound]:
        """Lock the link, and read the round under the lock."""
        snapshot = self.snapshot or lock_link(self._connection, self._link)
        return snapshot, self.played or self._played(snapshot, number)

    def _played(self, snapshot: LinkSnapshot, number: int | None) -> OpenRound:
        return played_round(self._connection, snapshot.state.link, self._name, number, seats=self._seats)


def claims_of(results: Iterable[Committed]) -> Mapping[int, str]:
    """The claims that a command made: seat -> award."""
    return {fact.seat: fact.award for result in results for fact in result.facts if isinstance(fact, Claimed)}


def logged_form(message: wire.RoundMessage, *, by: str, supervisor: str = "") -> LoggedMessage:
    """Return the logged form of a message, with the people instead of their sign-ons."""
    plain = {"by": by, **msgspec.to_builtins(message, str_keys=True)}
    del plain["sign_on"]
    if isinstance(message, wire.SeatCorrected):
        plain["supervisor"] = supervisor if message.wagered else ""
    return LoggedMessage(
        link=message.link,
        table=message.table,
        round=message.round,
        step=message.step,
        at=min(message.at, now() + 365 * DAY),
        kind=type(message).__name__,
        said=plain,
    )


def carry_out(
    connection: Connection, table: Table, message: wire.RoundMessage, logged: LoggedMessage
) -> None:
    """Carry out a message at its table; raise the reason if it cannot be done."""
    log_message(connection, logged)
    person = logged.said["by"]
    match message:
        case (
            wire.Claim(seat=seat, hand=hand, cards=cards)
            | wire.HandPressed(seat=seat, hand=hand, cards=cards)
        ):
            if cards:
                verify_cards(table.seen(message.round).round.link, hand=hand, cards=cards)
            winners = message.winners if isinstance(message, wire.HandPressed) else ()
            # The pit may already have decided a claim that the hand button made.
            if not (isinstance(message, wire.Claim) and _is_made_by_hand(connection, message, logged)):
                table.name_hand(message.round, seat=seat, hand=hand, by=person, cards=cards, winners=winners)
        case wire.ClaimCleared(seat=seat) | wire.HandCleared(seat=seat):
            table.name_hand(message.round, seat=seat, hand="", by=person)
        case wire.SeatCorrected(seat=seat, wagered=wagered):
            supervisor = logged.said["supervisor"]
            table.correct(seat=seat, wagered=wagered, by=person, approved_by=supervisor, number=message.round)
        case wire.SeatFolded(seat=seat, folded=folded):
            table.fold(seat=seat, folded=folded, by=person, number=message.round)
        case wire.KeyTurned(to=to):
            table.turn_key(to=to, by=person, number=message.round)
        case wire.RoundVoided(reason=reason):
            table.misdeal(reason=reason, by=person, number=message.round)


def _is_made_by_hand(connection: Connection, claim: wire.Claim, logged: LoggedMessage) -> bool:
    """Whether the preceding hand button made the claim: a table reports both, and the books need one."""
    before = last_hand(connection, logged, seat=claim.seat)
    return before == ("HandPressed", claim.hand)
