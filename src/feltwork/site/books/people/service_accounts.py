"""Service accounts: machines that use the API with a token, and never count as a person."""

import secrets
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import COMMAND, Name, with_example
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.people.credentials import token_hash
from feltwork.site.books.people.service_tokens import TOKEN_PREFIX, ServiceAccount
from feltwork.site.books.people.service_tokens import service_accounts as accounts
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.books.two_person import parse_command
from feltwork.site.books.two_person.service_accounts import GrantToken
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenView:
    """A token without its secret."""

    id: str
    made_by: str
    made_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    revoked_by: str | None
    #: Accurate to the minute.
    last_used_at: datetime | None
    last_source: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccountView(ServiceAccount):
    """A service account with its tokens, newest first."""

    tokens: list[TokenView]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGrant:
    """A token that two people have granted but nobody has made yet."""

    grant: str
    service_account: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccountsView:
    """Every service account."""

    service_accounts: list[ServiceAccountView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class NewTokenView:
    """A new token, shown only once."""

    service_account: str
    id: str
    token: str = field(repr=False)


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class RevokedTokenView:
    """A revoked token."""

    service_account: str
    id: str
    revoked_by: str


@validated(config=COMMAND, frozen=True, kw_only=True)
class MakeToken:
    """Make the token that a proposal granted."""

    grant: Name = Field(examples=["P-0c1d2e3f4a5b6c7d"])


def service_accounts(op: Operation) -> ServiceAccountsView:
    """List every service account with its tokens."""
    authorize_any(op, "read_books", "manage_people", about="service accounts")
    tokens: dict[str, list[TokenView]] = {}
    names = TokenView.__dataclass_fields__
    for account, *row in op.connection.execute(statement("service_tokens")):
        tokens.setdefault(account, []).append(TokenView(**dict(zip(names, row, strict=True))))
    return ServiceAccountsView(
        service_accounts=[
            ServiceAccountView(**asdict(account), tokens=tokens.get(account.id, []))
            for account in accounts(op.connection)
        ]
    )


def open_grants(op: Operation) -> list[TokenGrant]:
    """List the tokens that the actor has approved and may make now."""
    authorize_any(op, "read_books", "manage_people", about="service accounts")
    return rows_of(op.connection, TokenGrant, "open_token_grants", (op.actor.id,))


def make_token(op: Operation, account: str, command: MakeToken) -> NewTokenView:
    """Make a token that two people granted, once, in the session of the second person [GL-10].

    It is random, shown once and stored as a hash.
    """
    authorize(op, Command(name="manage_people", about=account), waits=True)
    where, remedy = f"service account {account}", "propose manage_people with grant_token"
    granted = proposals.find(op.connection, command.grant)
    grant = parse_command(granted.body) if granted and granted.approved else None
    if (
        granted is None
        or granted.lapsed
        or not isinstance(grant, GrantToken)
        or grant.service_account != account
    ):
        raise refuse(where, "no new token is authorized under this proposal", remedy, "GL-10")
    if op.actor.id != granted.answered_by:
        what = "the new token is shown to the person who approved it"
        raise refuse(where, what, f"ask {granted.answered_by}", "GL-10")
    token = ""
    row = {"account": account, "proposal": command.grant, "days": grant.days, "by": op.actor.id}

    def act() -> dict[str, Any]:
        nonlocal token
        name = secrets.token_hex(6)
        token = f"{TOKEN_PREFIX}{name}_{secrets.token_urlsafe(32)}"
        more = {"id": name, "hash": token_hash(token)}
        if not op.connection.execute(statement("make_service_token"), {**row, **more}).rowcount:
            what = "its token was already created and cannot be shown again"
            raise refuse(f"proposal {command.grant}", what, remedy, "GL-10")
        return {"service_account": account, "id": name}

    # The record of the request has no token, so a repeated request returns none.
    made = op.perform({"service_account": account, **asdict(command)}, dict[str, Any], act)
    return NewTokenView(**made, token=token)


def revoke_token(op: Operation, account: str, token: str) -> RevokedTokenView:
    """Revoke a token immediately; this needs no second person."""
    authorize(op, Command(name="manage_people", about=account), waits=True)

    def act() -> RevokedTokenView:
        row = {"account": account, "id": token, "by": op.actor.id}
        if not op.connection.execute(statement("revoke_service_token"), row).rowcount:
            raise unknown(f"service account {account}, token {token}")
        return RevokedTokenView(service_account=account, id=token, revoked_by=op.actor.id)

    return op.perform({"service_account": account, "token": token}, RevokedTokenView, act)
