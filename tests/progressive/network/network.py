"""A hub and its sites for tests, without a network in between: messages go where a test sends them."""

from dataclasses import replace
from typing import Any

from feltwork.ledger.chain import Tail
from feltwork.money import DOLLAR, Micros
from feltwork.progressive import round as rounds
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.link import Link
from feltwork.progressive.network import hub, hub_commands, site, site_commands, site_rounds
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.hub_replies import replies, snapshot
from feltwork.progressive.network.site import SiteTiming
from feltwork.progressive.network.terms import NetworkTerms
from feltwork.progressive.sign_offs import Badge
from feltwork.simulation.network.nodes import SimulatedHub, SimulatedMember, new_hub, new_member
from feltwork.simulation.network.scenario import BEGIN, scenario_of
from tests.progressive.room import asked, level, link_of

SECOND: Instant = 1_000_000
SAM, EVE = Badge("sam", "supervisor"), Badge("eve", "executive")


def network_link(*, terms: NetworkTerms | None = None, **changes: Any) -> Link:
    """Five Card, 01: a royal flush takes the meter, a straight flush a tenth of it."""
    link = link_of("five_card", "01", [level(**changes)], lock_at="claim")
    return replace(link, network=terms or NetworkTerms(hub="HUB"))


class Network:
    """One hub and some sites that have joined."""

    def __init__(
        self,
        link: Link,
        names: tuple[str, ...] = ("A", "B"),
        *,
        versions: tuple[Link, ...] = (),
        limit: Micros = 1_000_000 * DOLLAR,
        **timing: Any,
    ) -> None:
        scenario = replace(
            scenario_of(1, 1),
            link=link,
            versions=(link, *versions),
            sites={name: SiteTiming(**timing) for name in names},
            limit=limit,
        )
        self.now: Instant = BEGIN
        self.hub: SimulatedHub = new_hub(scenario)
        self.sites: dict[str, SimulatedMember] = {name: new_member(scenario, name) for name in names}
        for member in self.sites.values():
            join = site_commands.join(
                member.books, asked(), agreement="A-1", limit=limit, hub=self.hub.books.tail, at=self.now
            )
            admitted = hub_commands.admit(
                self.hub.books, asked(), application=join, link=link, tail=member.books.tail, at=self.now
            )
            self.hub.commit([admitted])
            member.commit([join])
        self.show()

    @property
    def books(self) -> HubBooks:
        return self.hub.books

    def later(self, seconds: int = 1) -> Instant:
        self.now += seconds * SECOND
        return self.now

    def up(self, message: m.Up) -> tuple[m.Down, ...]:
        """Give the hub a message; what it answers is not delivered."""
        before = self.hub.books
        step = hub.receive(before, self.hub.memory, message, self.hub.journal, self.later())
        self.hub.memory = step.memory
        self.hub.commit(step.facts, step.rows)
        return replies(before, self.hub.books, self.now, message=message)

    def tick(self) -> tuple[m.Down, ...]:
        """Let the hub book its window and report."""
        before = self.hub.books
        step = hub.tick(before, self.hub.memory, hub.HubTiming(), self.later(5))
        self.hub.memory = step.memory
        self.hub.commit(step.facts, step.rows)
        return replies(before, self.hub.books, self.now, show=step.show, report=step.report)

    def down(self, *messages: m.Down) -> None:
        """Give sites the hub's messages."""
        for message in messages:
            for member in [self.sites[message.site]] if message.site else self.sites.values():
                step = site.receive(
                    member.books,
                    member.memory,
                    message,
                    self.now,
                    idle=member.idle,
                    hash_of=member.journal.hash_at,
                )
                member.memory = step.memory
                member.commit(step.facts)

    def show(self) -> None:
        self.down(snapshot(self.hub.books, self.later()))

    def outgoing(self, name: str) -> tuple[m.Up, ...]:
        member = self.sites[name]
        member.memory, sent = site.outgoing(
            member.books, member.memory, member.timing, self.later(5), idle=member.idle
        )
        return sent

    def exchange(self, times: int = 3) -> None:
        """Everything arrives, a few times over."""
        for _ in range(times):
            for name in self.sites:
                for message in self.outgoing(name):
                    self.down(*self.up(message))
            self.down(*self.tick())

    def at_site(self, name: str, *facts: Fact | None) -> None:
        self.sites[name].commit([fact for fact in facts if fact is not None])

    def start(self, name: str, seats: tuple[int, ...] = (1, 2, 3), table: str = "T1") -> None:
        member = self.sites[name]
        round_ = replace(member.tables[table], link=member.books.state.link)
        member.tables[table], started = rounds.start(
            round_, covered=seats, players=range(1, 8), takes_wagers=True, at=self.later()
        )
        passed = site_rounds.pass_on(member.books.state, [started], at=self.now)
        assert not passed.refused
        self.at_site(name, passed.fact)

    def press(self, name: str, seat: int = 1, hand: str = "royal_flush", table: str = "T1") -> str:
        member = self.sites[name]
        member.tables[table], _ = rounds.press(
            member.tables[table], seat=seat, hand=hand, at=self.later(), by="dana"
        )
        tail: Tail = site.seen(member.books, member.memory)
        facts = site_commands.claim(
            member.books, member.tables[table], seat=seat, hub_tail=tail, at=self.now, by="dana"
        )
        self.at_site(name, *facts)
        return str(getattr(facts[0], "award", ""))

    def sign(self, name: str, award: str) -> None:
        books = self.sites[name].books
        amount = books.open[award].amount
        signed = site_commands.sign_off(books, award=award, badges=(SAM, EVE), amount=amount, at=self.later())
        self.at_site(name, signed)

    def clear(self, name: str, award: str, table: str = "T1") -> None:
        member = self.sites[name]
        seat = member.books.open[award].seat
        cleared = site_commands.clear(
            member.books, award=award, reason="not the hand", at=self.later(), by="sam"
        )
        member.tables[table] = rounds.take_out(member.tables[table], seats=[seat])
        self.at_site(name, cleared)

    def pay(self, name: str, award: str) -> None:
        books = self.sites[name].books
        self.at_site(name, site_commands.pay(books, award=award, form="check", at=self.later(), by="cara"))

    def takes_wagers(self, name: str) -> bool:
        member = self.sites[name]
        return site.takes_wagers(member.books, member.memory, member.timing, self.now)

    def silence(self, name: str, seconds: int) -> None:
        """A site's clock goes on without a message."""
        member = self.sites[name]
        step = site.tick(member.books, member.memory, member.timing, self.later(seconds))
        member.memory = step.memory
        member.commit(step.facts)

    def kinds(self, name: str = "") -> list[str]:
        journal = self.sites[name].journal if name else self.hub.journal
        return [chained.entry.kind for chained in journal.entries]
