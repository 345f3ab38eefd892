"""The answers of the service as types, each with an example: what OpenAPI tells a caller to expect."""

from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict

V = TypeVar("V")


def shown(**example: Any) -> ConfigDict:
    """The configuration of a model that shows an example of itself."""
    return ConfigDict(json_schema_extra={"examples": [example]})


def with_example(view: type[V], **example: Any) -> type[V]:
    """A view of an operation as an answer that shows an example of itself."""
    view.__pydantic_config__ = shown(**example)  # type: ignore[attr-defined]
    return view


class Told(BaseModel):
    """Something that the service answers."""
