"""The room of the pure tests, played on PostgreSQL: the same methods, every step a transaction."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from feltwork.money import Micros
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.awards.awards import clear_hands
from feltwork.site.books.awards.lookup import awards_named, lock_award
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Actor, Operation, Policy
from feltwork.site.books.journal.link_state import read_link
from feltwork.site.books.journal.transaction import book_facts
from feltwork.site.books.links import lifecycle
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.people.waiting_proposals import command_of
from feltwork.site.books.reports import Row
from feltwork.site.books.reports.report import ReportRequest
from feltwork.site.books.reports.reports import rows_of
from feltwork.site.books.tables.rounds import book_rounds, played_round
from feltwork.site.books.tables.table_rounds import Table
from feltwork.site.books.two_person.links import Reverse
from feltwork.site.progressive import award as rules
from feltwork.site.progressive.adjustment import Adjustment
from feltwork.site.progressive.badges import hit_with
from feltwork.site.progressive.contribution import RefusedRound
from feltwork.site.progressive.fact_serializer import from_plain
from feltwork.site.progressive.facts import Claimed, Fact, Instant
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round import TableRound, start, verify_action
from feltwork.site.progressive.round_facts import RoundEnded, RoundStarted
from feltwork.site.progressive.sign_offs import Badge, TwoPersonRequest
from feltwork.site.progressive.state import LinkState
from tests.progressive.room import DEALER, EVE, SAM, SECOND, asked


def due(connection: Connection, link: str, *names: str) -> Micros:
    """What the pit's screen shows for some claims of a round."""
    state = read_link(connection, link).state
    return sum(state.awards[name].amount for name in names)


def report(connection: Connection, name: str, **asked_for: Any) -> Sequence[Row]:
    """The rows of a report."""
    return rows_of(connection, name, ReportRequest(**asked_for))


def approved(
    connection: Connection, command: str, body: Mapping[str, Any], request: TwoPersonRequest
) -> None:
    """One person proposes a command, and another approves it."""
    for person in (request.by, request.approved_by):
        connection.execute(
            "INSERT INTO books.person (id, name, role) VALUES (%s, %s, 'accounting') ON CONFLICT DO NOTHING",
            (person, person),
        )
    name = f"{command}-{body['adjustment']}"
    about = body["award"] if command == "reverse" else body["link"]
    proposed_command = command_of(
        name, command, about, {**body, "command": command, "reason": request.reason}
    )
    fingerprint = proposals.propose(connection, proposed_command, proposal=name, by=request.by, seconds=60)
    proposal = proposals.find(connection, name)
    assert proposal is not None
    proposals.answer(connection, proposal, by=request.approved_by, digest=fingerprint, approved=True)


def adjust(connection: Connection, link: str, change: Adjustment, **goods: Any) -> None:
    """Two people change a pool, or buy goods out of it."""
    body = {name: getattr(change, name) for name in ("pool", "level", "evidence")}
    body |= {"link": link, "adjustment": change.id}
    request = TwoPersonRequest(by=change.by, approved_by=change.approved_by, reason=change.text)
    if goods:
        approved(connection, "buy_merchandise", {**body, **goods, "value": -change.change}, request)
        lifecycle.buy_merchandise(connection, link, change, **goods)
    else:
        body |= {"lawful_reason": change.reason, "change": change.change}
        approved(connection, "adjust", body, request)
        lifecycle.adjust(connection, link, change)


def reverse(connection: Connection, link: str, request: TwoPersonRequest, **about: Any) -> None:
    """Two people reverse an award."""
    approved(connection, "reverse", {"link": link, **about}, request)
    reverse_at_once(connection, link, request, **about)


def reverse_at_once(connection: Connection, link: str, request: TwoPersonRequest, **about: Any) -> None:
    """A reversal that no proposal asked for."""
    actor = Actor(id=request.approved_by, name="", role="accounting", place="office")
    op = Operation(connection=connection, actor=actor, policy=Policy())
    with connection.transaction():
        Reverse(link=link, reason=request.reason, **about).carry_out(op, request, "")


def confirm(
    connection: Connection,
    link: str,
    *names: str,
    amount: Micros,
    badges: Sequence[Badge] = (SAM, EVE),
    at: Instant | None = None,
) -> None:
    """CONFIRM by people whose badges are proven."""
    with connection.transaction():
        claim = awards_named(connection, link, names)[names[0]]
        locked = lock_award(connection, link, claim)
        round_ = played_round(connection, locked.state.link, claim.table, claim.round).round
        if round_.phase != "idle":
            verify_action(round_, "confirm")
        facts = rules.confirm(
            locked.state, round_, awards=names, badges=badges, amount=amount, at=locked.at(at)
        )
        book_facts(connection, locked, facts)


