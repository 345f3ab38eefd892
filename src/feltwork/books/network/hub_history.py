"""The hub's members and open awards as they were after an entry, for statements."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from feltwork.books.connection import Connection
from feltwork.books.journal.link_state import read_meters
from feltwork.books.network.sum_rows import last_sum
from feltwork.books.queries import statement
from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive.fact_serializer import from_plain
from feltwork.progressive.facts import Claimed, Confirmed, Fact, Locked, Released, Voided
from feltwork.progressive.network.facts import HandedOver, Joined, ReversalReceived
from feltwork.progressive.network.hub_books import HUB_KINDS, HubBooks, NetworkMember, after_fact

_KINDS = sorted({*HUB_KINDS, Voided.__name__})


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedAward:
    """An award that is locked, and neither void nor handed over."""

    site: str
    amount: Micros = 0
    confirmed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PastHub:
    """The hub after an entry; the link's own state is the current one."""

    books: HubBooks
    #: Site -> the entry at which its membership began, and the member at that time.
    began: Mapping[str, tuple[int, NetworkMember]]
    open: Mapping[str, LockedAward]


def joined_at(connection: Connection, link: str, site: str) -> datetime | None:
    """The time a site first joined."""
    (moment,) = connection.execute(statement("joined_at"), (link, site)).fetchone() or (None,)
    return moment  # type: ignore[no-any-return]


def hub_after(connection: Connection, link: str, entry: int) -> PastHub:
    """Fold the hub's entries up to one of them; the sums are read from their rows."""
    state = read_meters(connection, link).state
    books = HubBooks(state=state)
    began: dict[str, tuple[int, NetworkMember]] = {}
    awards: dict[str, LockedAward] = {}
    rows = connection.execute(statement("hub_facts_until"), (link, _KINDS, entry))
    for number, hash_, text in rows.fetchall():
        fact = from_plain(json.loads(text))
        if not isinstance(fact, Voided):
            books = after_fact(books, fact, Tail(number, hash_))
        if isinstance(fact, Joined):
            began[fact.site] = (number, books.members[fact.site])
        _follow(awards, fact)
    members = dict(books.members)
    for site, (since, _) in began.items():
        last = last_sum(connection, state.link, site, since=since, until=entry)
        if last is not None:
            members[site] = replace(members[site], sum=last)
    row = connection.execute(statement("hash_of_entry"), (link, entry)).fetchone()
    tail = Tail(entry, row[0]) if row else Tail()
    return PastHub(books=replace(books, members=members, tail=tail), began=began, open=awards)


def _follow(awards: dict[str, LockedAward], fact: Fact) -> None:
    match fact:
        case Claimed():
            awards[fact.award] = LockedAward(site=fact.table)
        case Locked():
            amount = fact.from_meter + fact.from_house
            awards[fact.award] = replace(awards[fact.award], amount=amount)
        case Released():
            awards[fact.award] = replace(awards[fact.award], amount=0)
        case Confirmed():
            awards[fact.award] = replace(awards[fact.award], confirmed=True)
        case Voided() | HandedOver() | ReversalReceived():
            awards.pop(fact.award, None)
