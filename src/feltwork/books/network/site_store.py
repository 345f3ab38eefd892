"""A site's books of a network link in PostgreSQL, loaded under the link's lock."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import asdict, replace
from typing import Any

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from feltwork.books.connection import Connection
from feltwork.books.journal.journal import texts_of, write
from feltwork.books.journal.link_state import LinkSnapshot, award_from, keep, lock_link
from feltwork.books.journal.transaction import Committed
from feltwork.books.links.versions import link_from
from feltwork.books.queries import statement
from feltwork.ledger.chain import GENESIS
from feltwork.money import Micros
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.fold import apply
from feltwork.progressive.network import site_commands
from feltwork.progressive.network.facts import ContactLost, Joined
from feltwork.progressive.network.messages import HubSnapshot
from feltwork.progressive.network.site_books import SITE_KINDS, SiteBooks, after_fact, book_site
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest
from feltwork.progressive.state import Award, Counters, LinkState, new_state

#: Facts that count toward a site's sum.
_ROUNDS = ("PassedBack", "PassedOn", "SeatPassedOn")


def site_links(connection: Connection) -> dict[str, str]:
    """The network links that these books have joined, each with the name of the site."""
    return dict(connection.execute(statement("site_links")).fetchall())


def contact_of(connection: Connection, link: str) -> dict[str, Any] | None:
    """A site's record of its network, its hub and its last settlement."""
    with connection.cursor(row_factory=dict_row) as cursor:
        return cursor.execute(statement("site_contact"), {"link": link}).fetchone()


def lock_site(connection: Connection, link: str, known: SiteBooks | None = None) -> tuple[SiteBooks, Instant]:
    """Lock a link and return its site's books and the time; read only entries newer than ``known``."""
    snapshot = lock_link(connection, link)
    if snapshot.state.link.network is None:
        raise refuse(f"link {link}", "it is no network link", "name the hub in its version", "GEN-18")
    if known is None or known.tail.number > snapshot.tail.number or not _follows(connection, link, known):
        known = None
    return _load(connection, snapshot, known), snapshot.now


def _follows(connection: Connection, link: str, known: SiteBooks) -> bool:
    """Whether the chain still has the known entry; the books may have been restored."""
    return not known.tail.number or hash_of(connection, link, known.tail.number) == known.tail.hash


def hash_of(connection: Connection, link: str, entry: int) -> str:
    """The hash of an entry; empty if there is none."""
    (digest,) = connection.execute(statement("hash_of_entry"), (link, entry)).fetchone() or ("",)
    return str(digest)


def _load(connection: Connection, snapshot: LinkSnapshot, known: SiteBooks | None) -> SiteBooks:
    """Fold the journal except rounds; the counters are stored with the link."""
    link = snapshot.state.link
    books = known or SiteBooks(state=new_state(link), site="")
    about = (link.id, sorted(SITE_KINDS), books.tail.number)
    lost_at = books.tail.number
    for number, text in connection.execute(statement("site_facts"), about).fetchall():
        fact = from_plain(json.loads(text))
        if isinstance(fact, Joined):
            counters = _counters_before(connection, snapshot.state, number)
            books = replace(books, site=fact.site, state=replace(books.state, counters=counters))
        lost_at = number if isinstance(fact, ContactLost) else lost_at
        books = after_fact(books, fact)
    if books.lost is not None:
        for _, text in connection.execute(statement("site_facts"), (link.id, ["PassedOn"], lost_at)):
            books = after_fact(books, from_plain(json.loads(text)))
    versions: Mapping[str, str] = dict(connection.execute(statement("versions_of"), (link.id,)).fetchall())
    state = replace(
        snapshot.state,
        awards=_awards(connection, link.id, books.open),
        versions={fingerprint: link_from(text, fingerprint) for fingerprint, text in versions.items()},
        hub_allows=True,
    )
    return replace(books, state=state, tail=snapshot.tail)


def _counters_before(connection: Connection, state: LinkState, number: int) -> Mapping[str, Counters]:
    """The counters before an entry: the amounts a site had passed on when it joined or rejoined."""
    then = new_state(state.link)
    for earlier, text in connection.execute(statement("site_facts"), (state.link.id, list(_ROUNDS), 0)):
        if earlier < number:
            then = apply(then, from_plain(json.loads(text)))
    return then.counters


