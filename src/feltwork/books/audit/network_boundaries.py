"""A network link at the boundary of a bundle: the members of a hub, or the amounts a site has passed on.

An aggregator has its members, and the number of its settlements with the hub above.
"""

import json
from collections import defaultdict
from dataclasses import replace
from typing import Any

from psycopg.rows import class_row

from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_meters
from feltwork.books.network.hub_store import aggregator_links
from feltwork.books.network.sum_rows import SumRow
from feltwork.books.queries import statement
from feltwork.ledger.chain import Tail
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.link import Link
from feltwork.progressive.network.hub_books import HUB_KINDS, HubBooks, after_fact
from feltwork.progressive.network.sums import counters_of
from feltwork.progressive.state import new_state


def network_at(connection: Connection, name: str, link: Link | None, number: int) -> dict[str, Any]:
    """The network part of a bundle for a link after an entry; empty unless it is a network link."""
    role = connection.execute(statement("network_role"), {"link": name}).fetchone()
    if role is None:
        return {}
    if role == ("hub",):
        assert link is not None, "a hub's link was opened with a version"
        state = hub_state(_hub_at(connection, link, number))
        if name in aggregator_links(connection):
            state["settlements"] = _site_at(connection, name, link, number)["settlements"]
        return {"network": state}
    return {"network": _site_at(connection, name, link, number)}


def hub_state(books: HubBooks) -> dict[str, Any]:
    """The members of a hub, a proposed version, and the signers of large awards."""
    levels = sorted(books.state.link.level_names)
    change = books.change
    return {
        "members": {
            site: {
                "entry": member.sum.entry,
                "hash": member.sum.hash,
                "wagers": member.sum.wagers,
                "counters": counters_of(member.sum, levels),
                "paid": member.awards,
                "settled": member.settled,
                "settlements": member.settlements,
                "claims": member.claims,
                "left": member.left,
            }
            for site, member in sorted(books.members.items())
        },
        "change": {"version": change.version, "ready": sorted(change.ready)} if change else None,
        "countersigned": dict(books.countersigned),
    }


def _hub_at(connection: Connection, link: Link, number: int) -> HubBooks:
    """The hub's books after an entry, as far as a bundle needs them: its own state is left out."""
    books = HubBooks(state=new_state(link))
    joined: dict[str, int] = {}
    rows = connection.execute(statement("hub_facts"), (link.id, sorted(HUB_KINDS))).fetchall()
    for entry, hash_, text in rows:
        if entry <= number:
            fact = json.loads(text)
            if fact["kind"] == "Joined":
                joined[fact["site"]] = entry
            books = after_fact(books, from_plain(fact), Tail(entry, hash_))
    about = {"link": link.id, "number": number, "sites": list(joined), "joined": list(joined.values())}
    with connection.cursor(row_factory=class_row(SumRow)) as cursor:
        sums = cursor.execute(statement("newest_sums"), about).fetchall()
    newest = {row.site: replace(books.members[row.site], sum=row.of(link)) for row in sums}
    return replace(books, members={**books.members, **newest})


def _site_at(connection: Connection, name: str, link: Link | None, number: int) -> dict[str, Any]:
    """The amounts a site has passed on since it joined."""
    site, joined, settlements, since = "", False, 0, 0
    for entry, text in connection.execute(statement("memberships_until"), (name, number)).fetchall():
        fact = json.loads(text)
        if fact["kind"] == "Settled":
            settlements = fact["number"]
        else:
            site, joined = fact["site"], fact["kind"] == "Joined"
            since = entry if joined else since
    passed: defaultdict[tuple[str, str], int] = defaultdict(int)
    about = {"link": name, "joined": since, "number": number}
    for counter, level, amount in connection.execute(statement("passed_on_until"), about).fetchall():
        passed[counter, "" if counter == "wagers" else level] += amount
    # A site that has joined but not played yet has no version in its chain.
    levels = sorted((link or read_meters(connection, name).state.link).level_names)
    pools = ("accrued", "reserved", "returned")
    return {
        "site": site,
        "joined": joined,
        "wagers": passed["wagers", ""],
        "counters": [passed[pool, level] for pool in pools for level in levels],
        "settlements": settlements,
    }
