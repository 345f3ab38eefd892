"""Commands about people: who is added, what they work as, what they may prove themselves with."""

from abc import abstractmethod
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from feltwork.books import security_keys, staff
from feltwork.books.connection import Connection
from feltwork.books.staff import Proof
from feltwork.progressive.people import Asked
from feltwork.progressive.refusal import refuse
from feltwork.web.words import Body, Name, Said

RoleName: TypeAlias = Literal[
    "dealer", "supervisor", "executive", "accounting", "cage", "surveillance", "it", "auditor"
]


class _Managing(Body):
    command: Literal["manage_people"] = Field(examples=["manage_people"])
    person: Name = Field(examples=["gus"])
    reason: Said = Field(examples=["begins on Monday"])

    @property
    def about(self) -> str:
        """The person."""
        return self.person

    def verify_known(self, connection: Connection) -> None:
        """Raise for a stranger."""
        staff.known(connection, self.person)

    @abstractmethod
    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Do it, now that a second person has approved exactly this."""

    def _told(self, connection: Connection) -> dict[str, Any]:
        known = staff.known(connection, self.person)
        return {"person": known.id, "role": known.role, "badge": known.badge, "active": known.active}


class AddPerson(_Managing):
    """Make somebody known [TR-03]. They sign in once a PIN or a password is granted and typed."""

    act: Literal["add"] = Field(examples=["add"])
    name: Said = Field(examples=["Gus"])
    role: RoleName = Field(examples=["dealer"])
    badge: Name = Field(examples=["B-51"])

    def verify_known(self, connection: Connection) -> None:
        """Raise where id or badge is somebody's."""
        if staff.everyone(connection, person=self.person):
            raise refuse(f"person {self.person}", "somebody has this id", "choose another id", "TR-03")
        if staff.everyone(connection, badge=self.badge):
            raise refuse(f"badge {self.badge}", "somebody has this badge", "give another", "TR-03")

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Add them."""
        staff.add(connection, asked, person=self.person, name=self.name, role=self.role, badge=self.badge)
        return self._told(connection)


class GiveRole(_Managing):
    """Let somebody work as something else; who is meant has no say in it [WA-30]."""

    act: Literal["give_role"] = Field(examples=["give_role"])
    role: RoleName = Field(examples=["supervisor"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Give it in place of the one before."""
        staff.change(connection, asked, self.person, role=self.role)
        return self._told(connection)


class TakeRole(_Managing):
    """Take somebody's role: they can sign in, and may do nothing."""

    act: Literal["take_role"] = Field(examples=["take_role"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Take it."""
        staff.change(connection, asked, self.person, role="")
        return self._told(connection)


class GiveBadge(_Managing):
    """Give somebody another badge; the one before is worth nothing."""

    act: Literal["give_badge"] = Field(examples=["give_badge"])
    badge: Name = Field(examples=["B-52"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Give it."""
        staff.change(connection, asked, self.person, badge=self.badge)
        return self._told(connection)


class GrantSecret(_Managing):
    """Let somebody have a new PIN, password or security key, once within a day [GL-10].

    The secret is no part of the proposal: it is typed at `POST /people/{badge}/secret`, and a key is made at
    the next sign-in with the password.
    """

    act: Literal["grant_secret"] = Field(examples=["grant_secret"])
    what: Proof = Field(examples=["PIN"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Grant it."""
        staff.grant(connection, asked, enrolment=proposal, person=self.person, what=self.what)
        return {**self._told(connection), "enrolment": proposal, "what": self.what}


class TakeKey(_Managing):
    """Take a security key away that was lost or copied."""

    act: Literal["take_key"] = Field(examples=["take_key"])
    key: str = Field(max_length=1_500, pattern=r"^[A-Za-z0-9_-]+$", examples=["a2V5"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Take it."""
        security_keys.take_away(connection, asked, key=self.key)
        return self._told(connection)


class ShutOut(_Managing):
    """Shut somebody out who has left, at once and everywhere [TR-03]."""

    act: Literal["shut_out"] = Field(examples=["shut_out"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Shut them out."""
        staff.change(connection, asked, self.person, active=False)
        return self._told(connection)


class LetIn(_Managing):
    """Let somebody in again who was shut out."""

    act: Literal["let_in"] = Field(examples=["let_in"])

    def book(self, connection: Connection, asked: Asked, proposal: str) -> dict[str, Any]:
        """Let them in."""
        staff.change(connection, asked, self.person, active=True)
        return self._told(connection)


ManagePeople: TypeAlias = Annotated[
    AddPerson | GiveRole | TakeRole | GiveBadge | GrantSecret | TakeKey | ShutOut | LetIn,
    Field(discriminator="act"),
]
