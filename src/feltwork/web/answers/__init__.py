"""The answers of the service as types, each with an example: what OpenAPI tells a caller to expect."""

from typing import Any

from pydantic import BaseModel, ConfigDict


def shown(**example: Any) -> ConfigDict:
    """The configuration of a model that shows an example of itself."""
    return ConfigDict(json_schema_extra={"examples": [example]})


class Told(BaseModel):
    """Something that the service answers."""
