"""The event loop of a simulated network: virtual time, one random generator, messages and their faults."""

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from feltwork.money import Micros
from feltwork.progressive.facts import Fact, Instant, Reconfigured
from feltwork.progressive.network import hub, site
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import ProceededWithout, VersionAdopted
from feltwork.progressive.network.hub_commands import admit
from feltwork.progressive.network.hub_replies import replies
from feltwork.progressive.network.site_commands import join
from feltwork.progressive.round_facts import RoundStarted
from feltwork.simulation.network.nodes import REQUEST, SimulatedMember, new_hub, new_member
from feltwork.simulation.network.scenario import BEGIN, HUB_TIMING, MINUTE, SECOND, TICK, NetworkScenario

LATEST: Instant = 20 * SECOND
CALM: Instant = MINUTE
#: Number of sites above which the total rate of claims no longer grows.
MANY = 12
_WHOLE_REPLAY = 0.1


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """An observed action at a table."""

    site: str
    at: Instant
    wagers: int
    wager: Micros
    version: str
    #: The version of the hub at that moment.
    hub_version: str
    #: start, seat or back: START GAME, a seat added later, or wagers given back.
    what: str
    #: The round itself, for a start.
    started: RoundStarted | None = None


class MayBeCut(Protocol):
    """A site or an aggregator: the network between it and the hub may be cut."""

    cut: bool


