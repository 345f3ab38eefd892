"""A simulated network of two levels: sites, aggregators, and the hub at the top."""

import json
from dataclasses import dataclass, field, replace
from functools import partial

from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.facts import Fact
from feltwork.progressive.network import aggregator as a
from feltwork.progressive.network import hub_commands
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import Joined, Settled
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.hub_commands import admit
from feltwork.progressive.network.site import SiteTiming
from feltwork.progressive.network.site_commands import join
from feltwork.progressive.state import LinkState
from feltwork.simulation.network.journal import SimulatedJournal
from feltwork.simulation.network.nodes import REQUEST, SimulatedMember, state_of
from feltwork.simulation.network.scenario import HUB_TIMING, SECOND, TICK, NetworkScenario
from feltwork.simulation.network.world import NetworkWorld


@dataclass(slots=True)
class SimulatedAggregator:
    """An aggregator; only its journal survives a crash."""

    name: str
    scenario: NetworkScenario
    books: a.AggregatorBooks
    memory: a.AggregatorMemory = field(default_factory=a.AggregatorMemory)
    timing: SiteTiming = field(default_factory=SiteTiming)
    journal: SimulatedJournal[HubBooks] = field(default_factory=SimulatedJournal)
    up: bool = True
    cut: bool = False

    def commit(self, facts: tuple[Fact, ...], rows: tuple[m.SiteSum, ...] = ()) -> None:
        """Book facts and store their entries."""
        self.books, entries = a.book_aggregator(self.books, facts, rows)
        self.journal.commit(entries, self.books.below, rows)

    def restart(self) -> None:
        """Forget everything but the journal, and replay all of it."""
        books = _fresh(self.scenario, self.name)
        for chained in self.journal.entries:
            fact = from_plain(json.loads(chained.entry.fact))
            books, _ = a.book_aggregator(books, (fact,), self.journal.rows.get(chained.number, ()))
        assert books == self.books, f"{self.name}: the replay has other books"
        self.books, self.memory, self.up = books, a.AggregatorMemory(), True


def _fresh(scenario: NetworkScenario, name: str) -> a.AggregatorBooks:
    state: LinkState = replace(state_of(scenario), life="open")
    return a.AggregatorBooks(name=name, below=HubBooks(state=state))


