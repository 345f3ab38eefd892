"""A site of a network link: each step is one transaction, and outgoing messages are read from the books."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias

from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import LinkSnapshot, read_meters
from feltwork.books.journal.transaction import Committed
from feltwork.books.links.change_feed import stop_reasons
from feltwork.books.network.site_store import (
    allow_wagers,
    hash_of,
    is_idle,
    join,
    lock_site,
    save_snapshot,
    site_links,
    write_site,
)
from feltwork.books.records.alarms import clear_alarm, raise_alarm
from feltwork.compliance.checks.network_sites import is_hub_of
from feltwork.compliance.jurisdiction import jurisdiction
from feltwork.operations.floors.site import floor_in_force
from feltwork.problem import Sentence
from feltwork.progressive.facts import HOUR, Fact, Instant
from feltwork.progressive.network import site
from feltwork.progressive.network.facts import ContactLost, Continued, Halted, Rejoined
from feltwork.progressive.network.messages import Down, HubSnapshot, Up
from feltwork.progressive.network.site import SiteMemory, SiteStep, SiteTiming
from feltwork.progressive.network.site_books import SiteBooks
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest

__all__ = ["SiteLink", "join_network", "shown_now", "site_links"]

_Decision: TypeAlias = Callable[[SiteBooks, SiteMemory, Instant, bool], SiteStep]
NO_CONTACT = "no contact with the hub"
STOPPED = "stopped by the hub"
NOT_HEARD = Sentence("no snapshot has arrived from the hub")
#: Reasons for which a hub stops a site.
_CAUSES = {
    "owes": Sentence("the site owes the hub more than its limit"),
    "overdue": Sentence("the site has owed the hub for too long"),
    "rolled_back": Sentence("the hub has booked more than is in these books"),
    "left": Sentence("the aggregator above has left the network"),
}
_UNLIMITED = 2**62
_LONGEST_HOURS = 24


def join_network(connection: Connection, link: str, request: TwoPersonRequest) -> Committed:
    """Join a link's network under the agreement in the floor file; the hub's people then admit the site."""
    floor = floor_in_force(connection)
    floor_link = (
        next((candidate for candidate in floor.links if candidate.id == link), None) if floor else None
    )
    where = f"link {link}"
    if floor_link is None or floor_link.network is None or is_hub_of(floor, link):
        what = "the floor file does not make this site a member of the network"
        raise refuse(
            where,
            what,
            "set hub and site of the link in the floor file; "
            "at the hub or an aggregator, use open_network_link",
            "GEN-18",
        )
    if not floor_link.agreement or not floor_link.owes_at_most:
        remedy = "write agreement and owes_at_most into the floor file"
        raise refuse(where, "the site has no agreement with the network", remedy, "GEN-18")
    return join(
        connection,
        link,
        request,
        site=floor_link.site,
        agreement=floor_link.agreement,
        limit=floor_link.owes_at_most,
    )


def timing_of(connection: Connection, link: str) -> SiteTiming:
    """Return the limits for a link without contact, from the floor in force and its jurisdiction."""
    floor = floor_in_force(connection)
    floor_links = [floor_link for floor_link in floor.links if floor_link.id == link] if floor else []
    if floor is None or not floor_links:
        return SiteTiming()
    rulings = jurisdiction(floor.jurisdiction).on(datetime.now(UTC).date())
    rounds, wagers = rulings["cut_off_rounds"].number, rulings["cut_off_wagers"].amount
    hours = rulings["cut_off_hours"].number
    return SiteTiming(
        cut_off="store_and_forward" if floor_links[0].cut_off == "store_and_forward" else "stop",
        most_rounds=_UNLIMITED if rounds is None else rounds,
        most_wagers=_UNLIMITED if wagers is None else wagers // floor_links[0].wager,
        most_time=min(_LONGEST_HOURS if hours is None else hours, _LONGEST_HOURS) * HOUR,
    )


def shown_now(connection: Connection, link: str) -> tuple[LinkSnapshot, dict[str, str]]:
    """Return a link as its signs show it, and why it is stopped."""
    snapshot = read_meters(connection, link)
    return snapshot, stop_reasons(connection, link) if snapshot.state.stops else {}


class SiteLink:
    """One network link at a site; one thread at a time.

    Every method raises one of ``UNAVAILABLE`` while the books are down. Unanswered messages are sent again.
    """

    def __init__(self, link: str, timing: SiteTiming | None = None) -> None:
        self.link = link
        #: Fixed timing; None takes it from the floor in force.
        self._given = timing
        self._books: SiteBooks | None = None
        self._memory: SiteMemory | None = None

    def receive(self, connection: Connection, message: Down) -> tuple[Up, ...]:
        """Book the effects of a message from the hub; return the messages due to be sent."""
        return self._step(
            connection,
            lambda books, memory, at, idle: site.receive(
                books,
                memory,
                message,
                at,
                idle=idle,
                hash_of=lambda entry: hash_of(connection, self.link, entry),
            ),
            message if isinstance(message, HubSnapshot) else None,
        )

    def tick(self, connection: Connection) -> tuple[Up, ...]:
        """Detect lost contact; return the messages due to be sent."""
        timing = self._timing(connection)
        return self._step(
            connection, lambda books, memory, at, idle: site.tick(books, memory, timing, at), None
        )

    def _timing(self, connection: Connection) -> SiteTiming:
        return self._given or timing_of(connection, self.link)

    def _step(
        self, connection: Connection, decide: _Decision, snapshot: HubSnapshot | None
    ) -> tuple[Up, ...]:
        timing = self._timing(connection)
        try:
            with connection.transaction():
                books, at = lock_site(connection, self.link, self._books)
                memory = _with_heard(self._memory or SiteMemory(started=at), books)
                idle = is_idle(connection, self.link) if _changes(books, snapshot) else False
                step = decide(books, memory, at, idle)
                latest = step.memory.snapshot
                if latest is not None and latest is not memory.snapshot:
                    save_snapshot(connection, latest, step.memory.heard_at)
                books = write_site(connection, books, step.facts)
                allow_wagers(connection, self.link, _allows_until(books, step.memory, timing, at))
                raise_alarms(connection, books.site, step.facts)
        except BaseException:
            self._books = None
            raise
        self._books = books
        self._memory, messages = site.outgoing(books, step.memory, timing, at, idle=idle)
        return messages


def _with_heard(memory: SiteMemory, books: SiteBooks) -> SiteMemory:
    """Return the memory with a newer hub snapshot stored by another bookkeeper, or before a restart."""
    snapshot, known = books.state.hub, memory.snapshot
    if snapshot is None or not snapshot.entry:
        return memory
    if known is not None and (known.entry, known.at) >= (snapshot.entry, snapshot.at):
        return memory
    return replace(memory, snapshot=snapshot, heard_at=max(memory.heard_at, books.state.hub_heard))


def _changes(books: SiteBooks, snapshot: HubSnapshot | None) -> bool:
    """Whether a new version is pending, so open rounds matter."""
    new = snapshot is not None and (snapshot.change or snapshot.version != books.state.link.fingerprint)
    return bool(new) or "change" in books.state.stops


def _allows_until(books: SiteBooks, memory: SiteMemory, timing: SiteTiming, at: Instant) -> Instant:
    """Return until when START GAME is allowed without further contact."""
    if not site.takes_wagers(books, memory, timing, at):
        return 0
    since = books.lost.since if books.lost is not None else memory.heard_at
    return since + (timing.silence if timing.cut_off == "stop" else timing.most_time)


def stop_text(causes: Iterable[str]) -> str:
    """Return why the hub stops a site, in words."""
    return "; ".join(_CAUSES.get(cause, cause) for cause in causes)


def raise_alarms(connection: Connection, name: str, facts: tuple[Fact, ...]) -> None:
    """Raise and clear alarms at the site: lost contact, a stop by the hub, and rolled-back books."""
    for fact in facts:
        if isinstance(fact, ContactLost):
            raise_alarm(connection, NO_CONTACT, fact.link, {"what": NOT_HEARD}, by=name)
        if isinstance(fact, Rejoined):
            clear_alarm(connection, NO_CONTACT, fact.link, by=name, why="contact with the hub was restored")
        if isinstance(fact, Halted) and fact.cause == "hub":
            why = stop_text(fact.reason.split(", "))
            raise_alarm(connection, STOPPED, fact.link, {"what": why}, by=name)
        if isinstance(fact, Continued) and fact.cause == "hub":
            clear_alarm(connection, STOPPED, fact.link, by=name, why="the hub lifted the stop")
        if isinstance(fact, Halted) and fact.cause == "rolled_back":
            raise_alarm(connection, "books rolled back", fact.link, {"what": fact.reason}, by=name)