def pay(connection: Connection, link: str, award: str, *, at: Instant | None = None) -> Micros:
    """The cage pays by check."""
    with connection.transaction():
        locked = lock_award(connection, link, awards_named(connection, link, [award])[award])
        paid = rules.pay(locked.state, award=award, form="check", at=locked.at(at), by="cara")
        book_facts(connection, locked, [paid])
    return paid.amount


def void(connection: Connection, link: str, award: str, reason: str, *, at: Instant | None = None) -> None:
    """A supervisor voids a claim with the rest of its hit."""
    with connection.transaction():
        claim = awards_named(connection, link, [award])[award]
        locked = lock_award(connection, link, claim)
        round_ = played_round(connection, locked.state.link, claim.table, claim.round).round
        hit = hit_with(locked.state, claim)
        names = [other.id for other in hit]
        facts = rules.void(locked.state, awards=names, reason=reason, at=locked.at(at), by="sam")
        book_facts(connection, locked, facts)
        clear_hands(connection, round_, hit, by="sam", at=locked.at(at))


class BooksRoom:
    """Everything that happens to one link, in the books."""

    def __init__(self, connection: Connection, link: Link, tables: Iterable[str] = ("T1", "T2")) -> None:
        self.connection = connection
        self.link = link.id
        lifecycle.register_link(connection, link, by="ann")
        self.tables = {table: Table(connection, link.id, table) for table in tables}
        self.now: Instant = 1_800_000_000 * SECOND

    @property
    def state(self) -> LinkState:
        return read_link(self.connection, self.link).state

    @property
    def rounds(self) -> dict[str, TableRound]:
        return {name: table.round() for name, table in self.tables.items()}

    @property
    def facts(self) -> list[Fact]:
        rows = self.connection.execute(
            "SELECT fact FROM books.entry WHERE link = %s ORDER BY number", (self.link,)
        )
        return [from_plain(json.loads(text)) for (text,) in rows]

    def later(self) -> Instant:
        self.now += SECOND
        return self.now

    def open(self) -> "BooksRoom":
        lifecycle.open_link(self.connection, self.link, asked(), at=self.later())
        return self

    def start(self, table: str, seats: Iterable[int] = range(1, 8), *, booked: bool = True) -> RoundStarted:
        seats = tuple(seats)
        if booked:
            started, _ = self.tables[table].start(
                covered=seats, players=range(1, 8), by=DEALER, at=self.later()
            )
            return started
        round_ = self.tables[table].round()
        _, started = start(round_, covered=seats, players=range(1, 8), takes_wagers=True, at=self.later())
        return started

    def contribute(self, started: Sequence[RoundStarted]) -> tuple[RefusedRound, ...]:
        """Rounds that controllers kept; a supervisor then takes them over, so that the room can go on."""
        refused = book_rounds(self.connection, self.link, started, at=self.later()).refused
        for round_ in started if not refused else ():
            self.tables[round_.table].take_over(by="sam", at=self.later())
        return refused

    def press(self, table: str, seat: int, hand: str, *, by: str = DEALER) -> str:
        commits = self.tables[table].press(seat=seat, hand=hand, by=by, at=self.later(), cards="as dealt")
        claims = [fact for commit in commits for fact in commit.facts if isinstance(fact, Claimed)]
        return next((fact.award for fact in claims if fact.seat == seat), "")

    def void(self, award: str, reason: str = "not the hand") -> None:
        void(self.connection, self.link, award, reason, at=self.later())

    def confirm(self, *names: str, badges: Sequence[Badge] = (SAM, EVE)) -> None:
        amount = due(self.connection, self.link, *names)
        confirm(self.connection, self.link, *names, amount=amount, badges=badges, at=self.later())

    def turn_key(self, table: str, to: str) -> None:
        if to == "JPH":
            self.tables[table].turn_key(to="jackpot", by="sam", at=self.later())
        else:
            self.tables[table].turn_key(to="run", by="sam", at=self.later())

    def pay(self, award: str) -> Micros:
        return pay(self.connection, self.link, award, at=self.later())

    def end(self, table: str) -> RoundEnded:
        return self.tables[table].end(at=self.later())

    def misdeal(self, table: str) -> None:
        self.tables[table].misdeal(reason="a card short", by="sam", at=self.later())

    def correct(self, table: str, seat: int, *, wagered: bool) -> None:
        self.tables[table].correct(seat=seat, wagered=wagered, by=DEALER, at=self.later())

    def hit(self, table: str, seat: int, hand: str) -> Micros:
        award = self.press(table, seat, hand)
        self.confirm(award)
        return self.pay(award)

    def reconfigure(self, new: Link) -> None:
        lifecycle.reconfigure(self.connection, new, asked(), at=self.later())

    def check(self) -> None:
        """The audit finds nothing, and all accounts of the link sum to nothing."""
        assert audit(self.connection).problems == []
        row = self.connection.execute("SELECT sum(amount) FROM books.balance WHERE link = %s", (self.link,))
        assert row.fetchone() == (0,)
