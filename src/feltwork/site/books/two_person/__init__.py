"""Two-person commands: one class each, collected in one registry."""

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Field, TypeAdapter

from feltwork.site.books.two_person import floors, links, parked, people, service_accounts, webhooks
from feltwork.site.books.two_person.command import REGISTRY, TwoPersonCommand

__all__ = [
    "REGISTRY",
    "TwoPersonCommand",
    "floors",
    "links",
    "parked",
    "parse_command",
    "people",
    "service_accounts",
    "webhooks",
]

if TYPE_CHECKING:
    AnyCommand: TypeAlias = TwoPersonCommand
else:

    def __getattr__(name: str) -> Any:
        """Build ``AnyCommand`` on first use, when every command is registered."""
        if name != "AnyCommand":
            raise AttributeError(name)
        return _union()


def parse_command(body: object) -> TwoPersonCommand:
    """Parse the body of a proposal."""
    if isinstance(body, Mapping):
        body = {name: value for name, value in body.items() if name != "proposed_for"}
    return _adapter().validate_python(body)


@cache
def _union() -> Any:
    about_access = [command for command in REGISTRY if issubclass(command, people.ManageAccess)]
    others = [command for command in REGISTRY if command not in about_access]
    # Two unions, each with its own discriminator, because OpenAPI cannot nest discriminators.
    return (
        Annotated[reduce(or_, others), Field(discriminator="command")]
        | Annotated[reduce(or_, about_access), Field(discriminator="act")]
    )


@cache
def _adapter() -> TypeAdapter[TwoPersonCommand]:
    return TypeAdapter(_union())
