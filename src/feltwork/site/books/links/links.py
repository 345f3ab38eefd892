"""Links: their state, stopping them, and counting the bank against them [WA-18, WA-20]."""

from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.money import CENT, Micros
from feltwork.site.books.authorize import authorize, deeds_of
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Amount, Statement, with_example
from feltwork.site.books.floors.site import floor_in_force, site_name, verify_link
from feltwork.site.books.journal.link_state import (
    LinkSnapshot,
    entry_at,
    player_funds_after,
    read_link,
    read_meters,
)
from feltwork.site.books.journal.transaction import Committed
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.versions import link_kinds
from feltwork.site.books.watch.incidents import record_incident
from feltwork.site.compliance.roles import PriorAction
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.badges import hit_with
from feltwork.site.progressive.fact_serializer import as_plain
from feltwork.site.progressive.life_cycle import BankCount
from feltwork.site.progressive.link import NO_CAP, LinkKind
from feltwork.site.progressive.state import LinkState
from feltwork.titles.hand_names import hand_name

#: Effect of recording a count: none, stop wagers, or resume a link that a shortfall stopped.
Effect: TypeAlias = Literal["", "even", "over", "within_tolerance", "stops", "stays_stopped", "resumes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterView:
    """The pools of a level in millionths; `cap` is null for a level without one.

    `meter` is what signs show: until the meter moves, it includes the `pending` amount of open claims.
    """

    meter: int
    reserve: int
    pending: int
    cap: int | None


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class BookedView:
    """Facts booked by a command, and the meters after it."""

    #: Facts of the journal: each has a kind, a time, and the fields of its kind.
    facts: list[dict[str, Any]]
    meters: dict[str, MeterView] | None
    entry: int | None


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedView(BookedView):
    """A stopped link, and the incident if a malfunction was the cause."""

    incident: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkName:
    """A link and its kind."""

    link: str
    kind: LinkKind


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class LinksView:
    """Every link."""

    links: list[LinkName]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class LinkView:
    """The state of a link; `stops` gives the causes and start times of wagering stops."""

    link: str
    kind: LinkKind
    jackpot: str
    paytable: str
    version: str
    wager: int
    life: str
    takes_wagers: bool
    stops: dict[str, int]
    meters: dict[str, MeterView]
    player_funds: int
    entry: int
    hash: str
    at: int


@validated(config=COMMAND, frozen=True, kw_only=True)
class StopLink:
    """The reason to stop wagers."""

    cause: Literal["suspended", "seized"] = Field(examples=["suspended"])
    reason: Statement = Field(examples=["Failed sensor at C1"])
    malfunction: bool = Field(default=False, description="Open an incident too [WA-32].")


@validated(config=COMMAND, frozen=True, kw_only=True)
class CountFunds:
    """The bank balance as of a cutoff."""

    bank_balance: Amount = Field(description="Millionths.", examples=[10_000_000_000])
    entry: Annotated[int, Field(ge=0, le=2**53, strict=True)] | None = Field(
        default=None, description="The last entry before the cutoff; the last one of all if left out."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountView:
    """The required bank balance as of a cutoff, and the effect of recording a balance."""

    site: str
    link: str
    title: str
    #: Time of the cutoff, and the last entry that counts.
    cutoff: int
    entry: int
    #: Meter, reserve, pending and payable.
    funds: dict[str, int]
    required: int
    tolerance: int
    #: The entry and the amount of the last count; 0 before the first.
    counted_entry: int
    counted: int
    bank_balance: int | None
    difference: int | None
    effect: Effect


def links(op: Operation) -> LinksView:
    """List every link."""
    authorize(op, Command(name="watch", about=""))
    return LinksView(
        links=[LinkName(link=name, kind=kind) for name, kind in link_kinds(op.connection).items()]
    )


def link(op: Operation, name: str) -> LinkView:
    """Show meters, reserves, stops and the end of the chain of a link."""
    authorize(op, Command(name="watch", about=name))
    verify_link(op.connection, name)
    return link_view(op.connection, name)


def stop(op: Operation, link: str, command: StopLink) -> StoppedView:
    """Stop wagering immediately; resuming takes two people [WA-20]."""
    authorize(op, Command(name="suspend", about=link))
    verify_link(op.connection, link)

    def act() -> StoppedView:
        booked = lifecycle.stop(
            op.connection, link, cause=command.cause, reason=command.reason, by=op.actor.id
        )
        incident = None
        if command.malfunction:
            incident = record_incident(op.connection, what=command.reason, by=op.actor.id, link=link)
        view = booked_view(booked)
        return StoppedView(facts=view.facts, meters=view.meters, entry=view.entry, incident=incident)

    return op.perform(asdict(command), StoppedView, act, why=command.reason)


def prepare_count(
    op: Operation,
    link: str,
    *,
    cutoff: datetime | None = None,
    entry: int | None = None,
    balance: Micros | None = None,
) -> CountView:
    """Show the books as of a cutoff, and the effect of recording a bank balance; nothing is written.

    ``entry`` is the last entry that counted when the cutoff was first shown; later entries do not count.
    """
    authorize(op, Command(name="count_funds", about=link))
    verify_link(op.connection, link)
    now = read_meters(op.connection, link)
    if entry is None:
        entry = now.tail.number if cutoff is None else entry_at(op.connection, link, cutoff)
    entry = min(entry, now.tail.number)
    state = now.state
    funds = player_funds_after(op.connection, link, entry)
    count = BankCount(
        bank_balance=balance or 0,
        entry=entry,
        required=sum(funds.values()),
        tolerance=_tolerance(op),
    )
    return CountView(
        site=site_name(op.connection),
        link=link,
        title=state.link.title.title,
        cutoff=now.now if cutoff is None else int(cutoff.timestamp() * 1_000_000),
        entry=entry,
        funds=funds,
        required=count.required,
        tolerance=count.tolerance,
        counted_entry=state.counted_entry,
        counted=state.funds_at_count,
        bank_balance=balance,
        difference=None if balance is None else balance - count.required,
        effect="" if balance is None else _effect(count, stopped="shortfall" in state.stops),
    )


def count_funds(op: Operation, link: str, command: CountFunds) -> BookedView:
    """Compare the bank balance with the funds held for players; a shortfall stops the link [WA-18]."""
    authorize(op, Command(name="count_funds", about=link))
    verify_link(op.connection, link)
    tolerance = _tolerance(op)

    def act() -> BookedView:
        return booked_view(
            lifecycle.count_funds(op.connection, link, **asdict(command), by=op.actor.id, tolerance=tolerance)
        )

    return op.perform(asdict(command), BookedView, act)


def link_view(connection: Connection, name: str) -> LinkView:
    """The state of a link now."""
    return view_of(read_meters(connection, name))


def view_of(snapshot: LinkSnapshot) -> LinkView:
    """The view of a link."""
    state = snapshot.state
    return LinkView(
        link=state.link.id,
        kind=state.link.kind,
        jackpot=state.link.jackpot,
        paytable=state.link.paytable.name,
        version=state.link.fingerprint,
        wager=state.link.wager,
        life=state.life,
        takes_wagers=state.takes_wagers,
        stops=dict(state.stops),
        meters=meters_of(state),
        player_funds=state.player_funds,
        entry=snapshot.tail.number,
        hash=snapshot.tail.hash,
        at=snapshot.now,
    )


def meters_of(state: LinkState) -> dict[str, MeterView]:
    """The pools of every level."""
    return {
        level: MeterView(
            meter=state.shown(level),
            reserve=state.reserve(level),
            pending=state.pending(level),
            cap=cap_of(state, level),
        )
        for level in state.link.level_names
    }


def cap_of(state: LinkState, level: str) -> int | None:
    """Return the cap of a level; None if it has none."""
    return None if state.cap(level) == NO_CAP else state.cap(level)


def booked_view(*booked: Committed) -> BookedView:
    """Facts booked by several commands, and the meters after the last."""
    last = booked[-1] if booked else None
    return BookedView(
        facts=[dict(as_plain(fact)) for commit in booked for fact in commit.facts],
        meters=meters_of(last.state) if last else None,
        entry=last.tail.number if last else None,
    )


def award_deeds(connection: Connection, name: str, award: str) -> list[PriorAction]:
    """Return the prior actions of people on an award and its hit; raise for an unknown award."""
    verify_link(connection, name)
    state = read_link(connection, name).state
    if award not in state.awards:
        raise unknown(f"{name}, award {award}")
    claim = state.awards[award]
    return [
        replace(deed, about=award)
        for hit_award in hit_with(state, claim)
        for deed in deeds_of(connection, name, hit_award)
    ]


def hand_names(connection: Connection, *links: str) -> dict[str, str]:
    """Row of a paytable -> its approved name, for the paytables of some links."""
    paytables = [read_meters(connection, link).state.link.paytable for link in links]
    return {row.hand: hand_name(paytable, row.hand) for paytable in paytables for row in paytable.rows}


def _tolerance(op: Operation) -> Micros:
    floor = floor_in_force(op.connection)
    return floor.count_tolerance if floor else CENT


def _effect(count: BankCount, *, stopped: bool) -> Effect:
    if count.short:
        return "stays_stopped" if stopped else "stops"
    if stopped:
        return "resumes"
    missing = count.required - count.bank_balance
    if missing > 0:
        return "within_tolerance"
    return "over" if missing < 0 else "even"
