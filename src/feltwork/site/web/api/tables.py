"""Tables over HTTP: one START GAME and one END GAME for every jackpot on the layout, or for one of them."""

from functools import partial
from typing import Annotated

from fastapi import Depends, Query, Request
from pydantic import Field

from feltwork.site.books.authorize import beside
from feltwork.site.books.awards.awards import ShownBadge
from feltwork.site.books.context import Operation
from feltwork.site.books.tables import tables as operations
from feltwork.site.web.api.rounds import Starter
from feltwork.site.web.fields import Body, Name, ReasonBody, Seat, TablePath
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/tables/{table}", tags=["tables"], responses={**REFUSALS})


Ender = Annotated[Operation, Depends(Permitted("end_game"))]
OneLink = Annotated[
    Name | None, Query(alias="link", description="This jackpot only; without it, all of them.")
]


class TableStart(Body):
    """The chips when START GAME is pressed."""

    wagers: dict[Name, list[Seat]] = Field(
        default_factory=dict,
        max_length=4,
        description="The seats with a jackpot chip, by link; by default, those with a covered sensor.",
        examples=[{"sevens": [1, 2], "trilux": [1, 3]}],
    )
    players: list[Seat] | None = Field(
        default=None,
        max_length=12,
        description="Seats with a regular wager; by default, those with a jackpot chip.",
        examples=[[1, 2, 3, 5]],
    )


class SupervisorBadge(Body):
    """The supervisor who authorizes it."""

    shown: ShownBadge | None = Field(
        default=None, description="The supervisor's badge, if someone else is signed in at the table."
    )


class Misdeal(ReasonBody, SupervisorBadge):
    """The reason to void the round, and the supervisor who authorizes it."""


@router.get("", summary="The round at a table")
def show(by: Watcher, table: TablePath) -> operations.TableView:
    """The current or last round on every link of the table, and the active buttons."""
    return operations.table_round(by, table)


@router.post("/start", summary="START GAME")
def start(
    request: Request, by: Starter, key: Key, table: TablePath, pressed: TableStart, link: OneLink = None
) -> operations.TableStartedView:
    """Lock the seats of every jackpot and post the round on each link, under one number [LT-01].

    Listed seats must be those whose sensors are covered, unless the table has no sensor signal.
    """
    wagers = {name: tuple(seats) for name, seats in pressed.wagers.items()}
    players = None if pressed.players is None else tuple(pressed.players)
    command = operations.StartGame(table=table, wagers=wagers, players=players, link=link or "")
    sensors = request.app.state.sensors.at_table(table)
    return key.run(by, partial(operations.start_game, sensors=sensors), command)


@router.post("/end", summary="END GAME")
def end(by: Ender, key: Key, table: TablePath, link: OneLink = None) -> operations.TableEndedView:
    """End the round on every link, and total and post the tray pays [LT-09]."""
    return key.run(by, operations.end_game, operations.EndGame(table=table, link=link or ""))


@router.post("/misdeal", summary="MISDEAL")
def misdeal(
    by: Watcher, key: Key, table: TablePath, why: Misdeal, link: OneLink = None
) -> operations.TableVoidedView:
    """Void the round on every link and return its wagers to the players."""
    supervisor = beside(by, why.shown.badge, why.shown.pin, about=table) if why.shown else by
    command = operations.VoidRound(table=table, reason=why.reason, link=link or "")
    return key.run(supervisor, operations.void_round, command)


@router.post("/takeover", summary="Take over a controller's round")
def take_over(
    by: Watcher, key: Key, table: TablePath, takes: SupervisorBadge, link: OneLink = None
) -> operations.TableView:
    """Finish the open round of an unresponsive controller on the screen [GEN-07]."""
    supervisor = beside(by, takes.shown.badge, takes.shown.pin, about=table) if takes.shown else by
    return key.run(supervisor, operations.take_over, operations.TakeOver(table=table, link=link or ""))
