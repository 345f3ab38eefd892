"""Reversals of network awards in PostgreSQL: two people of the site, the hub's answer, and the verifier."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from feltwork.books.audit.replay import audit
from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_meters
from feltwork.books.links import lifecycle
from feltwork.books.people.people import Person, Secrets, register_people
from feltwork.money import CENT, DOLLAR
from feltwork.operations.context import Actor, Operation, Policy
from feltwork.operations.network.site_link import SiteLink
from feltwork.operations.people.proposals import carry_out_together
from feltwork.operations.two_person.command import TwoPersonCommand
from feltwork.operations.two_person.links import Adjust, Reverse, SetCap
from feltwork.problem import ProblemsError
from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.hub_room import new_link
from tests.books.room import report
from tests.books.site_room import SITE, Network, three_books
from tests.books.test_corrections import TODAY
from tests.books.test_network_export import compared


@pytest.fixture(scope="module")
def books(server: EmbeddedPostgres) -> Iterator[dict[str, Connection]]:
    with three_books(server) as connections:
        for connection in connections.values():
            for name in ("ann", "bob"):
                person = Person(id=name, name=name.title(), role="accounting")
                register_people(connection, {f"B-{name}": person}, Secrets(), by="setup")
        yield connections


@pytest.fixture
def network(books: dict[str, Connection]) -> Network:
    network = Network(books, new_link())
    network.exchange()
    return network


def two(connection: Connection, command: TwoPersonCommand) -> Any:
    """Ann asks, and Bob approves."""
    ann, bob = (
        Actor(id=name, name=name.title(), role="accounting", place="office", keyed=True)
        for name in ("ann", "bob")
    )
    return carry_out_together(Operation(connection=connection, actor=ann, policy=Policy()), bob, command)


def reversal(network: Network, award: str) -> Reverse:
    reasons: dict[str, Any] = {"evidence": "camera 12", "reason": "the deck was short"}
    return Reverse(link=network.link.id, award=award, adjustment="REV-1", **reasons)


@pytest.mark.requirement("LT-04", "GEN-18")
@pytest.mark.parametrize("paid", [False, True])
def test_two_people_of_a_site_reverse_an_award_and_the_hub_puts_it_back(
    network: Network, books: dict[str, Connection], tmp_path: Path, *, paid: bool
) -> None:
    a, b = network.sites["A"], network.sites["B"]
    a.play(1, 2, 3)
    award = a.claim()
    network.exchange()
    a.confirm(award)
    network.exchange()
    if paid:
        a.pay(award)
        network.exchange()
    network.cut.add("A")
    two(a.connection, reversal(network, award))
    b.play(1)
    network.exchange()
    assert a.books().owes == 4 * 29 * CENT
    assert a.books().open[award].stage == "reversed", "it waits for the hub"
    network.cut.clear()
    a.half = SiteLink(network.link.id, SITE)
    network.exchange()
    assert a.is_done()
    assert a.award(award).status == "reversed"
    state = read_meters(network.connection, network.link.id).state
    assert state.meter("jackpot") == 10_000 * DOLLAR + 5 * 24 * CENT
    assert network.held() == (5 * 29 * CENT, 5 * 29 * CENT)
    lifecycle.count_funds(books["hub"], network.link.id, bank_balance=0, by="ann")
    assert "in transit" not in compared(books, tmp_path)
    for connection in books.values():
        assert [str(problem) for problem in audit(connection).problems] == []
        for row in report(connection, "reconciliation", **TODAY):
            assert (row["unexplained"], row["difference"]) == (0, 0)
    with pytest.raises(ProblemsError, match="reversed only once"):
        two(a.connection, reversal(network, award))


def test_a_site_changes_no_shared_meter_and_a_hub_reverses_no_award(network: Network) -> None:
    a = network.sites["A"]
    about: dict[str, Any] = {"link": network.link.id, "level": "jackpot", "reason": "as agreed"}
    added = Adjust(
        **about,
        adjustment="ADJ-1",
        pool="meter",
        evidence="a letter",
        lawful_reason="HOUSE_ADDITION",
        change=DOLLAR,
    )
    for command in (added, SetCap(**about, cap=DOLLAR)):
        with pytest.raises(ProblemsError, match="keeps its meters"):
            two(a.connection, command)
    award = a.claim()
    network.exchange()
    a.confirm(award)
    network.exchange()
    with pytest.raises(ProblemsError, match="only the site of an award can reverse it"):
        two(network.connection, reversal(network, award))
