"""Proposals over HTTP: one person proposes, a second approves exactly that, and it is posted."""

from feltwork.site.books.people import proposals
from feltwork.site.books.people.proposals import (
    Approve,
    ApprovedView,
    Decline,
    DeclinedView,
    ProposalsView,
    ProposedView,
)
from feltwork.site.books.people.waiting_proposals import ProposalView
from feltwork.site.books.two_person import AnyCommand
from feltwork.site.web.fields import Name
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/proposals", tags=["two people"], responses={**REFUSALS})


@router.get("", summary="Open proposals")
def show_waiting(by: SignedIn, page: Paged) -> ProposalsView:
    """Every open proposal, newest first."""
    view = proposals.waiting(by)
    return page.of(view, "proposals", view.proposals, lambda proposal: proposal.proposal)


@router.get("/{proposal}", summary="A proposal")
def show(by: SignedIn, proposal: Name) -> ProposalView:
    """A proposal with the fingerprint an approval needs."""
    return proposals.proposal(by, proposal)


@router.post("", summary="Propose a two-person command")
def propose(by: SignedIn, key: Key, command: AnyCommand) -> ProposedView:
    """Propose a two-person command; nothing is posted until someone else approves."""
    return key.run(by, proposals.propose, command)


@router.post("/{proposal}/approve", summary="Approve a proposal")
def approve(by: SignedIn, key: Key, proposal: Name, body: Approve) -> ApprovedView:
    """Approve someone else's proposal; it is posted once, in the same transaction."""
    return key.run(by, proposals.approve, proposal, body)


@router.post("/{proposal}/decline", summary="Decline a proposal")
def decline(by: SignedIn, key: Key, proposal: Name, body: Decline) -> DeclinedView:
    """Decline a proposal, or withdraw your own."""
    return key.run(by, proposals.decline, proposal, body)
