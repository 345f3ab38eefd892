"""Proposals: a command of two people waits here, and a second person answers it once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from feltwork.books.connection import Connection
from feltwork.books.queries import statement
from feltwork.compliance.two_person import Command, fingerprint
from feltwork.progressive.refusal import refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A proposed command and its response."""

    id: str
    command: str
    about: str
    body: Mapping[str, Any]
    fingerprint: str
    proposed_by: str
    #: What the proposer works as today, and whether they still do.
    role: str
    active: bool
    answered_by: str | None
    approved: bool | None
    lapsed: bool

    @property
    def asked(self) -> Command:
        """The exact command; its id is part of it, so that no approval fits a second one."""
        return command_of(self.id, self.command, self.about, self.body)


def command_of(proposal: str, name: str, about: str, body: Mapping[str, Any]) -> Command:
    """The command that a proposal's fingerprint is made from."""
    return Command(name=name, about=about, body={"proposal": proposal, **body})


def propose(connection: Connection, asked: Command, *, proposal: str, by: str, seconds: int) -> str:
    """Keep a command until a second person answers; the fingerprint to approve is the answer."""
    body = {name: value for name, value in asked.body.items() if name != "proposal"}
    wanted = fingerprint(asked)
    row = {"id": proposal, "command": asked.name, "about": asked.about, "body": Jsonb(body)}
    connection.execute(statement("propose"), {**row, "fingerprint": wanted, "by": by, "seconds": seconds})
    return wanted


def waiting(connection: Connection) -> list[Proposal]:
    """Every proposal without an answer."""
    return _read(connection, "")


def find(connection: Connection, name: str) -> Proposal | None:
    """One proposal, or none of that name."""
    return next(iter(_read(connection, name)), None) if name else None


def answer(connection: Connection, asked: Proposal, *, by: str, seen: str, approved: bool) -> None:
    """Record the response to the exact command that was seen, once."""
    where = f"proposal {asked.id}"
    if fingerprint(asked.asked) != asked.fingerprint or seen != asked.fingerprint:
        raise refuse(where, "the command has changed since you opened it", "review it again", "GEN-19")
    if asked.lapsed:
        raise refuse(where, "the proposal has expired", "propose it again", "GEN-19")
    row = (asked.id, asked.fingerprint, by, approved)
    if not connection.execute(statement("answer_proposal"), row).rowcount:
        raise refuse(where, "the proposal was already answered", "propose it again", "GEN-19")


def _read(connection: Connection, name: str) -> list[Proposal]:
    names = Proposal.__dataclass_fields__
    rows = connection.execute(statement("proposals"), {"id": name}).fetchall()
    return [Proposal(**dict(zip(names, row, strict=True))) for row in rows]
