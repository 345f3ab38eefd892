"""Commands of people at a hub: members, settlements, large awards and new versions, each one transaction."""

from collections.abc import Callable, Collection, Iterable

from feltwork.books.connection import Connection
from feltwork.books.journal.transaction import Committed
from feltwork.books.links.links import register_version
from feltwork.books.network.aggregator_store import refuse_at_aggregator
from feltwork.books.network.hub_store import StoredHistory, aggregator_links, lock_hub, write_step
from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive.facts import Fact, Instant
from feltwork.progressive.link import Link
from feltwork.progressive.network import hub_commands, versions
from feltwork.progressive.network.facts import Joined
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.network.messages import SettleUp
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest

_ABOVE = "the hub above keeps the meters, awards and versions of an aggregator's link"
_ASK = "ask the people of the hub"


def admit(
    connection: Connection, application: Joined, request: TwoPersonRequest, *, version: str, tail: Tail
) -> Committed:
    """Admit a site with a version of the link; ``application`` is its own entry, ``tail`` its chain's end."""

    def decide(books: HubBooks, at: Instant) -> tuple[Fact, ...]:
        link, below = _version(books, version), aggregator_links(connection).get(application.link, "")
        joined = hub_commands.admit(
            books, request, application=application, link=link, tail=tail, at=at, below=below
        )
        return (joined,)

    return _decide(connection, application.link, decide)


def release(connection: Connection, link: str, request: TwoPersonRequest, *, site: str) -> Committed:
    """Release a site whose last sum is booked, with no open award and nothing owed."""
    what = "an aggregator does not know whether a site's award is open, so no site can leave"
    refuse_at_aggregator(connection, link, what, "to stop a site, lower its limit")

    def decide(books: HubBooks, at: Instant) -> tuple[Fact, ...]:
        member = books.members.get(site)
        if member is None:
            raise refuse(f"link {link}, site {site}", "it is not a member", "check its name", "GEN-18")
        return (hub_commands.release(books, request, site=site, last=member.sum, at=at),)

    return _decide(connection, link, decide)


def receive_settlement(
    connection: Connection, link: str, request: TwoPersonRequest, *, site: str, number: int, amount: Micros
) -> Committed:
    """Book a settlement once the trust's bank shows it."""
    announced = SettleUp(link=link, site=site, number=number, amount=amount)
    return _decide(
        connection,
        link,
        lambda books, at: (hub_commands.receive_settlement(books, announced, request, at=at),),
    )


def change_limit(
    connection: Connection, link: str, request: TwoPersonRequest, *, site: str, limit: Micros
) -> Committed:
    """Change the amount that a site may owe."""
    return _decide(
        connection,
        link,
        lambda books, at: (hub_commands.change_limit(books, request, site=site, limit=limit, at=at),),
    )


def readmit_site(
    connection: Connection, link: str, request: TwoPersonRequest, *, site: str, end: Tail
) -> Committed:
    """Accept messages again from a site whose books rolled back; ``end`` is the end of its chain now."""
    return _decide(
        connection,
        link,
        lambda books, at: (hub_commands.readmit_site(books, request, site=site, end=end, at=at),),
    )


def reopen_hub(connection: Connection, link: str, request: TwoPersonRequest, *, seen_tail: Tail) -> Committed:
    """Serve sites again once the books have the entry that a site has seen."""
    refuse_at_aggregator(connection, link, _ABOVE, "ask the people of the hub, or use reopen_site")
    history = StoredHistory(link)
    history.connection = connection
    return _decide(
        connection,
        link,
        lambda books, at: (
            hub_commands.reopen_hub(books, request, seen_tail=seen_tail, history=history, at=at),
        ),
    )


def countersign(
    connection: Connection, link: str, *, award: str, executive: str, amount: Micros | None = None
) -> Committed:
    """Book that an executive of the hub agrees to a large award as it is locked now."""
    refuse_at_aggregator(connection, link, _ABOVE, _ASK)
    return _decide(
        connection,
        link,
        lambda books, at: (
            hub_commands.countersign(books, award=award, executive=executive, amount=amount, at=at),
        ),
    )


def propose_change(connection: Connection, new: Link, request: TwoPersonRequest) -> Committed:
    """Register a version, propose it to the sites and suspend play until they are ready."""
    refuse_at_aggregator(connection, new.id, _ABOVE, _ASK)
    with connection.transaction():
        register_version(connection, new, by=request.by)
        return _decide(connection, new.id, lambda books, at: versions.propose(books, new, request, at=at))


def drop_change(connection: Connection, link: str, request: TwoPersonRequest) -> Committed:
    """Withdraw a proposed version."""
    refuse_at_aggregator(connection, link, _ABOVE, _ASK)
    return _decide(connection, link, lambda books, at: versions.drop(books, request, at=at))


def proceed_without(
    connection: Connection, link: str, sites: Collection[str], request: TwoPersonRequest
) -> Committed:
    """Let a version take effect without the sites that are not ready."""
    refuse_at_aggregator(connection, link, _ABOVE, _ASK)
    return _decide(connection, link, lambda books, at: versions.proceed_without(books, sites, request, at=at))


def _version(books: HubBooks, fingerprint: str) -> Link:
    version = books.state.versions.get(fingerprint)
    if version is None:
        where = f"link {books.state.link.id}, version {fingerprint[:12]}"
        raise refuse(where, "the hub does not know it", "apply the hub's version at the site", "GEN-18")
    return version


def _decide(
    connection: Connection, link: str, decision: Callable[[HubBooks, Instant], Iterable[Fact]]
) -> Committed:
    with connection.transaction():
        books, now = lock_hub(connection, link)
        facts = tuple(decision(books, now))
        after = write_step(connection, books, facts)
    return Committed(facts=facts, state=after.state, tail=after.tail)
