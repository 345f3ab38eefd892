"""Field types of commands with their bounds, and the examples that OpenAPI shows."""

import json
from importlib.resources import files
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, StringConstraints

from feltwork.toml_locations import MOST_CHARACTERS

T = TypeVar("T")
_EXAMPLES: dict[str, dict[str, Any]] = json.loads(
    files("feltwork.site.books").joinpath("examples.json").read_text(encoding="utf-8")
)
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9_.:+@-]{0,63}$"
#: Text that is not blank and has no control characters, which could upset a screen, a log or the database.
STATEMENT_PATTERN = r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"

Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN)]
Statement = Annotated[str, StringConstraints(pattern=STATEMENT_PATTERN, max_length=500)]
Seat = Annotated[int, Field(ge=1, le=12, strict=True)]
CARDS_PATTERN = r"^[0-9TJQKAtjqkacdhs /]*$"
#: Cards such as ``As Kh``; a slash separates groups.
Cards = Annotated[str, StringConstraints(pattern=CARDS_PATTERN, max_length=100)]
RoundNumber = Annotated[int, Field(ge=1, le=10**12, strict=True)]
#: Millionths of the currency unit: 1,000,000 is one dollar.
Amount = Annotated[int, Field(ge=0, le=10**15, strict=True)]
#: Signed amount; a negative one is taken away.
SignedAmount = Annotated[int, Field(ge=-(10**15), le=10**15, strict=True)]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=128)]
FloorText = Annotated[
    str,
    Field(
        max_length=MOST_CHARACTERS,
        pattern=r"^[^\x00]*$",
        description="The floor file, word for word.",
        examples=['site = "Evergreen Card Room"'],
    ),
]


def _show_example(schema: dict[str, Any]) -> None:
    """Add an example of the whole command, built from the examples of its fields."""
    fields = schema.get("properties", {})
    example = {
        name: field["examples"][0] if "examples" in field else field["const"]
        for name, field in fields.items()
        if "examples" in field or "const" in field
    }
    if set(schema.get("required", ())) <= set(example):
        schema["examples"] = [example]


#: Configuration of a command: unknown fields are refused, and OpenAPI shows an example.
COMMAND = ConfigDict(extra="forbid", json_schema_extra=_show_example)


def example(**values: Any) -> ConfigDict:
    """Return the configuration of a view with an example for OpenAPI."""
    return ConfigDict(json_schema_extra={"examples": [values]})


def with_example(view: type[T]) -> type[T]:
    """Attach the view's example from ``examples.json``, which OpenAPI shows."""
    view.__pydantic_config__ = example(**_EXAMPLES[view.__name__])  # type: ignore[attr-defined]
    return view
