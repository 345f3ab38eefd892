"""Proposals: one person proposes a command, a second approves it, and it is carried out."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize, verify_person, verify_second
from feltwork.site.books.context import Actor, Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Statement, with_example
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.people.waiting_proposals import Proposal, ProposalView
from feltwork.site.books.two_person import TwoPersonCommand, parse_command
from feltwork.site.books.two_person.outcomes import Outcome
from feltwork.site.compliance import roles
from feltwork.site.compliance.two_person import Command
from feltwork.site.compliance.two_person import approve as approval_of
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalsView:
    """The proposals that wait for a second person, newest first."""

    proposals: Sequence[ProposalView]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalForReader(ProposalView):
    """A proposal for a page, and whether the reader may approve it."""

    says: str
    requirement: str
    may_approve: bool
    own: bool
    #: Current amount that the command would change; None if it changes none.
    now: int | None
    #: The amount if the command were carried out now.
    result: int | None


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedView:
    """An open proposal; the approval must name its fingerprint."""

    proposal: str
    fingerprint: str
    command: str
    about: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovedView:
    """An approved proposal, and its outcome."""

    proposal: str
    approved_by: str
    booked: Outcome


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class DeclinedView:
    """A declined proposal."""

    proposal: str
    declined_by: str


@validated(config=COMMAND, frozen=True, kw_only=True)
class Approve:
    """Approve exactly the command with this fingerprint."""

    fingerprint: str = Field(pattern=r"^[0-9a-f]{64}$", examples=["0" * 64])


@validated(config=COMMAND, frozen=True, kw_only=True)
class Decline:
    """Decline a proposal, or withdraw one's own."""

    reason: Statement = Field(examples=["Exposed card"])


def waiting(op: Operation) -> ProposalsView:
    """List every proposal without an answer, newest first."""
    authorize(op, Command(name="watch", about=""))
    return ProposalsView(proposals=proposals.waiting(op.connection))


def proposal(op: Operation, name: str) -> Proposal:
    """Show a proposal with the fingerprint that an approval must name."""
    authorize(op, Command(name="watch", about=name))
    return _found(op, name)


def waiting_for(op: Operation) -> list[ProposalForReader]:
    """List open proposals with the actor's permissions."""
    authorize(op, Command(name="watch", about=""))
    return [_for_reader(op, proposal) for proposal in proposals.waiting(op.connection)]


def propose(op: Operation, command: TwoPersonCommand) -> ProposedView:
    """Store a command until a second person answers; nothing is booked before then."""
    # Without a key from the caller, use a random one: two proposals must never share a name.
    op = replace(op, key=op.key or secrets.token_hex(16))
    name, body = f"P-{op.thing()}", _body(command)
    asked = proposals.command_of(name, command.command, command.about, body)
    authorize(op, asked, waits=True)
    command.verify_known(op.connection)
    authorize(op, asked, deeds=command.deeds(op.connection), waits=True)

    def act() -> ProposedView:
        now = _body(command.as_proposed(op.connection))
        if basis := command.basis(op.connection):
            now["proposed_for"] = basis
        fingerprint = proposals.propose(
            op.connection,
            proposals.command_of(name, command.command, command.about, now),
            proposal=name,
            by=op.actor.id,
            seconds=op.policy.proposal_seconds,
        )
        return ProposedView(
            proposal=name, fingerprint=fingerprint, command=command.command, about=command.about
        )

    return op.perform(body, ProposedView, act, why=command.reason)


def approve(op: Operation, proposal: str, command: Approve) -> ApprovedView:
    """Approve another person's proposal and carry it out in the same transaction, once."""
    verify_person(op, "approve a proposal")
    waits = _found(op, proposal)
    action = parse_command(waits.body)
    _verify_two(op, waits, action)

    def act() -> dict[str, Any]:
        proposals.answer(op.connection, waits, by=op.actor.id, digest=command.fingerprint, approved=True)
        _verify_unchanged(op, waits, action)
        request = TwoPersonRequest(by=waits.proposed_by, approved_by=op.actor.id, reason=action.reason)
        return {
            "proposal": proposal,
            "approved_by": op.actor.id,
            "booked": action.carry_out(op, request, proposal),
        }

    record = op.perform({"proposal": proposal, **asdict(command)}, dict[str, Any], act, why=action.reason)
    outcome = action.carry_out.__annotations__["return"]
    return ApprovedView(**{**record, "booked": msgspec.convert(record["booked"], outcome, strict=False)})


