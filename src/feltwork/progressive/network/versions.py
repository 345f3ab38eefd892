"""A new version of a network link: proposed by two people, ready at every site, in effect at one entry."""

from collections.abc import Collection

from feltwork.progressive.facts import Cured, Fact, Instant, Stopped
from feltwork.progressive.life_cycle import reconfigure
from feltwork.progressive.link import Link
from feltwork.progressive.network.facts import ChangeDropped, ChangeProposed, ProceededWithout
from feltwork.progressive.network.hub_books import HubBooks
from feltwork.progressive.refusal import refuse
from feltwork.progressive.sign_offs import TwoPersonRequest, verify_asked

_CAUSE = "suspended"


def propose(books: HubBooks, new: Link, request: TwoPersonRequest, *, at: Instant) -> tuple[Fact, ...]:
    """Propose a version and suspend play until every site is ready for it [GEN-06]."""
    link = books.state.link
    where = f"link {link.id}"
    verify_asked(where, request, "GEN-19")
    if books.change is not None:
        raise refuse(where, "a version is proposed already", "drop that one first", "GEN-06")
    if (new.id, new.level_names) != (link.id, link.level_names) or new.network is None:
        raise refuse(
            where, "the id or the levels differ, or it is not a network link", "create a new link", "GEN-06"
        )
    if new.fingerprint not in books.state.versions or new.fingerprint == link.fingerprint:
        raise refuse(where, "the version is unknown or in effect", "apply its floor file first", "GEN-06")
    proposed = ChangeProposed(
        link=link.id,
        at=at,
        version=new.fingerprint,
        reason=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )
    if _CAUSE in books.state.stops:
        return (proposed,)
    return proposed, Stopped(link=link.id, at=at, cause=_CAUSE, reason=request.reason, by=request.by)


def drop(books: HubBooks, request: TwoPersonRequest, *, at: Instant) -> tuple[Fact, ...]:
    """Withdraw a proposal; the current version stays in effect."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if books.change is None:
        raise refuse(where, "no version is proposed", "there is nothing to drop", "GEN-06")
    dropped = ChangeDropped(
        link=books.state.link.id,
        at=at,
        version=books.change.version,
        reason=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )
    return dropped, _resumed(books, request, at)


def not_ready(books: HubBooks) -> tuple[str, ...]:
    """The sites that a proposed version waits for."""
    if books.change is None:
        return ()
    return tuple(member.site for member in books.active if member.site not in books.change.ready)


def proceed_without(
    books: HubBooks, sites: Collection[str], request: TwoPersonRequest, *, at: Instant
) -> tuple[Fact, ...]:
    """Let the version take effect without some sites; they stay stopped until they have adopted it."""
    where = f"link {books.state.link.id}"
    verify_asked(where, request, "GEN-19")
    if books.change is None or set(sites) != set(not_ready(books)):
        site_names = ", ".join(not_ready(books)) or "none"
        raise refuse(
            where, "the sites named are not exactly those that are not ready", f"name: {site_names}", "GEN-06"
        )
    without = ProceededWithout(
        link=books.state.link.id,
        at=at,
        version=books.change.version,
        sites=",".join(sorted(sites)),
        by=request.by,
        approved_by=request.approved_by,
    )
    changed = take_effect(books, at)
    if not changed:
        raise refuse(where, "an award is open", "confirm and pay it, or void it", "GEN-06")
    return without, *changed


def take_effect(books: HubBooks, at: Instant) -> tuple[Fact, ...]:
    """Book the proposed version and resume play; do nothing while an award is open."""
    change = books.change
    assert change is not None, "no version is proposed"
    if any(award.status in ("claimed", "confirmed") for award in books.state.awards.values()):
        return ()
    request = TwoPersonRequest(by=change.by, approved_by=change.approved_by, reason=change.reason)
    new = books.state.versions[change.version]
    _, reconfigured = reconfigure(books.state, new, request, rounds=(), at=at)
    return reconfigured, _resumed(books, request, at)


def _resumed(books: HubBooks, request: TwoPersonRequest, at: Instant) -> Cured:
    return Cured(
        link=books.state.link.id,
        at=at,
        cause=_CAUSE,
        evidence=request.reason,
        by=request.by,
        approved_by=request.approved_by,
    )
