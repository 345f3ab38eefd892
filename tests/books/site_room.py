"""A hub and its sites for tests: each with books of its own, and messages that a test may hold back."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager

from feltwork.books.awards import awards
from feltwork.books.connection import Connection, connect
from feltwork.books.journal.link_state import read_link, read_meters
from feltwork.books.journal.transaction import Committed
from feltwork.books.links import lifecycle, links
from feltwork.books.network import hub_members, site_store
from feltwork.books.network.aggregator_store import open_aggregator
from feltwork.books.network.site_store import lock_site
from feltwork.books.rounds.table_rounds import Table
from feltwork.ledger import accounts
from feltwork.money import DOLLAR, Micros
from feltwork.operations.network.hub import HubLink
from feltwork.operations.network.site_link import SiteLink
from feltwork.progressive.link import Link
from feltwork.progressive.network.facts import Joined
from feltwork.progressive.network.hub import HubTiming
from feltwork.progressive.network.messages import Down, SiteSum, Up
from feltwork.progressive.network.site import SiteTiming
from feltwork.progressive.network.site_books import SiteBooks
from feltwork.progressive.state import Award
from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.conftest import new_books
from tests.books.hub_room import joined
from tests.progressive.room import DEALER, EVE, SAM, asked

#: Everything is due at once.
AT_ONCE = HubTiming(window=0, snapshot=0, report=0)
SITE = SiteTiming(between=0, again=0)


def open_hub(connection: Connection, link: Link) -> None:
    """A hub without members."""
    links.register_link(connection, link, by="ann")
    lifecycle.open_link(connection, link.id, asked())


def join(connection: Connection, hub: Connection, link: Link, site: str) -> None:
    """A site joins, and the hub's people admit it."""
    links.register_link(connection, link, by="ann")
    commit = site_store.join(
        connection, link.id, asked(), site=site, agreement="A-1", limit=1_000_000 * DOLLAR
    )
    (request,) = commit.facts
    assert isinstance(request, Joined)
    hub_members.admit(hub, request, asked(), version=link.fingerprint, tail=commit.tail)


def join_aggregator(connection: Connection, hub: Connection, link: Link, name: str) -> None:
    """An aggregator opens the link, and the hub's people admit it."""
    links.register_link(connection, link, by="ann")
    limit = 1_000_000 * DOLLAR
    commit = open_aggregator(connection, link.id, asked(), site=name, agreement="A-0", limit=limit)
    hub_members.admit(hub, joined(link, name), asked(), version=link.fingerprint, tail=commit.tail)


@contextmanager
def three_books(server: EmbeddedPostgres) -> Iterator[dict[str, Connection]]:
    """Empty books of a hub and two sites."""
    with ExitStack() as stack:
        names = {name: new_books(server, f"network_{name.lower()}") for name in ("hub", "A", "B")}
        yield {
            name: stack.enter_context(connect(server.dsn(database, role="writer")))
            for name, database in names.items()
        }


class Site:
    """One site of a network link."""

    def __init__(self, connection: Connection, link: Link, name: str) -> None:
        self.connection = connection
        self.link = link
        self.name = name
        self.table = Table(connection, link.id, f"{name}1")
        self.half = SiteLink(link.id, SITE)

    def play(self, *seats: int) -> None:
        self.start(*seats)
        self.table.end()

    def start(self, *seats: int) -> None:
        self.table.start(covered=seats, players=range(1, 8), by=DEALER)

    def claim(self, seat: int = 1, hand: str = "four_aces") -> str:
        """A round whose seat wins; the id of its award."""
        self.start(seat)
        self.table.press(seat=seat, hand=hand, by=DEALER)
        return max(self.books().open)

    def books(self) -> SiteBooks:
        with self.connection.transaction():
            return lock_site(self.connection, self.link.id)[0]

    def award(self, name: str) -> Award:
        return read_link(self.connection, self.link.id).state.awards[name]

    def confirm(self, name: str) -> Committed:
        amount = self.award(name).amount
        return self.table.confirm(claims=[name], badges=(SAM, EVE), amount=amount)

    def pay(self, name: str) -> None:
        awards.pay(self.connection, self.link.id, award=name, form="check", by="cara")

    def is_granted(self, name: str) -> bool:
        return self.award(name).locked

    def is_confirmed(self, name: str) -> bool:
        return self.award(name).status == "confirmed"

    def is_done(self) -> bool:
        return not self.books().open

    def is_showing(self, meters: Mapping[str, Micros]) -> bool:
        return self.shows() == meters

    def shows(self) -> dict[str, Micros]:
        state = read_meters(self.connection, self.link.id).state
        return {level: state.shown(level) for level in self.link.level_names}


class Network:
    """A hub and some sites; nothing is heard of a site that is cut."""

    def __init__(self, books: Mapping[str, Connection], link: Link) -> None:
        self.link = link
        self.cut: set[str] = set()
        self.connection = books["hub"]
        open_hub(self.connection, link)
        self.hub = HubLink(link.id, AT_ONCE)
        self.sites = {}
        for name in sorted(books.keys() - {"hub"}):
            join(books[name], self.connection, link, name)
            self.sites[name] = Site(books[name], link, name)

    def exchange(self, times: int = 4) -> None:
        """Everybody says what is due, and hears what is said."""
        for _ in range(times):
            for site in self.sites.values():
                self._up(site.half.tick(site.connection))
            self._down(self.hub.tick(self.connection))

    def _up(self, messages: Iterable[Up]) -> None:
        for message in messages:
            if message.site in self.cut:
                continue
            if isinstance(message, SiteSum):
                self.hub.hear(message)
            else:
                self._down(self.hub.receive(self.connection, message))

    def _down(self, messages: Iterable[Down]) -> None:
        for message in messages:
            for name, site in self.sites.items():
                if name not in self.cut and message.site in ("", name):
                    site.half.receive(site.connection, message)

    def held(self) -> tuple[Micros, Micros]:
        """What all sites owe by their own books, and what they owe by the hub's; grants are the sites'."""
        owed = sum(site.books().owes for site in self.sites.values())
        granted = sum(
            amount
            for site in self.sites.values()
            for account, amount in site.books().state.balances.items()
            if accounts.kind_of(account) in ("pending", "payable")
        )
        balances = read_meters(self.connection, self.link.id).state.balances
        return owed + granted, -balances.get(f"clearing/{self.link.id}/sites", 0)
