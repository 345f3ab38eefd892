"""Proposals: a two-person command waits here until a second person answers it, once."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from psycopg.types.json import Jsonb

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement
from feltwork.site.compliance.two_person import Command, fingerprint
from feltwork.site.progressive.refusal import refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A proposed command and its response."""

    id: str
    command: str
    about: str
    body: Mapping[str, Any]
    fingerprint: str
    proposed_by: str
    proposed_at: datetime
    #: The proposer's current role, and whether they are still active.
    role: str
    active: bool
    answered_by: str | None
    approved: bool | None
    lapsed: bool

    @property
    def asked(self) -> Command:
        """The exact command; its id is part of it, so no approval fits a second one."""
        return command_of(self.id, self.command, self.about, self.body)


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
    return _read(connection, "")


def find(connection: Connection, name: str) -> Proposal | None:
    """The proposal with this id, or None."""
    return next(iter(_read(connection, name)), None) if name else None


def last_approved(connection: Connection, about: str, act: str) -> datetime | None:
    """When two people last did this to a person, or None."""
    row = connection.execute(statement("last_approved"), (about, act)).fetchone()
    return row[0] if row else None


def is_release_approved(connection: Connection, release: str) -> bool:
    """Whether two people approved this release."""
    row = connection.execute(statement("release_approved"), (release,)).fetchone()
    return bool(row and row[0])


def answer(connection: Connection, proposal: Proposal, *, by: str, digest: str, approved: bool) -> None:
    """Record the response to the exact command that was seen, once."""
    where = f"proposal {proposal.id}"
    if fingerprint(proposal.asked) != proposal.fingerprint or digest != proposal.fingerprint:
        raise refuse(where, "the command has changed since you opened it", "review it again", "GEN-19")
    if proposal.lapsed:
        raise refuse(where, "the proposal has expired", "propose it again", "GEN-19")
    row = (proposal.id, proposal.fingerprint, by, approved)
    if not connection.execute(statement("answer_proposal"), row).rowcount:
        raise refuse(where, "the proposal was already answered", "propose it again", "GEN-19")


def _read(connection: Connection, name: str) -> list[Proposal]:
    names = Proposal.__dataclass_fields__
    rows = connection.execute(statement("proposals"), {"id": name}).fetchall()
    return [Proposal(**dict(zip(names, row, strict=True))) for row in rows]
