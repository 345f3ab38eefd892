"""Tables over HTTP: one START GAME and one END GAME for every jackpot on the layout, or for one of them."""

from typing import Annotated

from fastapi import Depends, Query, Request

from feltwork.site.books.context import Operation
from feltwork.site.books.tables import tables as operations
from feltwork.site.web.api.rounds import Starter
from feltwork.site.web.fields import Name, TablePath
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import Permitted, Watcher
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/tables/{table}", tags=["tables"], responses={**REFUSALS})


Ender = Annotated[Operation, Depends(Permitted("end_game"))]
OneLink = Annotated[
    Name | None, Query(alias="link", description="This jackpot only; without it, all of them.")
]


@router.get("", summary="The round at a table")
def show(by: Watcher, table: TablePath) -> operations.TableView:
    """The current or last round on every link of the table, and the active buttons."""
    return operations.table_round(by, table)


@router.post("/start", summary="START GAME")
def start(
    request: Request,
    by: Starter,
    key: Key,
    table: TablePath,
    pressed: operations.TableStart,
    link: OneLink = None,
) -> operations.TableStartedView:
    """Lock the seats of every jackpot and post the round on each link, under one number [LT-01].

    Listed seats must be those whose sensors are covered, unless the table has no sensor signal.
    """
    sensors = request.app.state.sensors.at_table(table)
    return key.run(by, operations.start_game, table, link or "", pressed, sensors=sensors)


@router.post("/end", summary="END GAME")
def end(by: Ender, key: Key, table: TablePath, link: OneLink = None) -> operations.TableEndedView:
    """End the round on every link, and total and post the tray pays [LT-09]."""
    return key.run(by, operations.end_game, table, link or "")


@router.post("/misdeal", summary="MISDEAL")
def misdeal(
    by: Watcher, key: Key, table: TablePath, why: operations.Misdeal, link: OneLink = None
) -> operations.TableVoidedView:
    """Void the round on every link and return its wagers to the players."""
    return key.run(by, operations.void_round, table, link or "", why)


@router.post("/takeover", summary="Take over a controller's round")
def take_over(
    by: Watcher, key: Key, table: TablePath, takes: operations.SupervisorBadge, link: OneLink = None
) -> operations.TableView:
    """Finish the open round of an unresponsive controller on the screen [GEN-07]."""
    return key.run(by, operations.take_over, table, link or "", takes)
