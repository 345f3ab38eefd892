"""Badges that are shown to confirm an award: each with its PIN."""

from pydantic import Field

from feltwork.operations.awards.awards import Form, ShownBadge
from feltwork.web.fields import Amount, Body, Name

__all__ = ["Form", "ShownBadges"]


class ShownBadges(Body):
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
    def shown(self) -> tuple[ShownBadge, ...]:
        """The badges as operations take them."""
        return tuple(self.badges)
