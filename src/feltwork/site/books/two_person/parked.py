"""Two-person commands about parked messages: book one after all, or dismiss it."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Statement
from feltwork.site.books.tables import parked
from feltwork.site.books.tables.parked import ParkedAnsweredView
from feltwork.site.books.two_person.command import TwoPersonCommand, two_person
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class _OfParked(TwoPersonCommand):
    parked: Annotated[int, Field(ge=1, le=2**53, strict=True)] = Field(examples=[17])

    @property
    def about(self) -> str:
        """The parked message."""
        return f"message {self.parked}"

    def verify_known(self, connection: Connection) -> None:
        """Raise unless the message waits for an answer."""
        parked.verify_waiting(connection, self.parked)


@two_person
class BookParked(_OfParked):
    """Book a parked message under the normal rules; a message already in the books is not booked twice."""

    command: Literal["book_parked"] = "book_parked"
    reason: Statement = Field(examples=["the dealer's badge was registered late"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> ParkedAnsweredView:
        """Book it."""
        return parked.book_again(op, self.parked, proposal)


@two_person
class DismissParked(_OfParked):
    """Dismiss a parked message: it is settled at the table and never booked."""

    command: Literal["dismiss_parked"] = "dismiss_parked"
    reason: Statement = Field(examples=["the chips were returned"])

    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> ParkedAnsweredView:
        """Dismiss it."""
        return parked.dismiss(op, self.parked, proposal)