class TreeWorld(NetworkWorld):
    """A world whose sites are members of aggregators, which are members of the hub."""

    def __init__(self, scenario: NetworkScenario, minutes: int, aggregators: int) -> None:
        names = [f"A{number}" for number in range(1, aggregators + 1)]
        self.aggregators = {
            name: SimulatedAggregator(name, scenario, _fresh(scenario, name)) for name in names
        }
        #: Site -> its aggregator.
        self.above = {
            site: self.aggregators[names[number % aggregators]] for number, site in enumerate(scenario.sites)
        }
        self._hub_joined = False
        super().__init__(scenario, minutes)

    def start_aggregators(self) -> None:
        """Schedule the first events of every aggregator and its people."""
        for node in self.aggregators.values():
            self.after(self.between(0, SECOND), partial(self._tick, node))
            self.after(self.between(0, 6 * SECOND), partial(self._people, node))
            self.after(5 * SECOND, partial(self._faults, node))

    def admit(self, member: SimulatedMember) -> None:
        """Let a site join its aggregator; the aggregators join the hub first."""
        if not self._hub_joined:
            self._hub_joined = True
            for node in self.aggregators.values():
                self.hub.commit([self._joined(node)])
        node = self.above[member.name]
        top = self.hub.books.tail
        application = join(
            member.books, REQUEST, agreement="A-1", limit=self.scenario.limit, hub=top, at=self.now
        )
        link, tail = member.books.state.link, member.books.tail
        node.commit(
            (admit(node.books.below, REQUEST, application=application, link=link, tail=tail, at=self.now),)
        )
        member.commit([application])

    def _joined(self, node: SimulatedAggregator) -> Joined:
        top, link = self.hub.books.tail, node.books.below.state.link
        application = Joined(
            link=link.id,
            at=self.now,
            site=node.name,
            agreement="A-0",
            limit=1_000_000 * self.scenario.limit,
            entry=top.number,
            hash=top.hash,
            by=REQUEST.by,
            approved_by=REQUEST.approved_by,
        )
        return admit(
            self.hub.books,
            REQUEST,
            application=application,
            link=link,
            tail=node.books.below.tail,
            at=self.now,
        )

    # --- messages ---

    def send_up(self, member: SimulatedMember, message: m.Up) -> None:
        """Send a message to the site's aggregator."""
        node = self.above[member.name]
        self._travel(member, partial(self._from_below, node, message))

    def send_down(self, message: m.Down) -> None:
        """Send a message to its aggregator, or a snapshot to all of them."""
        for node in [self.aggregators[message.site]] if message.site else self.aggregators.values():
            self._travel(node, partial(self._from_above, node, message))

    def _to_sites(self, node: SimulatedAggregator, messages: tuple[m.Down, ...]) -> None:
        for message in messages:
            for name in [message.site] if message.site else list(node.books.below.members):
                member = self.sites[name]
                self._travel(member, partial(self.site_receives, member, message))

    def _to_hub(self, node: SimulatedAggregator, messages: tuple[m.Up, ...]) -> None:
        for message in messages:
            self._travel(node, partial(self.hub_receives, message))

    def _from_below(self, node: SimulatedAggregator, message: m.Up) -> None:
        if node.up and self._commit(node, a.receive_up(node.books, node.memory, message, self.now)):
            self._to_hub(node, a.relay_up(node.books, node.memory, message))
            self._to_sites(node, a.answer(node.books, node.memory, message))

    def _from_above(self, node: SimulatedAggregator, message: m.Down) -> None:
        if node.up and self._commit(node, _receive_down(node, message, self.now)):
            self._to_sites(node, a.relay_down(node.books, node.memory, message))

    def _commit(self, node: SimulatedAggregator, step: a.AggregatorStep) -> bool:
        """Commit a step; return false if the process ends before anything is sent."""
        node.memory = step.memory
        if not step.facts:
            return True
        node.commit(step.facts, step.rows)
        if not self.calm and self.chance(self.scenario.faults.crash_at_commit):
            self._crash(node)
            return False
        return True

    def _tick(self, node: SimulatedAggregator) -> None:
        self.after(TICK, partial(self._tick, node))
        if node.up and self._commit(node, a.tick(node.books, node.memory, HUB_TIMING, self.now)):
            node.memory, sent = a.outgoing(node.books, node.memory, node.timing, self.now)
            self._to_hub(node, sent)

    # --- people and faults ---

    def _people(self, node: SimulatedAggregator) -> None:
        """Book the sites' settlements, and settle with the hub."""
        self.after(SECOND if self.calm else self.between(SECOND, 6 * SECOND), partial(self._people, node))
        for name in tuple(node.memory.announced):
            announced, member = node.memory.announced[name], node.books.below.members[name]
            if node.up and announced.number == member.settlements + 1:
                fact = hub_commands.receive_settlement(node.books.below, announced, REQUEST, at=self.now)
                self._commit(node, a.AggregatorStep(memory=node.memory, facts=(fact,)))
        owes = node.books.below.state.balances.get(f"clearing/{self.scenario.link.id}/hub", 0)
        idle = node.up and owes and node.books.settling is None
        if idle and (self.calm or self.chance(self.scenario.play.settle / 6)):
            settled = Settled(
                link=self.scenario.link.id,
                at=self.now,
                number=node.books.settlements + 1,
                amount=owes,
                by=REQUEST.by,
                approved_by=REQUEST.approved_by,
            )
            self._commit(node, a.AggregatorStep(memory=node.memory, facts=(settled,)))

    def _faults(self, node: SimulatedAggregator) -> None:
        if self.calm:
            node.cut = False
            return
        self.after(5 * SECOND, partial(self._faults, node))
        faults = self.scenario.faults
        if not node.cut and self.chance(faults.cut / 12):
            node.cut = True
            self.after(self.between(2 * SECOND, 90 * SECOND), partial(_mend, node))
        if node.up and self.chance(faults.site_crash / 12):
            self._crash(node)

    def _crash(self, node: SimulatedAggregator) -> None:
        self.crashes += 1
        node.up = False
        self.after(self.between(0, 15 * SECOND), node.restart)


def _receive_down(node: SimulatedAggregator, message: m.Down, at: int) -> a.AggregatorStep:
    return a.receive_down(node.books, node.memory, message, at, hash_of=node.journal.hash_at)


def _mend(node: SimulatedAggregator) -> None:
    node.cut = False
