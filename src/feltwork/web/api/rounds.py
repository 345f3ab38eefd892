"""Rounds through HTTP: the buttons of a table, and batches from tables that keep their own rounds."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from pydantic import Field

from feltwork.operations.awards.awards import ShownBadge
from feltwork.operations.context import Operation
from feltwork.operations.floors.site import verify_link
from feltwork.operations.links.links import BookedView
from feltwork.operations.tables import corrections, tables
from feltwork.operations.tables import rounds as operations
from feltwork.web.fields import (
    Body,
    Cards,
    LinkPath,
    Name,
    ReasonBody,
    Seat,
    TablePath,
)
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import Permitted, Watcher
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/links/{link}", tags=["rounds"], responses={**REFUSALS})


class Start(Body):
    """What the sensors say when START GAME is pressed."""

    covered: list[Seat] = Field(max_length=12, description="Seats with a jackpot chip.", examples=[[1, 2, 5]])
    players: list[Seat] = Field(
        max_length=12, description="Seats with a regular wager.", examples=[[1, 2, 5, 6]]
    )


class Covered(Body):
    """The seats whose sensor has a chip on it."""

    covered: list[Seat] = Field(max_length=12, examples=[[1, 2, 5]])


class CorrectedSeat(Body):
    """A locked seat as it should be."""

    seat: Seat = Field(examples=[5])
    wagered: bool = Field(
        strict=True, description="Whether the seat has made the jackpot wager.", examples=[False]
    )


class HandButton(Body):
    """A seat's hand button."""

    seat: Seat = Field(examples=[2])
    hand: Name = Field(examples=["four_aces"])
    cards: Cards = Field(
        default="",
        description="The winning cards, where somebody has named them.",
        examples=["As Ah Ad Ac 2c"],
    )


class TurnedKey(Body):
    """Where the key of an Aquarius table is turned to."""

    to: Literal["JPH", "RUN"] = Field(examples=["JPH"])
    shown: ShownBadge | None = Field(
        default=None, description="Whose key it is, where somebody else is signed in at the table."
    )


class Takeover(Body):
    """Who takes the round over."""

    shown: ShownBadge | None = Field(
        default=None, description="The supervisor's badge, where somebody else is signed in at the table."
    )


class RoundBatch(Body):
    """Rounds of one link, in any order; those that are known are left out."""

    rounds: list[operations.KeptRound] = Field(
        min_length=1,
        max_length=2_000,
        examples=[
            [
                {
                    "table": "C1",
                    "round": 101,
                    "at": 1_800_000_000_000_000,
                    "wager": 1_000_000,
                    "seats": [1, 2, 5],
                }
            ]
        ],
    )


Starter = Annotated[Operation, Depends(Permitted("start_game"))]
Corrector = Annotated[Operation, Depends(Permitted("correct_seat"))]
Presser = Annotated[Operation, Depends(Permitted("press_hand"))]
Ender = Annotated[Operation, Depends(Permitted("end_game"))]
Misdealer = Annotated[Operation, Depends(Permitted("misdeal"))]


@router.get("/tables/{table}", summary="The round at a table")
def show(by: Watcher, link: LinkPath, table: TablePath) -> operations.RoundView:
    """The present round, or the last one, and the buttons that answer."""
    return operations.round_at(by, link, table)


@router.put("/tables/{table}/sensors", summary="What the sensors see")
def cover(request: Request, by: Starter, link: LinkPath, table: TablePath, sees: Covered) -> Covered:
    """Light the seats on the dealer's screen. Nothing is booked: START GAME locks what is covered [LT-01]."""
    verify_link(by.connection, link)
    request.app.state.sensors.see(link, table, sees.covered)
    return Covered(covered=request.app.state.sensors.covered(link, table) or [])


@router.post("/tables/{table}/start", summary="START GAME")
def start(by: Starter, key: Key, link: LinkPath, table: TablePath, pressed: Start) -> operations.StartedView:
    """Lock the seats of this jackpot alone, and book the round [LT-01]."""
    wagers = {link: tuple(pressed.covered)}
    command = tables.StartGame(table=table, link=link, wagers=wagers, players=tuple(pressed.players))
    return key.run(by, tables.start_game, command).started[link]


@router.post("/tables/{table}/correct", summary="Correct a locked seat")
def correct(by: Corrector, key: Key, link: LinkPath, table: TablePath, seat: CorrectedSeat) -> BookedView:
    """Book the wager of one seat, or give it back, before the first hand of the round is named [LT-01]."""
    command = corrections.CorrectSeat(link=link, table=table, seat=seat.seat, wagered=seat.wagered)
    return key.run(by, corrections.correct_seat, command)


@router.post("/tables/{table}/hand", summary="A hand button")
def press(
    by: Presser, key: Key, link: LinkPath, table: TablePath, pressed: HandButton
) -> operations.PressedView:
    """Name a seat's hand; where a meter pays it a claim is made. The same button again clears it [LT-02]."""
    command = operations.PressHand(
        link=link, table=table, seat=pressed.seat, hand=pressed.hand, cards=pressed.cards
    )
    return key.run(by, operations.press_hand, command)


@router.post("/tables/{table}/key", summary="The key of an Aquarius table")
def turn_key(
    by: Watcher, key: Key, link: LinkPath, table: TablePath, turned: TurnedKey
) -> operations.KeyView:
    """Turn the key to JPH, or back to RUN: what was logged then leaves the meter."""
    holder = by.beside(turned.shown.badge, turned.shown.pin) if turned.shown else by
    return key.run(holder, operations.turn_key, operations.TurnKey(link=link, table=table, to=turned.to))


@router.post("/tables/{table}/end", summary="END GAME")
def end(by: Ender, key: Key, link: LinkPath, table: TablePath) -> operations.EndedView:
    """End the round of this jackpot alone: what the tray pays is totaled and booked [LT-09]."""
    return key.run(by, tables.end_game, tables.EndGame(table=table, link=link)).ended[link]


@router.post("/tables/{table}/misdeal", summary="MISDEAL")
def misdeal(by: Misdealer, key: Key, link: LinkPath, table: TablePath, why: ReasonBody) -> BookedView:
    """Void the round of this jackpot alone: its wagers go back to the players."""
    command = tables.VoidRound(table=table, link=link, reason=why.reason)
    return key.run(by, tables.void_round, command).voided[link]


@router.post("/tables/{table}/takeover", summary="Take over a controller's round")
def take_over(
    by: Watcher, key: Key, link: LinkPath, table: TablePath, takes: Takeover
) -> operations.RoundView:
    """Go on at the screen with the open round of a controller that does not answer [GEN-07]."""
    supervisor = by.beside(takes.shown.badge, takes.shown.pin) if takes.shown else by
    return key.run(supervisor, tables.take_over, tables.TakeOver(table=table, link=link)).links[link]


@router.post("/rounds", summary="A batch of rounds")
def book(by: Starter, key: Key, link: LinkPath, batch: RoundBatch) -> operations.BatchView:
    """Book rounds that tables have kept, in one transaction; each is booked once for ever [GEN-11]."""
    command = operations.BookRounds(link=link, rounds=tuple(batch.rounds))
    return key.run(by, operations.book_kept_rounds, command)