class NetworkWorld:
    """One seed: everything that happens is an event on the heap."""

    def __init__(self, scenario: NetworkScenario, minutes: int) -> None:
        self.scenario = scenario
        self.rng = random.Random(scenario.seed)
        self.now: Instant = BEGIN
        self.calm_at: Instant = BEGIN + minutes * MINUTE
        self.hub = new_hub(scenario)
        self.sites = {name: new_member(scenario, name) for name in scenario.sites}
        self.played: list[PlayedRound] = []
        #: Site -> the times at which snapshots reached it.
        self.heard: dict[str, list[Instant]] = {name: [] for name in self.sites}
        #: Violations observed during the run.
        self.seen: list[str] = []
        self.messages = self.crashes = 0
        self._events: list[tuple[Instant, int, Callable[[], None]]] = []
        self._number = 0
        for member in self.sites.values():
            self.admit(member)

    @property
    def calm(self) -> bool:
        """Whether faults are over and nothing new begins."""
        return self.now >= self.calm_at

    def chance(self, probability: float) -> bool:
        """Draw whether an event of this probability happens."""
        return self.rng.random() < probability

    def between(self, least: Instant, most: Instant) -> Instant:
        """Draw a time between two times."""
        return least + int(self.rng.random() * (most - least))

    def after(self, delay: Instant, event: Callable[[], None]) -> None:
        """Schedule an event."""
        self._number += 1
        heapq.heappush(self._events, (self.now + delay, self._number, event))

    def run(self) -> None:
        """Run until the end of the calm minute, or of three if many sites wait for each other's awards."""
        self.run_until(self.calm_at + (CALM if len(self.sites) <= MANY else 3 * CALM))

    def run_until(self, end: Instant) -> None:
        """Run until some time."""
        while self._events and self._events[0][0] <= end:
            self.now, _, event = heapq.heappop(self._events)
            event()
        self.now = end

    def admit(self, member: SimulatedMember) -> None:
        """Let a site join, approved by two people at each end."""
        application = join(
            member.books,
            REQUEST,
            agreement="A-1",
            limit=self.scenario.limit,
            hub=self.hub.books.tail,
            at=self.now,
        )
        link, tail = member.books.state.link, member.books.tail
        self.hub.commit(
            [admit(self.hub.books, REQUEST, application=application, link=link, tail=tail, at=self.now)]
        )
        member.commit([application])

    # --- the network ---

    def _travel(self, member: MayBeCut, deliver: Callable[[], None]) -> None:
        """Lose, duplicate or delay a message between a site and the hub."""
        faults, calm = self.scenario.faults, self.calm
        self.messages += 1
        copies = 1
        if not calm:
            if member.cut or self.chance(faults.loss):
                return
            copies += self.chance(faults.double)
        for _ in range(copies):
            late = not calm and self.chance(faults.late)
            delay = self.between(SECOND, LATEST) if late else self.between(SECOND // 200, SECOND // 10)
            self.after(delay, deliver)

    def send_up(self, member: SimulatedMember, message: m.Up) -> None:
        """Send a message to the hub."""
        self._travel(member, lambda: self.hub_receives(message))

    def send_down(self, message: m.Down) -> None:
        """Send a message to its site, or a snapshot to all of them."""
        for name in [message.site] if message.site else list(self.sites):
            member = self.sites[name]
            self._travel(member, partial(self.site_receives, member, message))

    # --- the hub ---

    def hub_receives(self, message: m.Up) -> None:
        """Let the hub decide, commit and answer."""
        node = self.hub
        if not node.up:
            return
        step = hub.receive(node.books, node.memory, message, node.journal, self.now)
        self._hub_step(step, message)

    def hub_tick(self) -> None:
        """Run the hub's periodic work."""
        self.after(TICK, self.hub_tick)
        if self.hub.up:
            self._hub_step(hub.tick(self.hub.books, self.hub.memory, HUB_TIMING, self.now), None)

    def hub_acts(self, *facts: Fact) -> None:
        """Book facts for people at the hub."""
        self._hub_step(hub.HubStep(memory=self.hub.memory, facts=facts), None)

    def _hub_step(self, step: hub.HubStep, message: m.Up | None) -> None:
        before = self.hub.books
        self.hub.memory = step.memory
        if step.facts:
            self.hub.commit(step.facts, step.rows)
            self._watch_change(step.facts)
            if not self.calm and self.chance(self.scenario.faults.crash_at_commit):
                self.crash_hub()
                return
        sent = replies(before, self.hub.books, self.now, message=message, show=step.show, report=step.report)
        for reply in sent:
            self.send_down(reply)

    def _watch_change(self, facts: tuple[Fact, ...]) -> None:
        """Record a violation if a round is open at a ready site when the version changes."""
        if any(isinstance(fact, Reconfigured) for fact in facts):
            left = ",".join(fact.sites for fact in facts if isinstance(fact, ProceededWithout)).split(",")
            for member in self.sites.values():
                if member.books.joined and not member.idle and member.name not in left:
                    self.seen.append(f"{member.name}: a round was open when the version changed")

    def crash_hub(self) -> None:
        """End the hub's process; it is back within 15 seconds."""
        self.crashes += 1
        self.hub.up = False
        whole = self.chance(_WHOLE_REPLAY)
        self.after(self.between(0, 15 * SECOND), lambda: self.hub.restart(whole=whole))

    # --- the sites ---

    def site_receives(self, member: SimulatedMember, message: m.Down) -> None:
        """Let a site decide, commit and send what is due."""
        if not member.up:
            return
        if isinstance(message, m.HubSnapshot):
            self.heard[member.name].append(self.now)
        step = site.receive(
            member.books,
            member.memory,
            message,
            self.now,
            idle=member.idle,
            hash_of=member.journal.hash_at,
        )
        member.memory = step.memory
        self.site_acts(member, *step.facts)

    def site_tick(self, member: SimulatedMember) -> None:
        """Run a site's periodic work."""
        self.after(TICK, lambda: self.site_tick(member))
        if member.up:
            step = site.tick(member.books, member.memory, member.timing, self.now)
            member.memory = step.memory
            self.site_acts(member, *step.facts)

    def site_acts(self, member: SimulatedMember, *facts: Fact) -> bool:
        """Commit facts of a site and send what is due; return false if the site crashed in between."""
        if facts:
            member.commit(facts)
            if not member.idle and any(isinstance(fact, VersionAdopted) for fact in facts):
                self.seen.append(f"{member.name}: it changed its version in an open round")
            if not self.calm and self.chance(self.scenario.faults.crash_at_commit):
                self.crash_site(member)
                return False
        member.memory, sent = site.outgoing(
            member.books, member.memory, member.timing, self.now, idle=member.idle
        )
        for message in sent:
            self.send_up(member, message)
        return True

    def crash_site(self, member: SimulatedMember) -> None:
        """End a site's process; it is back within 15 seconds."""
        self.crashes += 1
        member.up = False
        whole = self.chance(_WHOLE_REPLAY)
        self.after(self.between(0, 15 * SECOND), lambda: member.restart(self.now, whole=whole))
