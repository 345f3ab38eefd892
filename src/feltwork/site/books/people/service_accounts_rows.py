"""Service accounts: machines with tokens, each random, shown once and stored as a hash."""

import secrets
from dataclasses import dataclass
from datetime import datetime

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people.people_rows import token_hash
from feltwork.site.books.queries import statement
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

#: Prefix of a service account's name where the books also name people; no person's id begins with it.
ACTOR_PREFIX = "service:"
_TOKEN_PREFIX = "fws_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccount:
    """A machine and its permissions."""

    id: str
    name: str
    scopes: tuple[str, ...]
    #: The tables it may use; empty for all.
    tables: tuple[str, ...]
    active: bool

    @property
    def actor(self) -> str:
        """Its name in the books."""
        return f"{ACTOR_PREFIX}{self.id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceToken:
    """A token as listed, without the secret."""

    id: str
    service_account: str
    made_by: str
    made_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    revoked_by: str | None
    last_used_at: datetime | None
    last_source: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenGrant:
    """A token that two people have granted but nobody has made yet."""

    grant: str
    service_account: str


def is_service_token(token: str) -> bool:
    """Whether a token is one of a service account."""
    return token.startswith(_TOKEN_PREFIX)


def service_accounts(connection: Connection, name: str = "") -> list[ServiceAccount]:
    """Every service account, or the one with this id."""
    rows = connection.execute(statement("service_accounts"), {"id": name}).fetchall()
    return [
        ServiceAccount(id=row[0], name=row[1], scopes=tuple(row[2]), tables=tuple(row[3]), active=row[4])
        for row in rows
    ]


def service_tokens(connection: Connection) -> list[ServiceToken]:
    """Every token, the newest first."""
    names = ServiceToken.__dataclass_fields__
    rows = connection.execute(statement("service_tokens")).fetchall()
    return [ServiceToken(**dict(zip(names, row, strict=True))) for row in rows]


def save(connection: Connection, request: TwoPersonRequest, account: ServiceAccount) -> None:
    """Add a service account, or change what it may do, as two people decided."""
    row = {
        "id": account.id,
        "name": account.name,
        "scopes": list(account.scopes),
        "tables": list(account.tables),
        "active": account.active,
    }
    connection.execute(statement("save_service_account"), row)
    line = AuditLine(
        who=request.by,
        place="office",
        what="service account saved",
        why=f"{request.reason} (approved by {request.approved_by})",
        after=row,
    )
    write_audit(connection, line)


def make_token(connection: Connection, account: str, *, proposal: str, days: int, by: str) -> tuple[str, str]:
    """Make the token that a proposal granted, once; return its id and the token, stored only as a hash."""
    name = secrets.token_hex(6)
    token = f"{_TOKEN_PREFIX}{name}_{secrets.token_urlsafe(32)}"
    row = {"id": name, "account": account, "hash": token_hash(token), "proposal": proposal, "days": days}
    if not connection.execute(statement("make_service_token"), {**row, "by": by}).rowcount:
        remedy = "propose manage_people with grant_token"
        raise refuse(
            f"proposal {proposal}", "its token was already created and cannot be shown again", remedy, "GL-10"
        )
    return name, token


def open_grants(connection: Connection, person: str) -> list[TokenGrant]:
    """The grants that a person has approved and may use now."""
    rows = connection.execute(statement("open_token_grants"), (person,)).fetchall()
    return [TokenGrant(grant=row[0], service_account=row[1]) for row in rows]


def revoke_token(connection: Connection, account: str, token: str, *, by: str) -> bool:
    """Revoke a token; return False if no such token is in force."""
    row = {"account": account, "id": token, "by": by}
    return bool(connection.execute(statement("revoke_service_token"), row).rowcount)


def use_token(connection: Connection, token: str, *, source: str) -> ServiceAccount | None:
    """The service account of a token that is in force; its use is recorded once a minute and per address."""
    parameters = {"hash": token_hash(token), "source": source}
    row = connection.execute(statement("service_token_use"), parameters).fetchone()
    if row is None:
        return None
    account, is_valid, is_noted, is_audited, name = row
    (service_account,) = service_accounts(connection, account)
    if not is_noted:
        connection.execute(statement("note_service_token_use"), parameters)
    if not is_audited:
        what = "token used" if is_valid else "token refused: expired or revoked"
        write_audit(
            connection, AuditLine(who=service_account.actor, place=source, what=what, why=f"token {name}")
        )
    return service_account if is_valid else None
