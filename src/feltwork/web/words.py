"""Words: the kinds of values that requests are made of, each with its bounds."""

from typing import Annotated, Any

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.:+@-]{0,63}$"
#: Nothing that a screen, a log or the database could stumble over.
_SAID = r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"

Name = Annotated[str, StringConstraints(pattern=_NAME)]
Said = Annotated[str, StringConstraints(pattern=_SAID, max_length=500)]
Seat = Annotated[int, Field(ge=1, le=12, strict=True)]
RoundNumber = Annotated[int, Field(ge=1, le=10**12, strict=True)]
#: Millionths of the currency unit: 1,000,000 is one dollar.
Amount = Annotated[int, Field(ge=0, le=10**15, strict=True)]
#: Cards as people write them, groups parted by a stroke.
Cards = Annotated[str, StringConstraints(pattern=r"^[0-9TJQKAtjqkacdhs /]*$", max_length=100)]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=128)]

LinkPath = Annotated[Name, Path(description="The link.", examples=["crazy4"])]
TablePath = Annotated[Name, Path(description="The table.", examples=["C1"])]
AwardPath = Annotated[Name, Path(description="The award.", examples=["A-7f3c"])]


def _show_example(schema: dict[str, Any]) -> None:
    """Put an example of the whole body beside those of its fields, so that OpenAPI shows one that works."""
    fields = schema.get("properties", {})
    found = {
        name: field["examples"][0] if "examples" in field else field["const"]
        for name, field in fields.items()
        if "examples" in field or "const" in field
    }
    if set(schema.get("required", ())) <= set(found):
        schema["examples"] = [found]


class Body(BaseModel):
    """A request body: nothing in it is unknown."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_show_example)


class ShownBadge(Body):
    """A badge with its PIN: a badge alone is only a name."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(examples=["2580"])


class Reasoned(Body):
    """A reason, in the words of the person who gives it."""

    reason: Said = Field(examples=["a card was exposed"])
