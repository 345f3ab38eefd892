"""Two-person commands about service accounts: their permissions and tokens."""

from dataclasses import asdict, replace
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Name, Statement
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import staff
from feltwork.site.books.people.service_tokens import ACTOR_PREFIX, ServiceAccount, service_accounts
from feltwork.site.books.queries import statement
from feltwork.site.books.two_person.command import two_person
from feltwork.site.books.two_person.outcomes import ServiceAccountChangedView, TokenGrantedView
from feltwork.site.books.two_person.people import ManageAccess
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

ScopeName: TypeAlias = Literal["tables:run", "floor:read", "books:read"]
_Scopes: TypeAlias = Annotated[list[ScopeName], Field(max_length=10)]
_Tables: TypeAlias = Annotated[list[Name], Field(max_length=500)]


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class ManageServiceAccounts(ManageAccess):
    """A command about a service account."""

    service_account: Annotated[Name, Field(max_length=40)] = Field(examples=["table-robot"])
    reason: Statement = Field(examples=["the new dealing machine"])

    @property
    def about(self) -> str:
        """The service account, as the books call it."""
        return f"{ACTOR_PREFIX}{self.service_account}"

    def verify_known(self, connection: Connection) -> None:
        """Raise for an unknown service account."""
        self._found(connection)

    def _found(self, connection: Connection) -> ServiceAccount:
        accounts = service_accounts(connection, self.service_account)
        if not accounts:
            where = f"service account {self.service_account}"
            raise refuse(where, "there is no such service account", "propose add_service_account", "TR-03")
        return accounts[0]

    def _save(
        self, op: Operation, request: TwoPersonRequest, account: ServiceAccount
    ) -> ServiceAccountChangedView:
        row = asdict(account)
        op.connection.execute(statement("save_service_account"), row)
        line = AuditLine(
            who=request.by,
            place="office",
            what="service account saved",
            why=f"{request.reason} (approved by {request.approved_by})",
            after=row,
        )
        write_audit(op.connection, line)
        return ServiceAccountChangedView(**_access(account))


@two_person
class AddServiceAccount(ManageServiceAccounts):
    """Add a service account; its first token needs a separate grant [TR-03]."""

    act: Literal["add_service_account"] = Field(examples=["add_service_account"])
    name: Statement = Field(examples=["Dealing machine of pit 1"])
    scopes: _Scopes = Field(examples=[["tables:run", "floor:read"]])
    tables: _Tables = Field(
        default_factory=list, description="The tables that it may run; empty for all.", examples=[["C1"]]
    )

    def verify_known(self, connection: Connection) -> None:
        """Raise if the id is already taken."""
        accounts = service_accounts(connection, self.service_account)
        if accounts or staff.everyone(connection, person=self.about):
            where = f"service account {self.service_account}"
            raise refuse(where, "this id is already taken", "choose another id", "TR-03")

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> ServiceAccountChangedView:
        """Add it."""
        self.verify_known(op.connection)
        account = ServiceAccount(
            id=self.service_account,
            name=self.name,
            scopes=self.scopes,
            tables=self.tables,
            active=True,
        )
        return self._save(op, request, account)


@two_person
class ChangeServiceAccount(ManageServiceAccounts):
    """Change the scopes and tables of a service account, for all of its tokens at once."""

    act: Literal["change_service_account"] = Field(examples=["change_service_account"])
    scopes: _Scopes = Field(examples=[["floor:read"]])
    tables: _Tables = Field(default_factory=list, examples=[["C1", "C2"]])
    active: bool = Field(default=True, strict=True, examples=[True])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> ServiceAccountChangedView:
        """Change it."""
        account = self._found(op.connection)
        changed = replace(account, scopes=self.scopes, tables=self.tables, active=self.active)
        return self._save(op, request, changed)


@two_person
class GrantToken(ManageServiceAccounts):
    """Authorize a new token, made once within a day by the person who approves it [GL-10].

    The token is not part of the proposal: `POST /service-accounts/{service_account}/tokens` shows it once.
    """

    act: Literal["grant_token"] = Field(examples=["grant_token"])
    days: Annotated[int, Field(ge=1, le=366, strict=True)] = Field(
        description="How long the token is good.", examples=[90]
    )

    def basis(self, connection: Connection) -> str:
        """What the account may do, and at which tables."""
        account = self._found(connection)
        may = f"{', '.join(account.scopes)} at {', '.join(account.tables) or 'all tables'}"
        return may if account.active else f"inactive, {may}"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> TokenGrantedView:
        """Grant it."""
        account = self._found(op.connection)
        return TokenGrantedView(**_access(account), grant=proposal)


def _access(account: ServiceAccount) -> dict[str, Any]:
    access = ("scopes", "tables", "active")
    return {"service_account": account.id, **{name: getattr(account, name) for name in access}}