def decline(op: Operation, proposal: str, command: Decline) -> DeclinedView:
    """Decline a proposal, or withdraw one's own."""
    verify_person(op, "decline a proposal")
    waits = _found(op, proposal)
    own = op.actor.id == waits.proposed_by
    if not own and not roles.approving((op.actor.role,), waits.command):
        authorize(op, waits.asked)

    def act() -> DeclinedView:
        proposals.answer(op.connection, waits, by=op.actor.id, digest=waits.fingerprint, approved=False)
        return DeclinedView(proposal=proposal, declined_by=op.actor.id)

    return op.perform({"proposal": proposal, **asdict(command)}, DeclinedView, act, why=command.reason)


def carry_out_together(op: Operation, second: Actor, command: TwoPersonCommand) -> Outcome:
    """Propose and approve a command for two people who are both present; a refusal withdraws the proposal."""
    proposal = propose(op, command)
    name = proposal.proposal
    try:
        approval = Approve(fingerprint=proposal.fingerprint)
        return approve(replace(op, actor=second, token=""), name, approval).booked
    except Exception:
        # The caller's key is taken: this is the second request of the same person.
        decline(replace(op, key=""), name, Decline(reason="it was refused when it was to be carried out"))
        raise


def _verify_two(op: Operation, proposal: Proposal, action: TwoPersonCommand) -> None:
    """Raise unless proposer and actor are two people who may, as of now, do this together."""
    verify_second(op, proposal.asked, ())
    deeds = action.deeds(op.connection)
    verify_second(op, proposal.asked, deeds)
    if op.actor.id == proposal.proposed_by:
        what = Sentence("%(person)s cannot approve their own proposal", person=op.actor.id)
        raise refuse(f"proposal {proposal.proposal}", what, "ask a second person", "GEN-19")
    proposer = Actor(
        id=proposal.proposed_by,
        name=proposal.proposed_by,
        role=proposal.role if proposal.active else "",
        place=op.actor.place,
        # The security key was required when it was proposed.
        keyed=True,
    )
    approval = approval_of(proposal.asked, op.actor.id, (op.actor.role,))
    authorize(replace(op, actor=proposer), proposal.asked, deeds=deeds, approvals=[approval])


def _verify_unchanged(op: Operation, proposal: Proposal, action: TwoPersonCommand) -> None:
    """Raise if what the proposal rests on has changed since."""
    was, now = proposal.body.get("proposed_for", ""), action.basis(op.connection)
    if was != now:
        what = Sentence(
            "it was %(was)s when this was proposed, and is now %(now)s", was=Sentence(was), now=Sentence(now)
        )
        remedy = "decline this proposal, and propose it again if it is still right"
        raise refuse(f"proposal {proposal.proposal}", what, remedy, "GEN-19")


def _body(command: TwoPersonCommand) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(command, str_keys=True)
    return body


def _found(op: Operation, name: str) -> Proposal:
    found = proposals.find(op.connection, name)
    if found is None:
        raise unknown(f"proposal {name}")
    return found


def _for_reader(op: Operation, proposal: Proposal) -> ProposalForReader:
    rule, own = roles.COMMANDS[proposal.command], op.actor.id == proposal.proposed_by
    change = parse_command(proposal.body).amount_change(op.connection)
    return ProposalForReader(
        **{name: getattr(proposal, name) for name in ProposalView.__dataclass_fields__},
        says=rule.says,
        requirement=rule.requirement,
        may_approve=not own and bool(roles.approving((op.actor.role,), proposal.command)),
        own=own,
        now=change.now if change else None,
        result=change.result if change else None,
    )