def _awards(connection: Connection, link: str, names: Collection[str]) -> dict[str, Award]:
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("site_awards"), (link, list(names))).fetchall()
    return {row["id"]: award_from(row) for row in rows}


def write_site(connection: Connection, before: SiteBooks, facts: Collection[Fact]) -> SiteBooks:
    """Book the facts of a step of a locked link."""
    if not facts:
        return before
    after, entries = book_site(before, facts)
    with connection.pipeline():
        write(connection, texts_of(entries))
        keep(connection, before.state, after.state, after.tail)
    return after


def decide_at_site(
    connection: Connection,
    link: str,
    decision: Callable[[SiteBooks, Instant], Iterable[Fact]],
    *,
    at: Instant | None = None,
    place: tuple[str, int] = ("", 0),
    adjustment: str = "",
) -> Committed:
    """Lock a link, apply the rules of a site, and book the resulting facts; ``place`` is a round."""
    with connection.transaction():
        books, now = lock_site(connection, link)
        books = replace(books, state=_with_round(connection, books.state, place, adjustment))
        facts = tuple(decision(books, now if at is None else at))
        after = write_site(connection, books, facts)
    return Committed(facts=facts, state=after.state, tail=after.tail)


def _with_round(
    connection: Connection, state: LinkState, place: tuple[str, int], adjustment: str
) -> LinkState:
    """The state with every award of a round, and whether the round is void or the adjustment booked."""
    table, number = place
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("awards_of_round"), (state.link.id, table, number)).fetchall()
    names = {"link": state.link.id, "misdeal": f"{table}/{number}", "adjustment": adjustment}
    happened = {what for what, _ in connection.execute(statement("unique_events"), names).fetchall()}
    awards = {**state.awards, **{row["id"]: award_from(row) for row in rows}}
    return replace(
        state,
        awards=awards,
        misdealt=frozenset({place} if "misdeal" in happened else ()),
        adjustments=frozenset({adjustment} if "adjustment" in happened else ()),
    )


def join(
    connection: Connection, link: str, request: TwoPersonRequest, *, site: str, agreement: str, limit: Micros
) -> Committed:
    """Share a link from here on; people at the hub admit the site with the end of its chain."""

    def decide(books: SiteBooks, now: Instant) -> tuple[Fact, ...]:
        own_books = replace(books, site=site)
        joined = site_commands.join(
            own_books, request, agreement=agreement, limit=limit, hub=books.hub, at=now
        )
        nothing = HubSnapshot(
            link=link,
            site="",
            entry=0,
            hash=GENESIS,
            at=0,
            version=books.state.link.fingerprint,
            meters={},
            change="",
            open=False,
        )
        save_snapshot(connection, nothing, heard_at=0)
        return (joined,)

    return decide_at_site(connection, link, decide)


def settle(connection: Connection, link: str, request: TwoPersonRequest, *, amount: Micros) -> Committed:
    """Book an amount paid to the trust or, if negative, received from it."""
    return decide_at_site(
        connection, link, lambda books, now: (site_commands.settle(books, request, amount=amount, at=now),)
    )


def ask_to_leave(connection: Connection, link: str, request: TwoPersonRequest) -> Committed:
    """Stop play for good; the hub lets the site go once nothing is open or owed."""
    return decide_at_site(
        connection,
        link,
        lambda books, now: (site_commands.ask_to_leave(books, request, hub=books.hub, at=now),),
    )


def save_snapshot(connection: Connection, snapshot: HubSnapshot, heard_at: Instant) -> None:
    """Store the hub's snapshot for the signs; an older one changes nothing."""
    row = {
        **asdict(snapshot),
        "heard_at": heard_at,
        "is_open": snapshot.open,
        "meters": Jsonb(dict(snapshot.meters)),
    }
    connection.execute(statement("save_hub_snapshot"), row)


def allow_wagers(connection: Connection, link: str, until: Instant) -> None:
    """Set the time until which a site may take wagers, even if the bookkeeper fails."""
    connection.execute(statement("allow_wagers"), (until, link, until))


def is_idle(connection: Connection, link: str) -> bool:
    """Whether no round of a link is open at any table."""
    return connection.execute(statement("open_round_of_link"), (link,)).fetchone() is None
