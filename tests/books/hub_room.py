"""A hub for tests: members, their sums and claims, in the books of PostgreSQL."""

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import count

from feltwork.books.audit.replay import audit
from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_meters
from feltwork.books.links import lifecycle, links
from feltwork.books.network.hub_store import lock_hub, write_step
from feltwork.money import DOLLAR, Micros
from feltwork.operations.network.hub import HubLink
from feltwork.progressive.facts import Fact
from feltwork.progressive.link import Link
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.facts import Joined
from feltwork.progressive.network.hub import HubTiming
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.terms import NetworkTerms
from tests.progressive.room import asked, four_card

AT_ONCE = HubTiming(window=0, snapshot=0, report=3_600_000_000)


_names = (f"N{number}" for number in count(1))


def new_link() -> Link:
    """A network link that no other test has seen."""
    link = four_card(name=next(_names), lock_at="claim", several_winners="seat_order", fixed_pays_from="tray")
    return replace(link, network=NetworkTerms(hub="hub"))


def joined(link: Link, site: str, limit: Micros = 1_000_000 * DOLLAR) -> Joined:
    return Joined(
        link=link.id,
        at=1,
        site=site,
        agreement="A-1",
        limit=limit,
        entry=0,
        hash="0" * 64,
        by="ann",
        approved_by="bob",
    )


def begin(connection: Connection, link: Link, sites: Sequence[str]) -> HubLink:
    """A hub with some members."""
    links.register_link(connection, link, by="ann")
    lifecycle.open_link(connection, link.id, asked())
    step(connection, link, [joined(link, site) for site in sites])
    return HubLink(link.id, AT_ONCE)


def step(connection: Connection, link: Link, facts: Sequence[Fact], rows: Sequence[m.SiteSum] = ()) -> None:
    with connection.transaction():
        books, _ = lock_hub(connection, link.id)
        write_step(connection, books, facts, rows)


def the_sum(link: Link, site: str, entry: int, wagers: int, *, returned: int = 0) -> m.SiteSum:
    """The sum of a site after some wagers of a dollar: 24 cents to the meter and 5 to the reserve."""
    return m.SiteSum(
        link=link.id,
        site=site,
        entry=entry,
        hash=sha256(f"{site} {entry}".encode()).hexdigest(),
        version=link.fingerprint,
        wagers=wagers,
        accrued={"jackpot": wagers * 240_000},
        reserved={"jackpot": wagers * 50_000},
        returned={"jackpot": returned * 290_000},
    )


def the_claim(link: Link, last: m.SiteSum, award: str) -> m.ClaimUp:
    return m.ClaimUp(
        link=link.id,
        site=last.site,
        award=award,
        seat=1,
        hand="four_aces",
        cards="",
        by="dana",
        version=link.fingerprint,
        shown=0,
        sum=last,
    )


def loaded(connection: Connection, link: Link) -> HubBooks:
    with connection.transaction():
        return lock_hub(connection, link.id)[0]


def problems_of(connection: Connection, link: Link) -> list[str]:
    problems = audit(connection).problems
    return [problem.what for problem in problems if problem.where.startswith(f"{link.id}, ")]


def replays(connection: Connection, link: Link) -> None:
    assert problems_of(connection, link) == []
    owed = sum(member.owes for member in loaded(connection, link).members.values())
    held = read_meters(connection, link.id).state.balances.get(f"clearing/{link.id}/sites", 0)
    assert owed == -held, "members owe what all sites owe together"
