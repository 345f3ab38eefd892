"""Rounds over HTTP: the buttons of a jackpot."""

from functools import partial
from typing import Annotated, Literal

from fastapi import Depends, Request
from pydantic import Field

from feltwork.site.books.authorize import beside
from feltwork.site.books.awards.awards import ShownBadge
from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import verify_link
from feltwork.site.books.links.links import BookedView
from feltwork.site.books.tables import corrections
from feltwork.site.books.tables import rounds as operations
from feltwork.site.web.fields import (
    Body,
    Cards,
    LinkPath,
    Name,
    Seat,
    TablePath,
)
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/links/{link}", tags=["rounds"], responses={**REFUSALS})


class Covered(Body):
    """The covered seats."""

    covered: list[Seat] = Field(max_length=12, examples=[[1, 2, 5]])


class CorrectedSeat(Body):
    """The correct state of a locked seat."""

    seat: Seat = Field(examples=[5])
    wagered: bool = Field(
        strict=True, description="Whether the seat made the jackpot wager.", examples=[False]
    )
    shown: ShownBadge | None = Field(
        default=None, description="The supervisor, if someone else adds a seat at the table."
    )


class HandButton(Body):
    """A seat's hand button."""

    seat: Seat = Field(examples=[2])
    hand: Name = Field(examples=["four_aces"])
    cards: Cards = Field(
        default="",
        description="The winning cards, if known.",
        examples=["As Ah Ad Ac 2c"],
    )
    winners: list[Seat] = Field(
        default_factory=list,
        max_length=12,
        description="The winning side, where its seats divide the prize: one press covers all of them.",
        examples=[[]],
    )


class FoldedSeat(Body):
    """A seat, and whether it has folded."""

    seat: Seat = Field(examples=[4])
    folded: bool = Field(strict=True, examples=[True])


class TurnedKey(Body):
    """The new position of an Aquarius key."""

    to: Literal["JPH", "RUN"] = Field(examples=["JPH"])
    shown: ShownBadge | None = Field(
        default=None, description="The key holder, if someone else is signed in at the table."
    )


Starter = Annotated[Operation, Depends(Permitted("start_game"))]
Corrector = Annotated[Operation, Depends(Permitted("correct_seat"))]
Presser = Annotated[Operation, Depends(Permitted("press_hand"))]


@router.get("/tables/{table}", summary="The round at a table")
def show(by: Watcher, link: LinkPath, table: TablePath) -> operations.RoundView:
    """The current or last round, and the active buttons."""
    return operations.round_at(by, link, table)


@router.put("/tables/{table}/sensors", summary="Sensor readings")
def cover(request: Request, by: Starter, link: LinkPath, table: TablePath, sees: Covered) -> Covered:
    """Light seats on the dealer's screen; nothing is posted until START GAME [LT-01]."""
    verify_link(by.connection, link)
    request.app.state.sensors.see(link, table, sees.covered)
    return Covered(covered=request.app.state.sensors.covered(link, table) or [])


@router.post("/tables/{table}/correct", summary="Correct a locked seat")
def correct(by: Corrector, key: Key, link: LinkPath, table: TablePath, seat: CorrectedSeat) -> BookedView:
    """Post or return the wager of one seat before the first hand; a supervisor adds a seat [LT-01]."""
    command = corrections.CorrectSeat(link=link, table=table, seat=seat.seat, wagered=seat.wagered)
    shown = beside(by, seat.shown.badge, seat.shown.pin, about=table).actor if seat.shown else None
    return key.run(by, partial(corrections.correct_seat, shown=shown), command)


@router.post("/tables/{table}/hand", summary="A hand button")
def press(
    by: Presser, key: Key, link: LinkPath, table: TablePath, pressed: HandButton
) -> operations.PressedView:
    """Record a seat's hand; a meter hand makes a claim, and a second press clears it [LT-02]."""
    command = operations.PressHand(
        link=link,
        table=table,
        seat=pressed.seat,
        hand=pressed.hand,
        cards=pressed.cards,
        winners=tuple(pressed.winners),
    )
    return key.run(by, operations.press_hand, command)


@router.post("/tables/{table}/fold", summary="A seat that folds")
def fold(by: Presser, key: Key, link: LinkPath, table: TablePath, seat: FoldedSeat) -> operations.RoundView:
    """Mark or unmark a seat as folded where folded hands do not qualify; it cannot claim [LT-02]."""
    command = operations.FoldSeat(link=link, table=table, seat=seat.seat, folded=seat.folded)
    return key.run(by, operations.fold_seat, command)


@router.post("/tables/{table}/key", summary="The key of an Aquarius table")
def turn_key(
    by: Watcher, key: Key, link: LinkPath, table: TablePath, turned: TurnedKey
) -> operations.KeyView:
    """Turn the key to JPH, or back to RUN, which takes the logged awards from the meter."""
    holder = beside(by, turned.shown.badge, turned.shown.pin, about=table) if turned.shown else by
    return key.run(holder, operations.turn_key, operations.TurnKey(link=link, table=table, to=turned.to))
