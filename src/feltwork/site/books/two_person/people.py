"""Two-person commands about people: adding them, their role and badge, and how they sign in."""

from dataclasses import asdict
from typing import Literal, TypeAlias

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Name, Statement
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import staff
from feltwork.site.books.people.service_tokens import ACTOR_PREFIX
from feltwork.site.books.people.staff import Proof
from feltwork.site.books.queries import statement
from feltwork.site.books.two_person.command import TwoPersonCommand, two_person
from feltwork.site.books.two_person.outcomes import PersonChangedView, SecretGrantedView
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

RoleName: TypeAlias = Literal[
    "dealer", "supervisor", "executive", "accounting", "cage", "surveillance", "it", "auditor"
]


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class ManageAccess(TwoPersonCommand):
    """A command about who has access, selected by `act`."""

    command: Literal["manage_people"] = Field(examples=["manage_people"])


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class ManagePeople(ManageAccess):
    """A command about a person."""

    person: Name = Field(examples=["gus"])
    reason: Statement = Field(examples=["begins on Monday"])

    @property
    def about(self) -> str:
        """The person."""
        return self.person

    def verify_known(self, connection: Connection) -> None:
        """Raise for an unknown person."""
        staff.staff_member(connection, self.person)

    def _view(self, op: Operation) -> PersonChangedView:
        known = staff.staff_member(op.connection, self.person)
        return PersonChangedView(person=known.id, role=known.role, badge=known.badge, active=known.active)


@two_person
class AddPerson(ManagePeople):
    """Add a person, who can sign in after setting a PIN or password [TR-03]."""

    act: Literal["add"] = Field(examples=["add"])
    name: Statement = Field(examples=["Gus"])
    role: RoleName = Field(examples=["dealer"])
    badge: Name = Field(examples=["B-51"])

    def verify_known(self, connection: Connection) -> None:
        """Raise if the id or badge is already assigned, or the id is reserved for service accounts."""
        if self.person.startswith(ACTOR_PREFIX):
            what = "an id that begins with service: is one of a service account"
            raise refuse(f"person {self.person}", what, "choose another id", "TR-03")
        if staff.everyone(connection, person=self.person):
            raise refuse(f"person {self.person}", "this id is already taken", "choose another id", "TR-03")
        if staff.everyone(connection, badge=self.badge):
            raise refuse(
                f"badge {self.badge}", "this badge is already assigned", "assign another badge", "TR-03"
            )

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Add them."""
        staff.add(
            op.connection, request, person=self.person, name=self.name, role=self.role, badge=self.badge
        )
        return self._view(op)


@two_person
class GiveRole(ManagePeople):
    """Change a person's role; the person may not take part [WA-30]."""

    act: Literal["give_role"] = Field(examples=["give_role"])
    role: RoleName = Field(examples=["supervisor"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Replace the current role."""
        staff.change(op.connection, request, self.person, role=self.role)
        return self._view(op)


@two_person
class TakeRole(ManagePeople):
    """Remove a person's role; they can sign in but do nothing."""

    act: Literal["take_role"] = Field(examples=["take_role"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Take it."""
        staff.change(op.connection, request, self.person, role="")
        return self._view(op)


@two_person
class GiveBadge(ManagePeople):
    """Replace a person's badge; the old one stops working."""

    act: Literal["give_badge"] = Field(examples=["give_badge"])
    badge: Name = Field(examples=["B-52"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Give it."""
        staff.change(op.connection, request, self.person, badge=self.badge)
        return self._view(op)


@two_person
class GrantSecret(ManagePeople):
    """Authorize a new PIN, password or security key, to be set once within a day [GL-10].

    The secret is not part of the proposal: it is entered at `POST /people/{badge}/secret`, and a key is made
    at the next sign-in with the password.
    """

    act: Literal["grant_secret"] = Field(examples=["grant_secret"])
    what: Proof = Field(examples=["PIN"])

    def basis(self, connection: Connection) -> str:
        """The person's role."""
        return staff.staff_member(connection, self.person).role or "without a role"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> SecretGrantedView:
        """Grant it."""
        staff.grant(op.connection, request, enrollment=proposal, person=self.person, what=self.what)
        return SecretGrantedView(**asdict(self._view(op)), enrollment=proposal, what=self.what)


@two_person
class TakeKey(ManagePeople):
    """Revoke a security key that was lost or copied."""

    act: Literal["take_key"] = Field(examples=["take_key"])
    key: str = Field(max_length=1_500, pattern=r"^[A-Za-z0-9_-]+$", examples=["a2V5"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Take it."""
        if op.connection.execute(statement("security_key"), (self.key,)).fetchone() is None:
            raise refuse(
                f"security key {self.key[:12]}", "it does not exist", "check the staff list", "GL-10"
            )
        row = (self.key, request.by, request.approved_by, request.reason)
        op.connection.execute(statement("revoke_key"), row)
        line = AuditLine(
            who=request.by,
            place="office",
            what="security key taken",
            why=request.reason,
            after={"key": self.key, "approved_by": request.approved_by},
        )
        write_audit(op.connection, line)
        return self._view(op)


@two_person
class ShutOut(ManagePeople):
    """Deactivate a person who has left, immediately and everywhere [TR-03]."""

    act: Literal["shut_out"] = Field(examples=["shut_out"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Shut them out."""
        staff.change(op.connection, request, self.person, active=False)
        return self._view(op)


@two_person
class LetIn(ManagePeople):
    """Reactivate a person."""

    act: Literal["let_in"] = Field(examples=["let_in"])

    def basis(self, connection: Connection) -> str:
        """The last time they were shut out."""
        ((at,),) = connection.execute(statement("last_approved"), (self.person, "shut_out")).fetchall()
        return f"shut out since {at or 'the start'}"

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> PersonChangedView:
        """Let them in."""
        staff.change(op.connection, request, self.person, active=True)
        return self._view(op)
