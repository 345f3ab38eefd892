"""Links: their state and meters, and stopping them."""

from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from feltwork.site.books.authorize import authorize, deeds_of
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.floors.site import verify_link
from feltwork.site.books.journal.link_state import LinkSnapshot, read_link, read_meters
from feltwork.site.books.journal.transaction import Committed
from feltwork.site.books.links import lifecycle
from feltwork.site.books.links.links_rows import link_kinds
from feltwork.site.books.records.incidents_rows import open_incident
from feltwork.site.compliance.roles import PriorAction
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.badges import hit_with
from feltwork.site.progressive.fact_serializer import as_plain
from feltwork.site.progressive.link import NO_CAP, LinkKind
from feltwork.site.progressive.state import LinkState


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


@dataclass(frozen=True, slots=True, kw_only=True)
class StopLink:
    """Stop wagering on a link; a malfunction also opens an incident [WA-32]."""

    link: str
    cause: Literal["suspended", "seized"]
    reason: str
    malfunction: bool = False


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


def stop(op: Operation, command: StopLink) -> StoppedView:
    """Stop wagering immediately; resuming takes two people [WA-20]."""
    authorize(op, Command(name="suspend", about=command.link))
    verify_link(op.connection, command.link)

    def act() -> StoppedView:
        booked = lifecycle.stop(
            op.connection, command.link, cause=command.cause, reason=command.reason, by=op.actor.id
        )
        incident = None
        if command.malfunction:
            incident = open_incident(op.connection, what=command.reason, by=op.actor.id, link=command.link)
        view = booked_view(booked)
        return StoppedView(facts=view.facts, meters=view.meters, entry=view.entry, incident=incident)

    return op.perform(asdict(command), StoppedView, act, why=command.reason)


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
