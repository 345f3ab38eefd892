"""The hub's messages, read only from its books.

The same request gets the same answer the first time, on a retry, or from a promoted standby.
"""

from typing import Any

from feltwork.progressive.facts import Instant
from feltwork.progressive.network import messages as m
from feltwork.progressive.network.hub_books import HubBooks, NetworkMember
from feltwork.progressive.state import Award


def replies(
    before: HubBooks,
    after: HubBooks,
    at: Instant,
    *,
    message: m.Up | None = None,
    show: bool = False,
    report: bool = False,
) -> tuple[m.Down, ...]:
    """Return the messages to send after the commit: the answer, changed grants, and messages that are due."""
    sent: list[m.Down] = []
    if message is not None:
        sent += answer(after, message)
    if after.grants is not before.grants:
        message_award = getattr(message, "award", "")
        sent += [
            grant_of(after, after.state.awards[award])
            for award, tail in after.grants.items()
            if before.grants.get(award) != tail and award != message_award
        ]
    if show:
        sent.append(snapshot(after, at))
    if report:
        sent += [booked(after, member) for member in after.active]
    return tuple(sent)


def answer(books: HubBooks, message: m.Up) -> tuple[m.Down, ...]:
    """Return the answer to a message, only from the books; none while the site has to wait."""
    member = books.members.get(message.site)
    if member is None or message.link != books.state.link.id:
        return ()
    match message:
        case m.SiteSum():
            return (booked(books, member),) if member.left else ()
        case m.ReadyUp():
            return ()
        case m.SettleUp():
            known = message.number <= member.settlements
            return (m.SettledDown(**_from(books, message.site), number=message.number),) if known else ()
        case m.ClaimUp() | m.ConfirmUp() | m.VoidUp() | m.PaidUp() | m.ReverseUp():
            return _answer_award(books, message)


def _answer_award(
    books: HubBooks, message: m.ClaimUp | m.ConfirmUp | m.VoidUp | m.PaidUp | m.ReverseUp
) -> tuple[m.Down, ...]:
    name, end = message.award, _from(books, message.site)
    award = books.state.awards.get(name)
    if undone := _undone(books, name, award, end):
        return undone
    if award is None:
        reason = why_refused(books, message) if isinstance(message, m.ClaimUp) else ""
        return (m.RefusedDown(**end, award=name, reason=reason),) if reason else ()
    if isinstance(message, m.PaidUp):
        return (m.HandedOverDown(**end, award=name, amount=award.amount),) if award.status == "paid" else ()
    if award.status in ("confirmed", "paid"):
        return (m.ConfirmedDown(**end, award=name, amount=award.amount),)
    if isinstance(message, m.ConfirmUp) and message.grant == books.grants[name].number:
        return ()
    return (grant_of(books, award),)


def _undone(books: HubBooks, name: str, award: Award | None, end: dict[str, Any]) -> tuple[m.Down, ...]:
    """Return the answer for a cleared claim or a reversed award."""
    if name in books.barred or (award is not None and award.status == "voided"):
        return (m.VoidedDown(**end, award=name),)
    if award is not None and award.status == "reversed":
        return (m.ReversedDown(**end, award=name, amount=award.amount),)
    return ()


def grant_of(books: HubBooks, award: Award) -> m.GrantDown:
    """Return the grant of a locked, unconfirmed award."""
    tail = books.grants[award.id]
    return m.GrantDown(
        link=books.state.link.id,
        site=award.table,
        entry=tail.number,
        hash=tail.hash,
        award=award.id,
        level=award.level,
        amount=award.amount,
    )


def snapshot(books: HubBooks, at: Instant) -> m.HubSnapshot:
    """Return the snapshot that every sign of the network shows."""
    state = books.state
    return m.HubSnapshot(
        **_from(books, ""),
        at=at,
        version=state.link.fingerprint,
        meters={level: state.meter(level) for level in state.link.level_names},
        change=books.change.version if books.change else "",
        open=state.takes_wagers,
    )


def booked(books: HubBooks, member: NetworkMember) -> m.BookedDown:
    """Return the report of a site's bookings."""
    return m.BookedDown(
        **_from(books, member.site),
        booked_entry=member.sum.entry,
        booked_hash=member.sum.hash,
        passed=member.sum.passed,
        stops=tuple(member.stops),
        left=member.left,
        grants={
            award: tail.number
            for award, tail in books.grants.items()
            if books.state.awards[award].table == member.site
        },
    )


def _from(books: HubBooks, site: str) -> dict[str, Any]:
    return {"link": books.state.link.id, "site": site, "entry": books.tail.number, "hash": books.tail.hash}


def why_refused(books: HubBooks, claim: m.ClaimUp) -> str:
    """Return the reason why nothing can be locked for a claim, or an empty string."""
    state = books.state
    row = state.link.row(claim.hand)
    if "rolled_back" in books.members[claim.site].stops:
        return "the site's books rolled back"
    if claim.version != state.link.fingerprint:
        return "the claim uses another version of the link"
    return "" if row is not None and state.link.takes_from_meter(row) else "no meter pays the hand"
