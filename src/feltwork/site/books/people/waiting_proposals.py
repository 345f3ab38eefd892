"""Proposals: a two-person command waits here until a second person answers it, once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.fields import with_example
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.compliance.two_person import Command, fingerprint
from feltwork.site.progressive.refusal import refuse


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(ProposalView):
    """A proposal with the proposer's current role, and whether they are still active."""

    proposed_at: datetime
    role: str
    active: bool

    @property
    def asked(self) -> Command:
        """The exact command; its id is part of it, so no approval fits a second one."""
        return command_of(self.proposal, self.command, self.about, self.body)


def command_of(proposal: str, name: str, about: str, body: Mapping[str, Any]) -> Command:
    """The command that a proposal's fingerprint is made from."""
    return Command(name=name, about=about, body={"proposal": proposal, **body})


def propose(connection: Connection, command: Command, *, proposal: str, by: str, seconds: int) -> str:
    """Store a command until a second person answers, and return the fingerprint to approve."""
    body = {name: value for name, value in command.body.items() if name != "proposal"}
    digest = fingerprint(command)
    row = {"id": proposal, "command": command.name, "about": command.about, "body": Jsonb(body)}
    connection.execute(statement("propose"), {**row, "fingerprint": digest, "by": by, "seconds": seconds})
    return digest


def waiting(connection: Connection) -> list[Proposal]:
    """Every proposal without an answer."""
    return rows_of(connection, Proposal, "proposals", {"id": ""})


def find(connection: Connection, name: str) -> Proposal | None:
    """The proposal with this id, or None."""
    return next(iter(rows_of(connection, Proposal, "proposals", {"id": name})), None) if name else None


def answer(connection: Connection, proposal: Proposal, *, by: str, digest: str, approved: bool) -> None:
    """Record the response to the exact command that was seen, once."""
    where = f"proposal {proposal.proposal}"
    if fingerprint(proposal.asked) != proposal.fingerprint or digest != proposal.fingerprint:
        raise refuse(where, "the command has changed since you opened it", "review it again", "GEN-19")
    if proposal.lapsed:
        raise refuse(where, "the proposal has expired", "propose it again", "GEN-19")
    row = (proposal.proposal, proposal.fingerprint, by, approved)
    if not connection.execute(statement("answer_proposal"), row).rowcount:
        raise refuse(where, "the proposal was already answered", "propose it again", "GEN-19")
