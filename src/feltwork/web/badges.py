"""Badges that are shown to confirm an award: each with its PIN, each let by the rules about people."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from pydantic import Field

from feltwork.compliance.two_person import Command
from feltwork.operations.authorize import authorize, deeds_of
from feltwork.operations.context import Operation
from feltwork.progressive.people import Badge
from feltwork.progressive.state import Award
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
        description="How the first badge signs the payout in the same breath; later without it.",
        examples=[None],
    )


def proved(by: Operation, claims: Sequence[Award], shown: Confirmation, link: str) -> list[Operation]:
    """Every badge proved, and its person let by the rules; wrong PINs count although nothing is booked."""
    found = []
    for one in shown.badges:
        shows = by.beside(one.badge, one.pin)
        name = "confirm_executive" if shows.actor.role == "executive" else "confirm"
        for claim in claims:
            authorize(shows, Command(name=name, about=claim.id), deeds=deeds_of(by.connection, link, claim))
        found.append(shows)
    return found


def badge_of(shows: Operation) -> Badge:
    """The badge as the rules of awards know it."""
    return Badge(shows.actor.id, "executive" if shows.actor.role == "executive" else "supervisor")


def shown_badges(by: Operation, claims: Sequence[Award], shown: Confirmation, link: str) -> list[Badge]:
    """The badges of those who were proved."""
    return [badge_of(one) for one in proved(by, claims, shown, link)]
