"""Badges that are shown to confirm an award: each with its PIN."""

from typing import Literal, TypeAlias

from pydantic import Field

from feltwork.operations import awards
from feltwork.web.words import Amount, Body, Name, ShownBadge

Form: TypeAlias = Literal["chips", "cash", "check"]


class Confirmation(Body):
    """The badges shown: a supervisor's, and an executive's above the level of the link."""

    badges: list[ShownBadge] = Field(
        min_length=1, max_length=3, examples=[[{"badge": "B-17", "pin": "2580"}]]
    )
    amount: Amount = Field(
        description="What is confirmed, millionths: the sum of all awards that are confirmed together.",
        examples=[10_000_000_000],
    )
    also: list[Name] | None = Field(
        default=None,
        max_length=12,
        description="Claims confirmed with it; without a list those that share its prize [LT-08].",
        examples=[None],
    )
    pay: Form | None = Field(
        default=None,
        description="How the dealer pays right away while the first badge watches; later without it.",
        examples=[None],
    )

    @property
    def shown(self) -> tuple[awards.ShownBadge, ...]:
        """The badges as operations take them."""
        return tuple(awards.ShownBadge(badge=one.badge, pin=one.pin) for one in self.badges)
