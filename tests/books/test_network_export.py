"""Bundles of a network: the export of a hub and of a site, and the ordinary verifier on each alone."""

import json
from pathlib import Path
from typing import Any

import pytest

from feltwork.books.audit.export import Period, export
from feltwork.books.connection import Connection, connect
from feltwork.books.links import lifecycle, links
from feltwork.books.network.hub_store import lock_hub, write_step
from feltwork.progressive.fact_serializer import from_plain
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.simulation.network.world import NetworkWorld
from tests.books.conftest import new_books
from tests.books.hub_room import new_link
from tests.books.site_room import Network, three_books
from tests.books.test_tampering import verifier
from tests.simulation.network_bundles import eventful_world, write_bundles


@pytest.fixture(scope="module")
def world() -> NetworkWorld:
    world = eventful_world()
    world.run()
    kinds = {record.entry.kind for record in world.hub.journal.entries}
    assert {"Summed", "Locked", "Released", "HandedOver", "SettlementReceived", "Reconfigured"} <= kinds
    return world


@pytest.fixture(scope="module")
def simulated(world: NetworkWorld, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return write_bundles(world, tmp_path_factory.mktemp("simulated"))


def same_but_for_the_clock(real: Path, simulated: Path) -> None:
    """Every file but the times at which the database booked an entry."""
    for path in sorted(simulated.glob("*.jsonl")):
        rows = [
            [{**json.loads(line), "booked_at": ""} for line in (folder / path.name).read_text().splitlines()]
            for folder in (real, simulated)
        ]
        assert rows[0] == rows[1], path.name
    real_links, links_ = (
        json.loads((folder / "manifest.json").read_text())["links"] for folder in (real, simulated)
    )
    assert real_links == links_


def book(connection: Connection, world: NetworkWorld) -> None:
    """Write the simulated hub's facts through the books, step by step."""
    for link in world.scenario.versions:
        links.register_link(connection, link, by="ann")
    for chained in world.hub.journal.entries:
        fact = from_plain(json.loads(chained.entry.fact))
        with connection.transaction():
            books, _ = lock_hub(connection, world.scenario.link.id)
            write_step(connection, books, [fact], world.hub.journal.rows.get(chained.number, ()))


@pytest.mark.requirement("GEN-18", "WA-08")
def test_the_bundle_of_a_hub_has_its_sums_and_members(
    server: EmbeddedPostgres, world: NetworkWorld, simulated: list[Path], tmp_path: Path
) -> None:
    name = new_books(server, "books_network_hub")
    with connect(server.dsn(name, role="writer")) as connection:
        book(connection, world)
        export(connection, tmp_path / "hub", Period())
        # A day that begins in the middle opens with the members as they were then.
        middle = len(world.hub.journal.entries) // 2
        row = connection.execute("SELECT booked_at FROM books.entry WHERE number = %s", (middle,)).fetchone()
        assert row is not None
        export(connection, tmp_path / "before", Period("before", until=row[0]))
        export(connection, tmp_path / "after", Period("after", since=row[0]))
    same_but_for_the_clock(tmp_path / "hub", simulated[0])
    for bundle in ("hub", "before", "after"):
        assert verifier(tmp_path / bundle)[0] == 0, verifier(tmp_path / bundle)[1]
    code, output = verifier(tmp_path / "before", str(tmp_path / "after"))
    assert (code, f"{world.hub.books.tail.number} entries followed: all is well" in output) == (0, True), (
        output
    )


@pytest.mark.requirement("GEN-18", "WA-08")
def test_the_bundle_of_a_site_has_what_it_passed_on(
    server: EmbeddedPostgres, world: NetworkWorld, simulated: list[Path], tmp_path: Path
) -> None:
    name = new_books(server, "books_network_site")
    rounds = [json.loads(line) for line in (simulated[1] / "rounds.jsonl").read_text().splitlines()]
    with connect(server.dsn(name)) as superuser:
        for link in world.scenario.versions:
            links.register_link(superuser, link, by="ann")
        for table in ("entry", "round"):
            superuser.execute(f"ALTER TABLE books.{table} DISABLE TRIGGER USER".encode())
        for record in world.sites["S1"].journal.entries:
            entry: dict[str, Any] = {
                "link": record.entry.link,
                "number": record.number,
                "previous": record.previous,
            }
            entry |= {
                "hash": record.hash,
                "at": record.entry.at,
                "kind": record.entry.kind,
                "body": record.body,
            }
            superuser.execute(
                "INSERT INTO books.entry (link, number, previous, hash, at, kind, body, fact) VALUES"
                " (%(link)s, %(number)s, %(previous)s, %(hash)s, %(at)s, %(kind)s, %(body)s, %(fact)s)",
                {**entry, "fact": record.entry.fact},
            )
        for row in rounds:
            superuser.execute(
                "INSERT INTO books.round (table_id, number, link, started_at, wager, seats, entry) VALUES"
                " (%(table_id)s, %(number)s, %(link)s, %(started_at)s, %(wager)s, %(seats)s, %(entry)s)",
                row,
            )
        export(superuser, tmp_path / "site", Period())
    same_but_for_the_clock(tmp_path / "site", simulated[1])
    assert verifier(tmp_path / "site")[0] == 0, verifier(tmp_path / "site")[1]


@pytest.mark.requirement("GEN-18", "WA-08")
def test_real_books_of_a_hub_and_its_sites_agree(server: EmbeddedPostgres, tmp_path: Path) -> None:
    with three_books(server) as books:
        network = Network(books, new_link())
        network.exchange()
        a, b = network.sites["A"], network.sites["B"]
        compared(books, tmp_path / "joined")
        a.play(1, 2, 3)
        b.play(1)
        network.exchange()
        b.start(1, 2)
        b.table.misdeal(reason="a card short", by="sam")
        award = a.claim()
        network.exchange()
        a.confirm(award)
        network.exchange()
        a.pay(award)
        output = compared(books, tmp_path / "before")
        assert f"in transit from site A: award {award}, $10,0" in output
        network.exchange()
        lifecycle.count_funds(books["hub"], network.link.id, bank_balance=0, by="ann")
        assert "in transit" not in compared(books, tmp_path / "after")


def compared(books: dict[str, Connection], folder: Path) -> str:
    """What the verifier says about the bundles of a network, all of them right."""
    paths = [folder / name for name in ("hub", "A", "B")]
    for name, path in zip(("hub", "A", "B"), paths, strict=True):
        export(books[name], path, Period())
    code, output = verifier(paths[0], *map(str, paths[1:]), "--network")
    assert code == 0, output
    return output
