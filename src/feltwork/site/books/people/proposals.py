"""Proposals: one person proposes a command, a second approves it, and it is carried out."""

import secrets
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec

from feltwork.problem import Sentence, plain_text
from feltwork.site.books.authorize import authorize, verify_person, verify_second
from feltwork.site.books.context import Actor, Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.people import proposals_rows as proposals
from feltwork.site.books.people.proposals_rows import Proposal
from feltwork.site.books.two_person import TwoPersonCommand, parse_command
from feltwork.site.books.two_person.outcomes import Outcome
from feltwork.site.compliance import roles
from feltwork.site.compliance.two_person import Command
from feltwork.site.compliance.two_person import approve as approval_of
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalView:
    """A proposal, and its answer if it has one."""

    proposal: str
    command: str
    about: str
    #: The command itself, field by field.
    body: dict[str, Any]
    fingerprint: str
    proposed_by: str
    answered_by: str | None
    approved: bool | None
    lapsed: bool


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalsView:
    """The proposals that wait for a second person, newest first."""

    proposals: list[ProposalView]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Propose:
    """Propose a two-person command."""

    command: TwoPersonCommand


@dataclass(frozen=True, slots=True, kw_only=True)
class Approve:
    """Approve exactly the command with this fingerprint."""

    proposal: str
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decline:
    """Decline a proposal, or withdraw one's own."""

    proposal: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Approved:
    """The record of an approval: the type of its outcome depends on the command."""

    proposal: str
    approved_by: str
    booked: dict[str, Any]


def waiting(op: Operation) -> ProposalsView:
    """List every proposal without an answer, newest first."""
    authorize(op, Command(name="watch", about=""))
    return ProposalsView(proposals=[_view(proposal) for proposal in proposals.waiting(op.connection)])


def proposal(op: Operation, name: str) -> ProposalView:
    """Show a proposal with the fingerprint that an approval must name."""
    authorize(op, Command(name="watch", about=name))
    return _view(_found(op, name))


def waiting_for(op: Operation) -> list[ProposalForReader]:
    """List open proposals with the actor's permissions."""
    authorize(op, Command(name="watch", about=""))
    return [_for_reader(op, proposal) for proposal in proposals.waiting(op.connection)]


def propose(op: Operation, command: Propose) -> ProposedView:
    """Store a command until a second person answers; nothing is booked before then."""
    action = command.command
    # Without a key from the caller, use a random one: two proposals must never share a name.
    op = replace(op, key=op.key or secrets.token_hex(16))
    name, body = f"P-{op.thing()}", _body(action)
    asked = proposals.command_of(name, action.command, action.about, body)
    authorize(op, asked, waits=True)
    action.verify_known(op.connection)
    authorize(op, asked, deeds=action.deeds(op.connection), waits=True)

    def act() -> ProposedView:
        now = _body(action.as_proposed(op.connection))
        if basis := action.basis(op.connection):
            now["proposed_for"] = basis
        fingerprint = proposals.propose(
            op.connection,
            proposals.command_of(name, action.command, action.about, now),
            proposal=name,
            by=op.actor.id,
            seconds=op.policy.proposal_seconds,
        )
        return ProposedView(
            proposal=name, fingerprint=fingerprint, command=action.command, about=action.about
        )

    return op.perform(body, ProposedView, act, why=action.reason)


def approve(op: Operation, command: Approve) -> ApprovedView:
    """Approve another person's proposal and carry it out in the same transaction, once."""
    verify_person(op, "approve a proposal")
    proposal = _found(op, command.proposal)
    action = parse_command(proposal.body)
    _verify_two(op, proposal, action)

    def act() -> _Approved:
        proposals.answer(op.connection, proposal, by=op.actor.id, digest=command.fingerprint, approved=True)
        _verify_unchanged(op, proposal, action)
        request = TwoPersonRequest(by=proposal.proposed_by, approved_by=op.actor.id, reason=action.reason)
        outcome = action.carry_out(op, request, proposal.id)
        return _Approved(
            proposal=proposal.id,
            approved_by=op.actor.id,
            booked=msgspec.to_builtins(outcome, str_keys=True, enc_hook=plain_text),
        )

    record = op.perform(asdict(command), _Approved, act, why=action.reason)
    return ApprovedView(
        proposal=record.proposal,
        approved_by=record.approved_by,
        booked=msgspec.convert(record.booked, action.outcome, strict=False),
    )


def decline(op: Operation, command: Decline) -> DeclinedView:
    """Decline a proposal, or withdraw one's own."""
    verify_person(op, "decline a proposal")
    proposal = _found(op, command.proposal)
    own = op.actor.id == proposal.proposed_by
    if not own and not roles.approving((op.actor.role,), proposal.command):
        authorize(op, proposal.asked)

    def act() -> DeclinedView:
        proposals.answer(op.connection, proposal, by=op.actor.id, digest=proposal.fingerprint, approved=False)
        return DeclinedView(proposal=proposal.id, declined_by=op.actor.id)

    return op.perform(asdict(command), DeclinedView, act, why=command.reason)


def carry_out_together(op: Operation, second: Actor, command: TwoPersonCommand) -> Outcome:
    """Propose and approve a command for two people who are both present; a refusal withdraws the proposal."""
    proposal = propose(op, Propose(command=command))
    try:
        approval = Approve(proposal=proposal.proposal, fingerprint=proposal.fingerprint)
        return approve(replace(op, actor=second, token=""), approval).booked
    except Exception:
        # The caller's key is taken: this is the second request of the same person.
        withdrawal = Decline(
            proposal=proposal.proposal, reason="it was refused when it was to be carried out"
        )
        decline(replace(op, key=""), withdrawal)
        raise


def _verify_two(op: Operation, proposal: Proposal, action: TwoPersonCommand) -> None:
    """Raise unless proposer and actor are two people who may, as of now, do this together."""
    verify_second(op, proposal.asked, ())
    deeds = action.deeds(op.connection)
    verify_second(op, proposal.asked, deeds)
    if op.actor.id == proposal.proposed_by:
        what = Sentence("%(person)s cannot approve their own proposal", person=op.actor.id)
        raise refuse(f"proposal {proposal.id}", what, "ask a second person", "GEN-19")
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
        raise refuse(f"proposal {proposal.id}", what, remedy, "GEN-19")


def _body(command: TwoPersonCommand) -> dict[str, Any]:
    body: dict[str, Any] = msgspec.to_builtins(command, str_keys=True)
    return body


def _found(op: Operation, name: str) -> Proposal:
    proposal = proposals.find(op.connection, name)
    if proposal is None:
        raise unknown(f"proposal {name}")
    return proposal


def _fields(proposal: Proposal) -> dict[str, Any]:
    same = ("command", "about", "body", "fingerprint", "proposed_by", "answered_by", "approved", "lapsed")
    return {"proposal": proposal.id, **{name: getattr(proposal, name) for name in same}}


def _view(proposal: Proposal) -> ProposalView:
    return ProposalView(**_fields(proposal))


def _for_reader(op: Operation, proposal: Proposal) -> ProposalForReader:
    rule, own = roles.COMMANDS[proposal.command], op.actor.id == proposal.proposed_by
    change = parse_command(proposal.body).amount_change(op.connection)
    return ProposalForReader(
        **_fields(proposal),
        says=rule.says,
        requirement=rule.requirement,
        may_approve=not own and bool(roles.approving((op.actor.role,), proposal.command)),
        own=own,
        now=change.now if change else None,
        result=change.result if change else None,
    )
