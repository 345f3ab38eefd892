"""Rounds over HTTP: the buttons of a jackpot."""

from typing import Annotated

from fastapi import Depends, Request
from pydantic import Field

from feltwork.site.books.context import Operation
from feltwork.site.books.floors.site import verify_link
from feltwork.site.books.links.links import BookedView
from feltwork.site.books.tables import tables as operations
from feltwork.site.web.fields import (
    Body,
    LinkPath,
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
def correct(
    by: Corrector, key: Key, link: LinkPath, table: TablePath, seat: operations.CorrectedSeat
) -> BookedView:
    """Post or return the wager of one seat before the first hand; a supervisor adds a seat [LT-01]."""
    return key.run(by, operations.correct_seat, link, table, seat)


@router.post("/tables/{table}/hand", summary="A hand button")
def press(
    by: Presser, key: Key, link: LinkPath, table: TablePath, pressed: operations.HandButton
) -> operations.PressedView:
    """Record a seat's hand; a meter hand makes a claim, and a second press clears it [LT-02]."""
    return key.run(by, operations.press_hand, link, table, pressed)


@router.post("/tables/{table}/fold", summary="A seat that folds")
def fold(
    by: Presser, key: Key, link: LinkPath, table: TablePath, seat: operations.FoldedSeat
) -> operations.RoundView:
    """Mark or unmark a seat as folded where folded hands do not qualify; it cannot claim [LT-02]."""
    return key.run(by, operations.fold_seat, link, table, seat)


@router.post("/tables/{table}/key", summary="The key of an Aquarius table")
def turn_key(
    by: Watcher, key: Key, link: LinkPath, table: TablePath, turned: operations.TurnedKey
) -> operations.KeyView:
    """Turn the key to JPH, or back to RUN, which takes the logged awards from the meter."""
    return key.run(by, operations.turn_key, link, table, turned)
