"""Service accounts: machines with tokens, each random, shown once and stored as a hash."""

from collections.abc import Sequence
from dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people.credentials import token_hash
from feltwork.site.books.queries import rows_of, statement

#: Prefix of a service account's name where the books also name people; no person's id begins with it.
ACTOR_PREFIX = "service:"
TOKEN_PREFIX = "fws_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceAccount:
    """A machine and its permissions."""

    id: str
    name: str
    scopes: Sequence[str]
    #: The tables it may use; empty for all.
    tables: Sequence[str]
    active: bool

    @property
    def actor(self) -> str:
        """Its name in the books."""
        return f"{ACTOR_PREFIX}{self.id}"


def is_service_token(token: str) -> bool:
    """Whether a token is one of a service account."""
    return token.startswith(TOKEN_PREFIX)


def service_accounts(connection: Connection, name: str = "") -> list[ServiceAccount]:
    """Every service account, or the one with this id."""
    return rows_of(connection, ServiceAccount, "service_accounts", {"id": name})


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
