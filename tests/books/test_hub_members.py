"""What two people do at a hub, on PostgreSQL: join, settle, leave, countersign, and a new version."""

from dataclasses import replace
from pathlib import Path

import pytest

from feltwork.books.audit.export import Period, export
from feltwork.books.connection import Connection, connect
from feltwork.books.links import lifecycle
from feltwork.books.network import hub_members
from feltwork.ledger.chain import Tail
from feltwork.money import DOLLAR
from feltwork.operations.network.hub import HubLink
from feltwork.problem import ProblemsError
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.terms import NetworkTerms
from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.conftest import new_books
from tests.books.hub_room import AT_ONCE, begin, joined, loaded, new_link, replays, the_claim, the_sum
from tests.books.test_tampering import verifier
from tests.progressive.room import asked


@pytest.fixture
def link() -> Link:
    return new_link()


def test_a_site_joins_settles_leaves_and_comes_back(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, [])
    request, end = joined(link, "A"), Tail(3, "b" * 64)
    with pytest.raises(ProblemsError, match="does not know"):
        hub_members.admit(writer, request, asked(), version="f" * 64, tail=end)
    hub_members.admit(writer, request, asked(), version=link.fingerprint, tail=end)
    with pytest.raises(ProblemsError, match="is already a member"):
        hub_members.admit(writer, request, asked(), version=link.fingerprint, tail=end)
    hub.hear(the_sum(link, "A", 10, 10))
    hub.tick(writer)
    owed = 10 * 290_000
    with pytest.raises(ProblemsError, match="owes"):
        hub_members.release(writer, link.id, asked(), site="A")
    with pytest.raises(ProblemsError, match="last settlement"):
        hub_members.receive_settlement(writer, link.id, asked(), site="A", number=2, amount=owed)
    hub_members.receive_settlement(writer, link.id, asked(), site="A", number=1, amount=owed)
    with pytest.raises(ProblemsError, match="last settlement"):
        hub_members.receive_settlement(writer, link.id, asked(), site="A", number=1, amount=owed)
    settle = m.SettleUp(link=link.id, site="A", number=1, amount=owed)
    assert isinstance(hub.receive(writer, settle)[0], m.SettledDown)
    replays(writer, link)
    hub_members.release(writer, link.id, asked(), site="A")
    hub.hear(the_sum(link, "A", 11, 11))
    hub.tick(writer)
    assert loaded(writer, link).members["A"].sum.entry == 10, "it has left"
    hub_members.admit(writer, request, asked(), version=link.fingerprint, tail=Tail(20, "c" * 64))
    hub.hear(the_sum(link, "A", 21, 2))
    hub.tick(writer)
    assert loaded(writer, link).members["A"].owes == 2 * 290_000
    replays(writer, link)


def test_a_site_whose_books_rolled_back_stays_stopped(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A"])
    for entry, wagers in ((5, 5), (6, 4), (7, 7)):
        hub.hear(the_sum(link, "A", entry, wagers))
        hub.tick(writer)
    member = loaded(writer, link).members["A"]
    assert (list(member.stops), member.sum.entry) == (["rolled_back"], 5)
    replays(writer, link)


def test_a_large_award_waits_for_an_executive_of_the_hub(writer: Connection, link: Link) -> None:
    link = replace(link, network=NetworkTerms(hub="hub", countersign_above=5_000 * DOLLAR))
    hub = begin(writer, link, ["A"])
    claim = the_claim(link, the_sum(link, "A", 5, 5), "A:T1:5:1:1")
    (grant,) = hub.receive(writer, claim)
    assert isinstance(grant, m.GrantDown)
    confirm = m.ConfirmUp(
        link=link.id,
        site="A",
        award=claim.award,
        grant=grant.entry,
        amount=grant.amount,
        supervisor="sam",
        executive="eve",
    )
    assert hub.receive(writer, confirm) == ()
    hub_members.countersign(writer, link.id, award=claim.award, executive="ed")
    (confirmed,) = HubLink(link.id, AT_ONCE).receive(writer, confirm)
    assert isinstance(confirmed, m.ConfirmedDown)
    replays(writer, link)


def test_a_version_takes_effect_when_every_site_is_ready(writer: Connection, link: Link) -> None:
    hub = begin(writer, link, ["A", "B"])
    new = replace(link, levels=(replace(link.levels[0], contribution=2_000),))
    proposed = hub_members.propose_change(writer, new, asked())
    for number, site in enumerate(("A", "B"), 1):
        last = the_sum(link, site, 5, 5)
        snapshot = hub.tick(writer)[0]
        assert isinstance(snapshot, m.HubSnapshot)
        assert (snapshot.change, snapshot.open) == (new.fingerprint, False)
        ready = m.ReadyUp(
            link=link.id, site=site, version=new.fingerprint, shown=proposed.tail.number, sum=last
        )
        hub.receive(writer, ready)
        change = loaded(writer, link).change
        assert (change is None) == (number == 2)
    snapshot = hub.tick(writer)[0]
    assert isinstance(snapshot, m.HubSnapshot)
    assert (snapshot.version, snapshot.change, snapshot.open) == (new.fingerprint, "", True)
    replays(writer, link)


def test_a_version_is_dropped_or_proceeds_without_a_site(writer: Connection, link: Link) -> None:
    begin(writer, link, ["A", "B"])
    new = replace(link, levels=(replace(link.levels[0], contribution=2_000),))
    hub_members.propose_change(writer, new, asked())
    hub_members.drop_change(writer, link.id, asked())
    assert loaded(writer, link).state.takes_wagers
    hub_members.propose_change(writer, new, asked())
    with pytest.raises(ProblemsError, match="not exactly those that are not ready"):
        hub_members.proceed_without(writer, link.id, ["A"], asked())
    hub_members.proceed_without(writer, link.id, ["A", "B"], asked())
    assert loaded(writer, link).state.link == new
    replays(writer, link)


@pytest.mark.requirement("WA-18", "GEN-18")
def test_a_count_of_the_trust_is_what_sites_had_settled_at_its_cutoff(
    server: EmbeddedPostgres, link: Link, tmp_path: Path
) -> None:
    name = new_books(server, "books_trust")
    with connect(server.dsn(name, role="writer")) as connection:
        hub = begin(connection, link, ["A"])
        hub.hear(the_sum(link, "A", 10, 100))
        hub.tick(connection)
        half = 50 * 290_000
        first = hub_members.receive_settlement(connection, link.id, asked(), site="A", number=1, amount=half)
        hub_members.receive_settlement(connection, link.id, asked(), site="A", number=2, amount=half)
        earlier = lifecycle.count_funds(
            connection, link.id, bank_balance=half, by="ann", entry=first.tail.number
        )
        assert [type(fact).__name__ for fact in earlier.facts] == ["FundsCounted"]
        now = lifecycle.count_funds(connection, link.id, bank_balance=2 * half, by="ann")
        assert [type(fact).__name__ for fact in now.facts] == ["FundsCounted"]
        replays(connection, link)
        export(connection, tmp_path / "hub", Period())
    code, output = verifier(tmp_path / "hub")
    assert code == 0, output
