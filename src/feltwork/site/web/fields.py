"""Request bodies and path parameters, with the field types of the operations."""

from typing import Annotated

from fastapi import Path
from pydantic import BaseModel, ConfigDict, Field

from feltwork.site.books.fields import COMMAND, Amount, Cards, Name, RoundNumber, Seat, Secret, Statement

__all__ = ["Amount", "Cards", "Name", "RoundNumber", "Seat", "Secret", "Statement"]

LinkPath = Annotated[Name, Path(description="The link.", examples=["crazy4"])]
TablePath = Annotated[Name, Path(description="The table.", examples=["C1"])]
AwardPath = Annotated[Name, Path(description="The award.", examples=["A-7f3c"])]


class Body(BaseModel):
    """A request body without unknown fields."""

    model_config = ConfigDict(**COMMAND, frozen=True)


class ReasonBody(Body):
    """A reason given by a person."""

    reason: Statement = Field(examples=["Exposed card"])
