"""The hub and the sites of a simulated network: books, memory, a journal, and the tables of a site."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.life_cycle import open_link
from feltwork.progressive.network import hub, site
from feltwork.progressive.network.hub_books import HubBooks, book_hub
from feltwork.progressive.network.messages import SiteSum
from feltwork.progressive.network.site_books import SiteBooks, book_site
from feltwork.progressive.round import TableRound
from feltwork.progressive.sign_offs import TwoPersonRequest
from feltwork.progressive.state import LinkState, new_state
from feltwork.simulation.network.journal import SimulatedJournal
from feltwork.simulation.network.scenario import BEGIN, NetworkScenario

REQUEST = TwoPersonRequest(by="ann", approved_by="bob", reason="as agreed")
TABLES = ("T1", "T2")


def state_of(scenario: NetworkScenario) -> LinkState:
    """The state of a link before it is opened, with all versions that may take effect."""
    return replace(new_state(scenario.link), versions={link.fingerprint: link for link in scenario.versions})


@dataclass(slots=True)
class SimulatedHub:
    """The hub; only its journal survives a crash."""

    scenario: NetworkScenario
    books: HubBooks
    memory: hub.HubMemory = field(default_factory=hub.HubMemory)
    journal: SimulatedJournal[HubBooks] = field(default_factory=SimulatedJournal)
    up: bool = True
    proposed_at: Instant = 0
    #: The last dropped version: people often propose it again immediately.
    dropped: str = ""

    def commit(self, facts: Sequence[Fact], rows: tuple[SiteSum, ...] = ()) -> None:
        """Book facts and store their entries."""
        self.books, entries = book_hub(self.books, facts, rows)
        self.journal.commit(entries, self.books, rows)

    def restart(self, *, whole: bool) -> None:
        """Forget everything but the journal."""
        self.books = self.journal.replay(HubBooks(state=state_of(self.scenario)), whole=whole)
        self.memory = hub.HubMemory()
        self.up = True


@dataclass(slots=True)
class SimulatedMember:
    """A site; its tables are separate machines and survive a crash of its books."""

    name: str
    scenario: NetworkScenario
    books: SiteBooks
    timing: site.SiteTiming
    memory: site.SiteMemory
    journal: SimulatedJournal[SiteBooks] = field(default_factory=SimulatedJournal)
    tables: dict[str, TableRound] = field(default_factory=dict)
    #: Awards for hands that were not dealt, to be cleared.
    wrong: set[str] = field(default_factory=set)
    up: bool = True
    cut: bool = False
    leaving: bool = False

    @property
    def idle(self) -> bool:
        """Whether no round is open."""
        return all(round_.phase == "idle" for round_ in self.tables.values())

    def commit(self, facts: Sequence[Fact]) -> None:
        """Book facts and store their entries."""
        self.books, entries = book_site(self.books, facts)
        self.journal.commit(entries, self.books)

    def restart(self, at: Instant, *, whole: bool) -> None:
        """Forget everything but the journal."""
        self.books = self.journal.replay(_site_books(self.scenario, self.name), whole=whole)
        self.memory = site.SiteMemory(started=at)
        self.up = True


def new_hub(scenario: NetworkScenario) -> SimulatedHub:
    """Return a hub whose link is open at its seeds."""
    node = SimulatedHub(scenario=scenario, books=HubBooks(state=state_of(scenario)))
    node.commit([open_link(node.books.state, REQUEST, at=BEGIN)])
    return node


def new_member(scenario: NetworkScenario, name: str) -> SimulatedMember:
    """Return a site that has not joined."""
    return SimulatedMember(
        name=name,
        scenario=scenario,
        books=_site_books(scenario, name),
        timing=scenario.sites[name],
        memory=site.SiteMemory(started=BEGIN),
        tables={table: TableRound(table=table, link=scenario.link) for table in TABLES},
    )


def _site_books(scenario: NetworkScenario, name: str) -> SiteBooks:
    return SiteBooks(state=state_of(scenario), site=name)
