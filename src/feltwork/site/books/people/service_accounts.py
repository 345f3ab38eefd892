"""Service accounts: machines that use the API with a token, and never count as a person."""

from dataclasses import asdict, dataclass, field
from datetime import datetime

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.people import proposals_rows as proposals
from feltwork.site.books.people import service_accounts_rows as books
from feltwork.site.books.people.service_accounts_rows import ACTOR_PREFIX, ServiceToken, TokenGrant
from feltwork.site.books.two_person import parse_command
from feltwork.site.books.two_person.service_accounts import GrantToken
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

__all__ = ["ACTOR_PREFIX"]


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
class ServiceAccountView:
    """A service account with its tokens, newest first."""

    id: str
    name: str
    scopes: list[str]
    #: The tables that it may run; empty for all.
    tables: list[str]
    active: bool
    tokens: list[TokenView]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeToken:
    """Make the token that a proposal granted."""

    service_account: str
    grant: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeToken:
    """Revoke a token immediately."""

    service_account: str
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _MadeToken:
    """The record of a new token, without the secret."""

    service_account: str
    id: str


def service_accounts(op: Operation) -> ServiceAccountsView:
    """List every service account with its tokens."""
    authorize_any(op, "read_books", "manage_people", about="service accounts")
    tokens: dict[str, list[TokenView]] = {}
    for token in books.service_tokens(op.connection):
        tokens.setdefault(token.service_account, []).append(_token_view(token))
    views = [
        ServiceAccountView(
            id=account.id,
            name=account.name,
            scopes=list(account.scopes),
            tables=list(account.tables),
            active=account.active,
            tokens=tokens.get(account.id, []),
        )
        for account in books.service_accounts(op.connection)
    ]
    return ServiceAccountsView(service_accounts=views)


def open_grants(op: Operation) -> list[TokenGrant]:
    """List the tokens that the actor has approved and may make now."""
    authorize_any(op, "read_books", "manage_people", about="service accounts")
    return books.open_grants(op.connection, op.actor.id)


def make_token(op: Operation, command: MakeToken) -> NewTokenView:
    """Make a token that two people granted, once, in the session of the second person [GL-10]."""
    authorize(op, Command(name="manage_people", about=command.service_account), waits=True)
    where = f"service account {command.service_account}"
    granted = proposals.find(op.connection, command.grant)
    grant = parse_command(granted.body) if granted and granted.approved else None
    if (
        granted is None
        or granted.lapsed
        or not isinstance(grant, GrantToken)
        or grant.service_account != command.service_account
    ):
        remedy = "propose manage_people with grant_token"
        raise refuse(where, "no new token is authorized under this proposal", remedy, "GL-10")
    if op.actor.id != granted.answered_by:
        what = "the new token is shown to the person who approved it"
        raise refuse(where, what, f"ask {granted.answered_by}", "GL-10")
    days, token = grant.days, ""

    def act() -> _MadeToken:
        nonlocal token
        name, token = books.make_token(
            op.connection, command.service_account, proposal=command.grant, days=days, by=op.actor.id
        )
        return _MadeToken(service_account=command.service_account, id=name)

    # The record of the request has no token, so a repeated request returns none.
    record = op.perform(asdict(command), _MadeToken, act)
    return NewTokenView(service_account=record.service_account, id=record.id, token=token)


def revoke_token(op: Operation, command: RevokeToken) -> RevokedTokenView:
    """Revoke a token immediately; this needs no second person."""
    authorize(op, Command(name="manage_people", about=command.service_account), waits=True)

    def act() -> RevokedTokenView:
        revoked = books.revoke_token(op.connection, command.service_account, command.token, by=op.actor.id)
        if not revoked:
            raise unknown(f"service account {command.service_account}, token {command.token}")
        return RevokedTokenView(
            service_account=command.service_account, id=command.token, revoked_by=op.actor.id
        )

    return op.perform(asdict(command), RevokedTokenView, act)


def _token_view(token: ServiceToken) -> TokenView:
    return TokenView(**{name: value for name, value in asdict(token).items() if name != "service_account"})
