"""An aggregator in PostgreSQL, with messages that a test may hold back: books, settlements and refusals."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from psycopg import errors

from feltwork.books.audit.export import Period, export
from feltwork.books.audit.replay import audit
from feltwork.books.awards import awards
from feltwork.books.connection import Connection, connect
from feltwork.books.journal.link_state import read_meters
from feltwork.books.links import lifecycle, links
from feltwork.books.network import hub_members, site_store
from feltwork.books.network.aggregator_store import (
    lock_aggregator,
    settle_above,
    write_aggregator,
)
from feltwork.books.network.hub_store import read_hub
from feltwork.books.records.alarms import open_alarms
from feltwork.ledger.chain import Tail
from feltwork.money import CENT
from feltwork.operations.network.aggregator import AggregatorLink
from feltwork.operations.network.hub import HubLink
from feltwork.operations.network.site_link import STOPPED
from feltwork.problem import ProblemsError
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.aggregator import AggregatorBooks
from feltwork.progressive.network.aggregator_facts import CreditRelayed
from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.conftest import new_books
from tests.books.hub_room import joined, new_link
from tests.books.site_room import AT_ONCE, SITE, Site, join, join_aggregator, open_hub
from tests.books.test_tampering import verifier
from tests.progressive.room import asked

NAMES = ("A@W", "B@W")
WAGER = 29 * CENT


class Tree:
    """A hub, the aggregator W and its two sites."""

    def __init__(self, books: dict[str, Connection], link: Link) -> None:
        self.link = link
        self.books = books
        open_hub(books["hub"], link)
        join_aggregator(books["W"], books["hub"], link, "W")
        self.hub = HubLink(link.id, AT_ONCE)
        self.restart()
        self.sites: dict[str, Site] = {}
        for name in NAMES:
            join(books[name], books["W"], link, name)
            self.sites[name] = Site(books[name], link, name)
        self.exchange()

    def restart(self) -> None:
        """The aggregator forgets everything but its books."""
        self.aggregator = AggregatorLink(self.link.id, AT_ONCE, SITE)

    def exchange(self, times: int = 5) -> None:
        """Everybody says what is due, and hears what is said."""
        for _ in range(times):
            for site in self.sites.values():
                for up in site.half.tick(site.connection):
                    self._from_below(up)
            self._from_aggregator(self.aggregator.tick(self.books["W"]))
            self._from_hub(self.hub.tick(self.books["hub"]))

    def _from_below(self, message: m.Up) -> None:
        if isinstance(message, m.SiteSum):
            self.aggregator.hear(message)
        else:
            self._from_aggregator(self.aggregator.receive(self.books["W"], message))

    def _from_aggregator(self, messages: Iterable[m.Up | m.Down]) -> None:
        for message in messages:
            if isinstance(message, m.SiteSum):
                self.hub.hear(message)
            elif isinstance(message, m.Up):
                self._from_hub(self.hub.receive(self.books["hub"], message))
            else:
                for name, site in self.sites.items():
                    if message.site in ("", name):
                        site.half.receive(site.connection, message)

    def _from_hub(self, messages: Iterable[m.Down]) -> None:
        for message in messages:
            if message.site in ("", "W"):
                self._from_aggregator(self.aggregator.receive(self.books["W"], message))

    def between(self) -> AggregatorBooks:
        with self.books["W"].transaction():
            return lock_aggregator(self.books["W"], self.link.id)[0]

    def audited(self) -> None:
        for connection in self.books.values():
            problems = audit(connection).problems
            assert [
                problem.what for problem in problems if problem.where.startswith(f"{self.link.id}, ")
            ] == []


@pytest.fixture(scope="module")
def books(server: EmbeddedPostgres) -> Iterator[dict[str, Connection]]:
    with ExitStack() as stack:
        connections = {}
        for name in ("hub", "W", *NAMES):
            database = new_books(server, f"tree_{name.partition('@')[0].lower()}")
            connections[name] = stack.enter_context(connect(server.dsn(database, role="writer")))
        yield connections


@pytest.fixture
def tree(books: dict[str, Connection]) -> Tree:
    return Tree(books, new_link())


def stops_above(tree: Tree) -> list[str]:
    """What the alarms say of a stop of the aggregator by its hub."""
    alarms = [alarm for alarm in open_alarms(tree.books["W"]) if alarm.place == tree.link.id]
    return [str(alarm.details["what"]) for alarm in alarms if alarm.kind == STOPPED]


def won(tree: Tree, site: Site) -> str:
    """A win that is claimed, confirmed and paid."""
    name = site.claim()
    tree.exchange()
    site.confirm(name)
    tree.exchange()
    site.pay(name)
    tree.exchange()
    assert site.is_done()
    return name


@pytest.mark.requirement("GEN-18")
def test_both_levels_settle_and_owe_nothing(tree: Tree) -> None:
    site = tree.sites["A@W"]
    site.play(1, 2)
    tree.sites["B@W"].play(1)
    name = won(tree, site)
    paid = site.award(name).amount
    assert tree.between().below.members["A@W"].owes == 3 * WAGER - paid
    for member_site in tree.sites.values():
        amount = member_site.books().owes
        site_store.settle(member_site.connection, tree.link.id, asked(), amount=amount)
        hub_members.receive_settlement(
            tree.books["W"], tree.link.id, asked(), site=member_site.name, number=1, amount=amount
        )
    tree.exchange()
    owes = 4 * WAGER - paid
    settle_above(tree.books["W"], tree.link.id, asked(), amount=owes)
    with pytest.raises(ProblemsError, match="on its way"):
        settle_above(tree.books["W"], tree.link.id, asked(), amount=owes)
    hub_members.receive_settlement(tree.books["hub"], tree.link.id, asked(), site="W", number=1, amount=owes)
    tree.restart()
    tree.exchange()
    assert tree.between().settling is None, "the hub has answered"
    assert [site.books().settling for site in tree.sites.values()] == [None, None]
    assert read_hub(tree.books["hub"], tree.link.id).members["W"].owes == 0
    assert [member.owes for member in tree.between().below.members.values()] == [0, 0]
    left = {name: held for name, held in tree.between().state.balances.items() if held}
    assert left == {}, "what it received it has passed on"
    tree.audited()


@pytest.mark.requirement("GEN-18")
def test_a_credit_is_booked_once(tree: Tree) -> None:
    site = tree.sites["B@W"]
    site.play(1)
    name = won(tree, site)
    amount = site.award(name).amount
    end = read_hub(tree.books["hub"], tree.link.id).tail
    where: dict[str, Any] = {"link": tree.link.id, "entry": end.number, "hash": end.hash}
    again = m.HandedOverDown(**where, site="W", award=name, amount=amount)
    tree.restart()
    assert tree.aggregator.receive(tree.books["W"], again), "the site is answered again"
    assert tree.between().below.members["B@W"].awards == amount
    double = CreditRelayed(**where, at=1, award=name, site="B@W", amount=amount)
    with pytest.raises(errors.UniqueViolation), tree.books["W"].transaction():
        write_aggregator(tree.books["W"], lock_aggregator(tree.books["W"], tree.link.id)[0], (double,))


@pytest.mark.requirement("GEN-18")
def test_a_site_reverses_an_award_through_an_aggregator(tree: Tree) -> None:
    site = tree.sites["A@W"]
    site.play(1, 2, 3)
    name = won(tree, site)
    site.table.end()
    awards.reverse(site.connection, tree.link.id, asked(), award=name, adjustment="R-1", evidence="camera 12")
    tree.exchange()
    assert site.is_done()
    assert tree.between().below.members["A@W"].awards == 0
    assert read_hub(tree.books["hub"], tree.link.id).members["W"].owes == 4 * WAGER
    balances = tree.between().state.balances
    assert (
        balances[f"clearing/{tree.link.id}/hub"] == -balances[f"clearing/{tree.link.id}/sites"] == 4 * WAGER
    )


@pytest.mark.requirement("GEN-06", "GEN-18")
def test_a_version_takes_effect_when_the_aggregator_and_its_sites_know_it(tree: Tree) -> None:
    (level,) = tree.link.levels
    new = replace(tree.link, levels=(replace(level, contribution=1_000, reserve=0),))
    for site in tree.sites.values():
        site.play(1)
        links.register_version(site.connection, new, by="ann")
    tree.exchange()
    hub_members.propose_change(tree.books["hub"], new, asked())
    tree.exchange()
    assert read_hub(tree.books["hub"], tree.link.id).change is not None, "the aggregator does not know it"
    with pytest.raises(ProblemsError, match="a new version is proposed"):
        hub_members.admit(
            tree.books["W"], joined(new, "C@W"), asked(), version=tree.link.fingerprint, tail=Tail()
        )
    links.register_version(tree.books["W"], new, by="ann")
    tree.exchange(8)
    for connection in tree.books.values():
        assert read_meters(connection, new.id).state.link.fingerprint == new.fingerprint
    tree.sites["A@W"].play(1)
    tree.exchange()
    assert read_hub(tree.books["hub"], new.id).members["W"].owes == 2 * WAGER + 10 * CENT
    tree.audited()


@pytest.mark.requirement("GEN-18")
def test_a_site_that_owes_too_much_and_a_suspended_aggregator_are_stopped(tree: Tree) -> None:
    site, other = (tree.sites[name] for name in NAMES)
    site.play(1, 2, 3)
    hub_members.change_limit(tree.books["W"], tree.link.id, asked(), site="A@W", limit=CENT)
    tree.exchange()
    assert "hub" in site.books().state.stops
    assert "hub" not in other.books().state.stops
    lifecycle.stop(tree.books["W"], tree.link.id, cause="suspended", reason="an inspection", by="ann")
    tree.exchange()
    assert "hub" in other.books().state.stops


@pytest.mark.requirement("GEN-18")
def test_the_sites_of_an_aggregator_that_was_let_go_are_stopped(tree: Tree) -> None:
    assert stops_above(tree) == []
    hub_members.release(tree.books["hub"], tree.link.id, asked(), site="W")
    tree.exchange()
    for site in tree.sites.values():
        assert "hub" in site.books().state.stops
    (about,) = stops_above(tree)
    assert "has left the network" in about


@pytest.mark.requirement("GEN-18")
def test_what_an_aggregator_cannot_do_is_refused(tree: Tree) -> None:
    books, link = tree.books["W"], tree.link.id
    acts: list[Callable[[], object]] = [
        lambda: hub_members.release(books, link, asked(), site="A@W"),
        lambda: hub_members.drop_change(books, link, asked()),
        lambda: hub_members.propose_change(books, tree.link, asked()),
        lambda: hub_members.proceed_without(books, link, ["A@W"], asked()),
        lambda: hub_members.reopen_hub(books, link, asked(), seen_tail=Tail()),
        lambda: hub_members.countersign(books, link, award="A@W:T1:1:1:0", executive="eve"),
    ]
    for act in acts:
        with pytest.raises(ProblemsError, match="aggregator"):
            act()
    with pytest.raises(ProblemsError, match="NAME@W"):
        hub_members.admit(books, joined(tree.link, "C"), asked(), version=tree.link.fingerprint, tail=Tail())
    with pytest.raises(ProblemsError, match="without @"):
        hub_members.admit(
            tree.books["hub"],
            joined(tree.link, "C@W"),
            asked(),
            version=tree.link.fingerprint,
            tail=Tail(),
        )


@pytest.mark.requirement("GEN-18")
def test_books_that_the_hub_does_not_know_stop_the_sites(tree: Tree) -> None:
    tree.sites["A@W"].play(1)
    tree.exchange()
    end = read_hub(tree.books["hub"], tree.link.id)
    member = end.members["W"]
    booked = m.BookedDown(
        link=tree.link.id,
        site="W",
        entry=end.tail.number,
        hash=end.tail.hash,
        booked_entry=member.sum.entry,
        booked_hash="f" * 64,
        passed=member.sum.passed,
        stops=(),
        left=False,
    )
    tree._from_hub((booked,))
    assert "books rolled back" in {alarm.kind for alarm in open_alarms(tree.books["W"])}
    assert "hub" in tree.sites["B@W"].books().state.stops
    lifecycle.reopen_site(tree.books["W"], tree.link.id, asked())
    tree.exchange()
    assert "hub" not in tree.sites["B@W"].books().state.stops


@pytest.mark.requirement("GEN-18", "WA-08")
def test_the_bundles_of_an_aggregator_and_its_hub_are_in_order(tree: Tree, tmp_path: Path) -> None:
    site = tree.sites["A@W"]
    site.play(1, 2)
    won(tree, site)
    (middle,) = tree.books["W"].execute("SELECT clock_timestamp()").fetchone() or (None,)
    settle_above(tree.books["W"], tree.link.id, asked(), amount=CENT)
    tree.sites["B@W"].play(1)
    tree.exchange()
    export(tree.books["hub"], tmp_path / "hub", Period())
    export(tree.books["W"], tmp_path / "W", Period())
    export(site.connection, tmp_path / "A", Period())
    export(tree.books["W"], tmp_path / "after", Period("after", since=middle))
    for name in ("hub", "W", "after"):
        code, output = verifier(tmp_path / name)
        assert code == 0, output
    code, output = verifier(tmp_path / "W", str(tmp_path / "A"), "--network")
    assert (code, "is of an aggregator" in output) == (1, True), output
