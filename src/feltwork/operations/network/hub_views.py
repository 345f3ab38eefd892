"""Views for the people of a hub: network links, their sites, versions and awards to countersign."""

from dataclasses import dataclass
from datetime import datetime

from feltwork.books.connection import Connection
from feltwork.books.network.hub_store import aggregator_links, hub_links, read_hub
from feltwork.books.network.sum_rows import last_sums_at
from feltwork.compliance.checks.network_sites import is_hub_of
from feltwork.compliance.two_person import Command
from feltwork.ledger import accounts
from feltwork.operations.authorize import authorize
from feltwork.operations.context import Operation
from feltwork.operations.errors import unknown
from feltwork.operations.fields import with_example
from feltwork.operations.floors.site import floor_in_force, site_name
from feltwork.operations.network.site_contact import silent_sites
from feltwork.progressive.network.hub_books import HubBooks, NetworkMember
from feltwork.progressive.network.terms import NO_COUNTERSIGN
from feltwork.progressive.network.versions import not_ready


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteView:
    """A site of a network link, according to the hub."""

    site: str
    has_left: bool
    #: Whether its messages reach the hub.
    is_in_contact: bool
    #: Reasons it may not take wagers, by cause.
    stops: dict[str, str]
    limit: int
    passed: int
    awards: int
    settled: int
    owes: int
    #: Start of its unsettled debt, microseconds since 1970, or 0.
    owes_since: int
    settlements: int
    #: End of the site's chain at its newest sum, and the time that sum was booked.
    entry: int
    hash: str
    wagers: int
    summed_at: datetime | None
    #: Whether it plays the version in effect, and whether it is ready for a proposed version.
    is_current: bool
    is_ready: bool | None
    open_awards: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedVersionView:
    """A proposed version that waits for sites."""

    version: str
    by: str
    approved_by: str
    reason: str
    entry: int
    not_ready: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LargeAwardView:
    """An award that an executive of the hub must countersign."""

    award: str
    site: str
    level: str
    hand: str
    amount: int
    is_countersigned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLinkView:
    """A network link at its hub."""

    link: str
    title: str
    hub: str
    several_sites: str
    countersign_above: int | None
    version: str
    entry: int
    hash: str
    takes_wagers: bool
    #: Cause -> start, microseconds since 1970.
    stops: dict[str, int]
    meters: dict[str, int]
    #: Total debt of the sites, and required balance of the trust's bank.
    owed: int
    trust: int
    change: ProposedVersionView | None
    large_awards: list[LargeAwardView]
    sites: list[SiteView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkView:
    """The network links of this hub; none in a card room."""

    site: str
    #: Network links of the floor in effect that are not open yet.
    planned: list[str]
    links: list[NetworkLinkView]


def is_hub(connection: Connection) -> bool:
    """Whether the floor in effect belongs to a hub."""
    return bool(_links_here(connection))


def verify_hub(connection: Connection, link: str) -> None:
    """Raise unless the link is a network link of this hub."""
    if link not in hub_links(connection):
        raise unknown(f"network link {link}")


def network(op: Operation) -> NetworkView:
    """Show every network link of this hub with its sites."""
    authorize(op, Command(name="read_books", about="network"))
    opened = hub_links(op.connection)
    planned = [link for link in _links_here(op.connection) if link not in opened]
    links = [_link_view(op.connection, link) for link in opened]
    return NetworkView(site=site_name(op.connection), planned=planned, links=links)


def network_link(op: Operation, link: str) -> NetworkLinkView:
    """Show one network link."""
    authorize(op, Command(name="read_books", about=link))
    verify_hub(op.connection, link)
    return _link_view(op.connection, link)


def _links_here(connection: Connection) -> list[str]:
    floor = floor_in_force(connection)
    return [link.id for link in floor.links if is_hub_of(floor, link.id)] if floor else []


def _link_view(connection: Connection, link: str) -> NetworkLinkView:
    books = read_hub(connection, link)
    state, terms = books.state, books.state.link.network
    assert terms is not None, "a hub's link has terms"
    summed, silent = last_sums_at(connection, link), silent_sites(connection, link)
    sites = [
        _site_view(books, member, summed.get(member.site), is_in_contact=member.site not in silent)
        for member in books.members.values()
    ]
    return NetworkLinkView(
        link=link,
        title=state.link.title.title,
        hub=aggregator_links(connection).get(link, terms.hub),
        several_sites=terms.several_sites,
        countersign_above=None if terms.countersign_above == NO_COUNTERSIGN else terms.countersign_above,
        version=state.link.fingerprint,
        entry=books.tail.number,
        hash=books.tail.hash,
        takes_wagers=state.takes_wagers,
        stops=dict(state.stops),
        meters={level: state.shown(level) for level in state.link.level_names},
        owed=sum(member.owes for member in books.members.values()),
        trust=-state.balances.get(accounts.trust(link), 0),
        change=_change_view(books),
        large_awards=_large_awards(books),
        sites=sorted(sites, key=lambda site: (site.has_left, site.site)),
    )


def _change_view(books: HubBooks) -> ProposedVersionView | None:
    change = books.change
    if change is None:
        return None
    return ProposedVersionView(
        version=change.version,
        by=change.by,
        approved_by=change.approved_by,
        reason=change.reason,
        entry=change.entry,
        not_ready=list(not_ready(books)),
    )


def _site_view(
    books: HubBooks, member: NetworkMember, summed_at: datetime | None, *, is_in_contact: bool
) -> SiteView:
    awards = books.state.awards.values()
    return SiteView(
        site=member.site,
        has_left=member.left,
        is_in_contact=is_in_contact,
        stops=dict(member.stops),
        limit=member.limit,
        passed=member.sum.passed,
        awards=member.awards,
        settled=member.settled,
        owes=member.owes,
        owes_since=member.owes_since,
        settlements=member.settlements,
        entry=member.sum.entry,
        hash=member.sum.hash,
        wagers=member.sum.wagers,
        summed_at=summed_at,
        is_current=member.sum.version == books.state.link.fingerprint,
        is_ready=member.site in books.change.ready if books.change else None,
        open_awards=[
            award.id
            for award in awards
            if award.table == member.site and award.status in ("claimed", "confirmed")
        ],
    )


def _large_awards(books: HubBooks) -> list[LargeAwardView]:
    terms, views = books.state.link.network, []
    for award, grant in books.grants.items():
        claim = books.state.awards[award]
        if terms is not None and terms.needs_countersign(claim.amount):
            signed = books.countersigned.get(award) == grant.number
            views.append(
                LargeAwardView(
                    award=award,
                    site=claim.table,
                    level=claim.level,
                    hand=claim.hand,
                    amount=claim.amount,
                    is_countersigned=signed,
                )
            )
    return views
