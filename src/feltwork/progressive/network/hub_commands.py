"""People's commands at the hub of a network link: members, settlements and large awards."""

from feltwork import money
from feltwork.ledger.chain import Tail
from feltwork.money import Micros
from feltwork.progressive.facts import Cured, Instant
from feltwork.progressive.life_cycle import verify_target
from feltwork.progressive.link import Link
from feltwork.progressive.network.facts import (
    Countersigned,
    Joined,
    Left,
    LimitChanged,
    SettlementReceived,
    SiteCured,
)
from feltwork.progressive.network.hub_books import HubBooks, HubHistory, NetworkMember
from feltwork.progressive.network.messages import SettleUp, SiteSum
from feltwork.progressive.network.terms import LONGEST_SITE
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest, verify_asked, verify_told

_ROLLED_BACK = "rolled_back"


def admit(  # noqa: PLR0913 - what an agreement consists of
    books: HubBooks,
    request: TwoPersonRequest,
    *,
    application: Joined,
    link: Link,
    tail: Tail,
    at: Instant,
    below: str = "",
) -> Joined:
    """Admit a site with the same link version; ``application`` is its own entry, ``tail`` its chain's end.

    ``below`` is the aggregator that admits it and ends its name, so site names are unique in a network.
    """
    site = application.site
    where = f"link {books.state.link.id}, site {site}"
    verify_asked(where, request, "GEN-19")
    verify_told(where, "GEN-18", agreement=application.agreement)
    verify_target(link, books.state.link)
    if link.fingerprint != books.state.link.fingerprint:
        raise refuse(where, "it has another version of the link", "apply the hub's version", "GEN-18")
    if ":" in site or not 0 < len(site) <= LONGEST_SITE:
        raise refuse(where, f"a site has a name of 1 to {LONGEST_SITE} letters", "rename it", "GEN-18")
    if site.partition("@")[2] != below:
        name = f"NAME@{below}" if below else "a name without @, which is for sites below an aggregator"
        raise refuse(where, "that name is not valid for a site here", f"rename it: {name}", "GEN-18")
    proposed = books.change is not None or (books.state.hub is not None and books.state.hub.change)
    if proposed or (site in books.members and not books.members[site].left):
        raise refuse(
            where,
            "it is already a member, or a new version is proposed",
            "if it is a member, no action is needed; "
            "otherwise wait until the version takes effect or is dropped",
            "GEN-18",
        )
    return Joined(
        link=books.state.link.id,
        at=at,
        site=site,
        agreement=application.agreement,
        limit=application.limit,
        entry=tail.number,
        hash=tail.hash,
        by=request.by,
        approved_by=request.approved_by,
    )


def release(books: HubBooks, request: TwoPersonRequest, *, site: str, last: SiteSum, at: Instant) -> Left:
    """Release a site once its last sum is booked, no award is open and nothing is owed."""
    member = _member(books, site)
    where = f"link {books.state.link.id}, site {site}"
    verify_asked(where, request, "GEN-19")
    if last.passed != member.sum.passed or last.entry < member.sum.entry:
        raise refuse(
            where, "its last sum is not booked", "wait until the hub has booked it, then try again", "GEN-18"
        )
    if books.has_open_award(site):
        raise refuse(where, "an award is open", "pay or void it first", "GEN-18")
    if member.owes:
        raise refuse(where, f"it owes {money.dollars(member.owes)}", "settle to zero first", "GEN-18")
    return Left(
        link=books.state.link.id,
        at=at,
        site=site,
        entry=member.sum.entry,
        hash=member.sum.hash,
        by=request.by,
        approved_by=request.approved_by,
    )


def receive_settlement(
    books: HubBooks, announced: SettleUp, request: TwoPersonRequest, *, at: Instant
) -> SettlementReceived:
    """Book a site's settlement once it is on the trust's bank account."""
    member = _member(books, announced.site)
    where = f"link {books.state.link.id}, site {announced.site}"
    verify_asked(where, request, "GEN-19")
    if announced.number != member.settlements + 1:
        what = f"its last settlement is number {member.settlements}"
        raise refuse(where, what, "every settlement is booked once", "GEN-18")
    return SettlementReceived(
        link=books.state.link.id,
        at=at,
        site=announced.site,
        number=announced.number,
        amount=announced.amount,
        by=request.by,
        approved_by=request.approved_by,
    )


