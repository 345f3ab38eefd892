"""Proposals through HTTP: one person asks, a second approves exactly that, and then it is booked."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body
from pydantic import Field

from feltwork.operations.people import proposals
from feltwork.operations.people.proposals import (
    Approve,
    ApprovedView,
    Decline,
    DeclinedView,
    ProposalsView,
    ProposalView,
    Propose,
    ProposedView,
)
from feltwork.operations.two_person import AnyCommand
from feltwork.web import fields
from feltwork.web.fields import Name, ReasonBody
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/proposals", tags=["two people"], responses={**REFUSALS})

_EXAMPLES: Mapping[str, Any] = {
    "open": {"value": {"command": "open_link", "link": "crazy4", "reason": "approved by the regulator"}},
    "adjust": {
        "value": {
            "command": "adjust",
            "link": "crazy4",
            "reason": "the display had lost a digit",
            "adjustment": "ADJ-2024-001",
            "lawful_reason": "MALFUNCTION_CORRECTION",
            "pool": "meter",
            "level": "jackpot",
            "after": 12_000_000_000,
            "evidence": "incident 17",
        }
    },
    "add somebody": {
        "value": {
            "command": "manage_people",
            "act": "add",
            "person": "gus",
            "name": "Gus",
            "role": "dealer",
            "badge": "B-51",
            "reason": "begins on Monday",
        }
    },
    "let somebody have a PIN": {
        "value": {
            "command": "manage_people",
            "act": "grant_secret",
            "person": "gus",
            "what": "PIN",
            "reason": "begins on Monday",
        }
    },
    "reverse": {
        "value": {
            "command": "reverse",
            "link": "crazy4",
            "reason": "the deck was short",
            "award": "A-7f3c",
            "adjustment": "REV-2024-001",
            "evidence": "surveillance, camera 12",
        }
    },
}


class SeenProposal(fields.Body):
    """What the second person has seen, by its fingerprint."""

    fingerprint: str = Field(pattern=r"^[0-9a-f]{64}$", examples=["0" * 64])


@router.get("", summary="What waits for a second person")
def show_waiting(by: SignedIn) -> ProposalsView:
    """Every proposal without an answer, the newest first."""
    return proposals.waiting(by)


@router.get("/{proposal}", summary="A proposal")
def show(by: SignedIn, proposal: Name) -> ProposalView:
    """A proposal with the fingerprint that an approval must name."""
    return proposals.proposal(by, proposal)


@router.post("", summary="Propose a command of two people")
def propose(
    by: SignedIn, key: Key, asked: Annotated[AnyCommand, Body(openapi_examples=dict(_EXAMPLES))]
) -> ProposedView:
    """Ask for something that takes two people. Nothing is booked until somebody else approves it."""
    return key.run(by, proposals.propose, Propose(command=asked))


@router.post("/{proposal}/approve", summary="Approve exactly this")
def approve(by: SignedIn, key: Key, proposal: Name, seen: SeenProposal) -> ApprovedView:
    """Approve a proposal that somebody else made: it is booked in the same transaction, and only once."""
    return key.run(by, proposals.approve, Approve(proposal=proposal, fingerprint=seen.fingerprint))


@router.post("/{proposal}/decline", summary="Decline a proposal")
def decline(by: SignedIn, key: Key, proposal: Name, why: ReasonBody) -> DeclinedView:
    """Answer no, or take one's own proposal back."""
    return key.run(by, proposals.decline, Decline(proposal=proposal, reason=why.reason))
