"""The base of two-person commands, and the registry that lists them."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TypeVar, cast, dataclass_transform

from pydantic import Field
from pydantic.dataclasses import dataclass

from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.fields import COMMAND, Statement
from feltwork.site.books.two_person.outcomes import Outcome
from feltwork.site.compliance.roles import PriorAction
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class AmountChange:
    """An amount now, and the result if a command were carried out now."""

    now: int
    result: int


@dataclass(config=COMMAND, frozen=True, kw_only=True)
class TwoPersonCommand:
    """The common fields of two-person commands: the command name and a reason."""

    command: str
    reason: Statement = Field(examples=["as agreed on Monday"])

    @property
    @abstractmethod
    def about(self) -> str:
        """The link, award, person or floor it changes."""

    def verify_known(self, connection: Connection) -> None:
        """Raise if the subject of the command does not exist; a floor or a release has none."""
        del connection

    def as_proposed(self, connection: Connection) -> "TwoPersonCommand":
        """Return the command as it is stored, with what the books say now; raise if it is wrong."""
        del connection
        return self

    def basis(self, connection: Connection) -> str:
        """Return what its effect rests on, as the books say now; it is approved only while they say the same.

        It holds until the end of the transaction: a subject that others change is locked.
        """
        del connection
        return ""

    def deeds(self, connection: Connection) -> Sequence[PriorAction]:
        """Prior actions of people on the same subject."""
        del connection
        return ()

    def amount_change(self, connection: Connection) -> AmountChange | None:
        """Return the amount that the command changes, now and afterwards; None if it changes none."""
        del connection
        return None

    @abstractmethod
    def carry_out(self, op: Operation, request: TwoPersonRequest, proposal: str) -> Outcome:
        """Carry out the command after a second person approved exactly this.

        The annotated type of the result is what `POST /proposals/{proposal}/approve` answers.
        """


#: Every two-person command, in the order of definition.
REGISTRY: list[type[TwoPersonCommand]] = []
C = TypeVar("C", bound=TwoPersonCommand)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
def two_person(command: type[C]) -> type[C]:
    """Make a class a frozen dataclass and a two-person command."""
    frozen_class = cast("type[C]", dataclass(config=COMMAND, frozen=True, kw_only=True)(command))
    REGISTRY.append(frozen_class)
    return frozen_class
