"""Two-person commands: one frozen dataclass each, in one registry; a new one is one more class."""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, TypeAlias

from pydantic import Field, TypeAdapter

from feltwork.operations.two_person import floors, links, people
from feltwork.operations.two_person.command import REGISTRY, TwoPersonCommand

__all__ = ["COMMAND", "REGISTRY", "AnyCommand", "TwoPersonCommand", "floors", "links", "people"]

if TYPE_CHECKING:
    AnyCommand: TypeAlias = TwoPersonCommand
else:
    _about_people = [command for command in REGISTRY if issubclass(command, people.ManagePeople)]
    _others = [command for command in REGISTRY if command not in _about_people]
    # Two unions, each with its own discriminator: OpenAPI has none that lies within another.
    AnyCommand = (
        Annotated[reduce(or_, _others), Field(discriminator="command")]
        | Annotated[reduce(or_, _about_people), Field(discriminator="act")]
    )
#: Parses the body of a proposal.
COMMAND: TypeAdapter[TwoPersonCommand] = TypeAdapter(AnyCommand)
