"""An aggregator's books in PostgreSQL: a hub's for the sites below, and its account with the hub above."""

import json
from collections.abc import Sequence
from dataclasses import replace

from feltwork.books.connection import Connection
from feltwork.books.journal.transaction import Committed
from feltwork.books.network.hub_store import aggregator_links, lock_hub, write_step
from feltwork.books.network.site_store import save_snapshot
from feltwork.books.queries import statement
from feltwork.ledger.chain import GENESIS
from feltwork.money import Micros
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.network import aggregator, site_commands
from feltwork.progressive.network.aggregator import OWN_KINDS, AggregatorBooks, follow
from feltwork.progressive.network.messages import HubSnapshot, SiteSum
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest


def lock_aggregator(
    connection: Connection, link: str, known: AggregatorBooks | None = None
) -> tuple[AggregatorBooks, Instant]:
    """Lock a link and return its aggregator's books and the time; reuse ``known`` unless it is outdated."""
    below, now = lock_hub(connection, link, known.below if known else None)
    if known is not None and below is known.below:
        return known, now
    books = AggregatorBooks(name="", below=below)
    rows = connection.execute(statement("site_facts"), (link, sorted(OWN_KINDS), 0)).fetchall()
    return follow(books, [from_plain(json.loads(text)) for _, text in rows]), now


def write_aggregator(
    connection: Connection, before: AggregatorBooks, facts: Sequence[Fact], rows: Sequence[SiteSum] = ()
) -> AggregatorBooks:
    """Book the facts of a step of a locked link, and the rows of the sums among them."""
    if not facts:
        return before
    return follow(replace(before, below=write_step(connection, before.below, facts, rows)), facts)


def open_aggregator(
    connection: Connection, link: str, request: TwoPersonRequest, *, site: str, agreement: str, limit: Micros
) -> Committed:
    """Open a link here as an aggregator's; people at the hub admit it with the end of its chain."""
    with connection.transaction():
        books, now = lock_hub(connection, link)
        opened = aggregator.open_link(books, request, site=site, agreement=agreement, limit=limit, at=now)
        save_snapshot(connection, _nothing_heard(link, books.state.link.fingerprint), heard_at=0)
        after = write_step(connection, books, (opened,))
    return Committed(facts=(opened,), state=after.state, tail=after.tail)


def settle_above(
    connection: Connection, link: str, request: TwoPersonRequest, *, amount: Micros
) -> Committed:
    """Book an amount paid to the trust of the hub above or, if negative, received from it."""
    with connection.transaction():
        books, now = lock_aggregator(connection, link)
        settled = site_commands.settle(books, request, amount=amount, at=now)
        after = write_aggregator(connection, books, (settled,))
    return Committed(facts=(settled,), state=after.below.state, tail=after.below.tail)


def refuse_at_aggregator(connection: Connection, link: str, what: str, remedy: str) -> None:
    """Raise if a link is an aggregator's: the hub above decides, or the command is not possible yet."""
    if link in aggregator_links(connection):
        raise refuse(f"link {link}", what, remedy, "GEN-18")


def _nothing_heard(link: str, version: str) -> HubSnapshot:
    return HubSnapshot(
        link=link, site="", entry=0, hash=GENESIS, at=0, version=version, meters={}, change="", open=False
    )
