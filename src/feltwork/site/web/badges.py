"""The badges presented to confirm an award, each with its PIN."""

from pydantic import Field

from feltwork.site.books.awards.awards import Form, ShownBadge
from feltwork.site.web.fields import Amount, Body, Cards, Name

__all__ = ["Form", "ShownBadges"]


class ShownBadges(Body):
    """A supervisor's badge, and an executive's above the link's executive level."""

    badges: list[ShownBadge] = Field(
        min_length=1, max_length=3, examples=[[{"badge": "B-17", "pin": "2580"}]]
    )
    amount: Amount = Field(
        description="The amount confirmed, in millionths: the sum of all awards confirmed together.",
        examples=[10_000_000_000],
    )
    also: list[Name] | None = Field(
        default=None,
        max_length=12,
        description="Claims confirmed with it; by default those that share its prize [LT-08].",
        examples=[None],
    )
    pay: Form | None = Field(
        default=None,
        description="How the dealer pays now, witnessed by the first badge; omit it to pay later.",
        examples=[None],
    )
    cards: dict[Name, Cards] = Field(
        default={},
        max_length=12,
        description="The winning cards by award, where none are entered; needed above the executive level.",
        examples=[{}],
    )

    @property
    def shown(self) -> tuple[ShownBadge, ...]:
        """The badges as a tuple."""
        return tuple(self.badges)