def countersign(
    books: HubBooks, *, award: str, executive: str, at: Instant, amount: Micros | None = None
) -> Countersigned:
    """Countersign a large award for an executive of the hub, at its current lock or at the amount seen."""
    grant = books.grants.get(award)
    where = f"{books.state.link.id}, award {award}"
    if grant is not None and amount not in (None, books.state.awards[award].amount):
        what = f"{money.dollars(books.state.awards[award].amount)} is locked for it now"
        raise refuse(where, what, "check the new amount, then sign it", "LT-03")
    if grant is None:
        raise refuse(where, "nothing is locked for it", "check the list of open claims", "LT-03")
    return Countersigned(
        link=books.state.link.id, at=at, award=award, grant=grant.number, executive=executive
    )


def change_limit(
    books: HubBooks, request: TwoPersonRequest, *, site: str, limit: Micros, at: Instant
) -> LimitChanged:
    """Change the most that a site may owe; a stop for owing too much is set or lifted automatically."""
    member = _member(books, site)
    where = f"link {books.state.link.id}, site {site}"
    verify_asked(where, request, "GEN-19")
    if limit == member.limit:
        raise refuse(where, "it has that limit already", "there is nothing to change", "GEN-18")
    return LimitChanged(
        link=books.state.link.id,
        at=at,
        site=site,
        limit=limit,
        reason=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )


def readmit_site(
    books: HubBooks, request: TwoPersonRequest, *, site: str, end: Tail, at: Instant
) -> SiteCured:
    """Accept messages again from a site whose books rolled back; ``end`` is the current end of its chain.

    Only the cure is booked. A sum covers everything since the site joined, so the next sum books what is
    missing and nothing twice, once the site's books have every round again. A sum that still contradicts the
    one booked here stops the site again.
    """
    member = _member(books, site)
    where = f"link {books.state.link.id}, site {site}"
    verify_asked(where, request, "GEN-19")
    if _ROLLED_BACK not in member.stops:
        raise refuse(where, "its books did not roll back", "there is nothing to readmit", "GEN-18")
    known = member.sum
    if end.number < known.entry or (end.number == known.entry and end.hash != known.hash):
        what = f"its books end at entry {end.number}, and its sum at entry {known.entry} is booked here"
        remedy = "book the missing rounds at the site again, or let it settle, leave and join again"
        raise refuse(where, what, remedy, "GEN-18")
    return SiteCured(
        link=books.state.link.id,
        at=at,
        site=site,
        cause=_ROLLED_BACK,
        evidence=f"{request.reason}; its books end at entry {end.number}, {end.hash}",
        by=request.by,
        approved_by=request.approved_by,
    )


def reopen_hub(
    books: HubBooks, request: TwoPersonRequest, *, seen_tail: Tail, history: HubHistory, at: Instant
) -> Cured:
    """Serve sites again after the hub's own books rolled back, once they have the entry that a site has seen.

    Lost entries are restored, never re-created: sites have acted on their awards and settlements.
    """
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if _ROLLED_BACK not in books.state.stops:
        raise refuse(where, "its books did not roll back", "there is nothing to reopen", "GEN-18")
    if seen_tail.number > books.tail.number or history.hash_at(seen_tail.number) != seen_tail.hash:
        what = f"its books do not have entry {seen_tail.number}, {seen_tail.hash[:12]}, which a site has seen"
        raise refuse(where, what, "restore them from a standby or from the archive first", "GEN-18")
    return Cured(
        link=books.state.link.id,
        at=at,
        cause=_ROLLED_BACK,
        evidence=f"{request.reason}; entry {seen_tail.number}, {seen_tail.hash}, is there",
        by=request.by,
        approved_by=request.approved_by,
    )


def _member(books: HubBooks, site: str) -> NetworkMember:
    member = books.members.get(site)
    if member is None or member.left:
        where = f"link {books.state.link.id}, site {site}"
        raise refuse(where, "it is not a member", f"choose from: {', '.join(books.members)}", "GEN-18")
    return member
