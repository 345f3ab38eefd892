"""Proposals through HTTP: one person asks, a second approves exactly that, and then it is booked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Body, Request
from pydantic import Field

from feltwork.books import proposals
from feltwork.books.proposals import Proposal
from feltwork.books.standing import look
from feltwork.compliance import roles
from feltwork.compliance.roles import Deed
from feltwork.compliance.two_person import approve as approval_of
from feltwork.operations.authorize import authorize, deeds_of, refusal_of_second, verify_keyed
from feltwork.operations.context import Actor, Operation
from feltwork.operations.errors import not_allowed, unknown
from feltwork.progressive.people import Asked
from feltwork.progressive.refusal import refuse
from feltwork.web import words
from feltwork.web.answers import office
from feltwork.web.callers import SignedIn, Watcher
from feltwork.web.commands import COMMAND, AnyCommand
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Name, Reasoned

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


class Seen(words.Body):
    """What the second person has seen, by its fingerprint."""

    fingerprint: str = Field(pattern=r"^[0-9a-f]{64}$", examples=["0" * 64])


@router.get("", summary="What waits for a second person", response_model=office.Proposals)
def show_waiting(by: Watcher) -> dict[str, Any]:
    """Every proposal without an answer, the newest first."""
    return {"proposals": [_told(one) for one in proposals.waiting(by.connection)]}


@router.get("/{proposal}", summary="A proposal", response_model=office.ProposalTold)
def show(by: Watcher, proposal: Name) -> dict[str, Any]:
    """A proposal with the fingerprint that an approval must name."""
    return _told(_found(by, proposal))


@router.post("", summary="Propose a command of two people", response_model=office.Proposed)
def propose(
    request: Request,
    by: SignedIn,
    key: Key,
    asked: Annotated[AnyCommand, Body(openapi_examples=dict(_EXAMPLES))],
) -> dict[str, Any]:
    """Ask for something that takes two people. Nothing is booked until somebody else approves it."""
    body = asked.model_dump(mode="json")
    name = f"P-{key.name(by)}"
    command = proposals.command_of(name, asked.command, asked.about, body)
    authorize(by, command, waits=True)
    asked.verify_known(by.connection)
    authorize(by, command, deeds=_deeds(by, asked), waits=True)
    seconds = request.app.state.settings.proposal_seconds

    def act() -> dict[str, Any]:
        wanted = proposals.propose(by.connection, command, proposal=name, by=by.actor.id, seconds=seconds)
        return {"proposal": name, "fingerprint": wanted, "command": asked.command, "about": asked.about}

    return key.do(by, body, act, why=asked.reason)


@router.post("/{proposal}/approve", summary="Approve exactly this", response_model=office.Approved)
def approve(by: SignedIn, key: Key, proposal: Name, seen: Seen) -> dict[str, Any]:
    """Approve a proposal that somebody else made: it is booked in the same transaction, and only once."""
    waits = _found(by, proposal)
    asked = COMMAND.validate_python(waits.body)
    body = seen.model_dump()
    _verify_second(by, waits, asked)

    def act() -> dict[str, Any]:
        proposals.answer(by.connection, waits, by=by.actor.id, seen=seen.fingerprint, approved=True)
        two = Asked(by=waits.proposed_by, approved_by=by.actor.id, reason=asked.reason)
        return {
            "proposal": proposal,
            "approved_by": by.actor.id,
            "booked": asked.book(by.connection, two, proposal),
        }

    return key.do(by, body, act, why=asked.reason)


@router.post("/{proposal}/decline", summary="Decline a proposal", response_model=office.Declined)
def decline(by: SignedIn, key: Key, proposal: Name, why: Reasoned) -> dict[str, Any]:
    """Answer no, or take one's own proposal back."""
    waits = _found(by, proposal)
    own = by.actor.id == waits.proposed_by
    if not own and not roles.approving((by.actor.role,), waits.command):
        authorize(by, waits.asked)

    def act() -> dict[str, Any]:
        proposals.answer(by.connection, waits, by=by.actor.id, seen=waits.fingerprint, approved=False)
        return {"proposal": proposal, "declined_by": by.actor.id}

    return key.do(by, why.model_dump(), act, why=why.reason)


def _verify_second(by: Operation, waits: Proposal, asked: AnyCommand) -> None:
    """Raise unless proposer and caller are, today, two people who may do this together."""
    command = waits.asked
    asks = Actor(
        id=waits.proposed_by,
        name=waits.proposed_by,
        role=waits.role if waits.active else "",
        place=by.actor.place,
        keyed=True,
    )
    proposer = replace(by, actor=asks)
    deeds = _deeds(by, asked)
    if not roles.approving((by.actor.role,), waits.command):
        authorize(by, command)
    verify_keyed(by, command)
    verdict = refusal_of_second(by.actor.id, command, deeds)
    if verdict is not None:
        raise not_allowed(verdict, where=f"proposal {waits.id}")
    if by.actor.id == waits.proposed_by:
        where, what = f"proposal {waits.id}", f"{by.actor.id} cannot approve their own command"
        raise refuse(where, what, "ask a second person", "GEN-19")
    authorize(proposer, command, deeds=deeds, approvals=[approval_of(command, by.actor.id, (by.actor.role,))])


def _deeds(by: Operation, asked: AnyCommand) -> list[Deed]:
    if asked.command != "reverse":
        return []
    award = look(by.connection, asked.link).state.awards.get(asked.award)
    if award is None:
        raise unknown(f"{asked.link}, award {asked.award}")
    return deeds_of(by.connection, asked.link, award)


def _found(by: Operation, name: str) -> Proposal:
    found = proposals.find(by.connection, name)
    if found is None:
        raise unknown(f"proposal {name}")
    return found


def _told(waits: Proposal) -> dict[str, Any]:
    return {
        "proposal": waits.id,
        "command": waits.command,
        "about": waits.about,
        "body": dict(waits.body),
        "fingerprint": waits.fingerprint,
        "proposed_by": waits.proposed_by,
        "answered_by": waits.answered_by,
        "approved": waits.approved,
        "lapsed": waits.lapsed,
    }
