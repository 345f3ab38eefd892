"""Tables through HTTP: one START GAME and one END GAME for all jackpots of a layout."""

from fastapi import APIRouter
from pydantic import Field

from feltwork.operations.tables import tables as operations
from feltwork.web.api.rounds import Ender, Misdealer, Starter, Takeover
from feltwork.web.fields import Body, Name, ReasonBody, Seat, TablePath
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import Watcher
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/tables/{table}", tags=["tables"], responses={**REFUSALS})


class TableStart(Body):
    """What both rows of sensors say when START GAME is pressed."""

    wagers: dict[Name, list[Seat]] = Field(
        max_length=4,
        description="For each link the seats with a jackpot chip.",
        examples=[{"sevens": [1, 2], "trilux": [1, 3]}],
    )
    players: list[Seat] = Field(
        max_length=12, description="Seats with a regular wager.", examples=[[1, 2, 3, 5]]
    )


@router.get("", summary="The round at a table")
def show(by: Watcher, table: TablePath) -> operations.TableView:
    """The present round on every link of the table, or the last one, and the buttons that answer."""
    return operations.table_round(by, table)


@router.post("/start", summary="START GAME")
def start(by: Starter, key: Key, table: TablePath, pressed: TableStart) -> operations.TableStartedView:
    """Lock the seats of every jackpot and book the round on each link, under one number [LT-01]."""
    wagers = {link: tuple(seats) for link, seats in pressed.wagers.items()}
    command = operations.StartGame(table=table, wagers=wagers, players=tuple(pressed.players))
    return key.run(by, operations.start_game, command)


@router.post("/end", summary="END GAME")
def end(by: Ender, key: Key, table: TablePath) -> operations.TableEndedView:
    """End the round on every link: what the tray pays is totaled and booked [LT-09]."""
    return key.run(by, operations.end_game, operations.EndGame(table=table))


@router.post("/misdeal", summary="MISDEAL")
def misdeal(by: Misdealer, key: Key, table: TablePath, why: ReasonBody) -> operations.TableVoidedView:
    """Void the round on every link: its wagers go back to the players."""
    return key.run(by, operations.void_round, operations.VoidRound(table=table, reason=why.reason))


@router.post("/takeover", summary="Take over a controller's round")
def take_over(by: Watcher, key: Key, table: TablePath, takes: Takeover) -> operations.TableView:
    """Go on at the screen with the open round of a controller that does not answer [GEN-07]."""
    supervisor = by.beside(takes.shown.badge, takes.shown.pin) if takes.shown else by
    return key.run(supervisor, operations.take_over, operations.TakeOver(table=table))
