"""Links through HTTP: how they stand, live, and the commands that stop and count them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from feltwork.books import life
from feltwork.books.incidents import open_incident
from feltwork.books.standing import look_at_meters
from feltwork.operations.context import Operation
from feltwork.web import told
from feltwork.web.answers import play
from feltwork.web.callers import Permitted, Watcher
from feltwork.web.once import Key
from feltwork.web.refusals import REFUSALS
from feltwork.web.words import Amount, Body, LinkPath, Said

router = APIRouter(prefix="/links", tags=["links"], responses={**REFUSALS})


class Stop(Body):
    """Why wagering stops."""

    cause: Literal["suspended", "seized"] = Field(examples=["suspended"])
    reason: Said = Field(examples=["a sensor fails at C1"])
    malfunction: bool = Field(default=False, description="Open an incident with it [WA-32].")


class BankCount(Body):
    """What the bank says."""

    bank_balance: Amount = Field(description="Millionths.", examples=[10_000_000_000])


Suspender = Annotated[Operation, Depends(Permitted("suspend"))]
Accountant = Annotated[Operation, Depends(Permitted("count_funds"))]


@router.get("", summary="Every link", response_model=play.Links)
def show_all(by: Watcher) -> dict[str, Any]:
    """Every link and house jackpot."""
    return {"links": [{"link": link, "kind": kind} for link, kind in told.links(by.connection).items()]}


@router.get("/{link}", summary="How a link stands", response_model=play.LinkTold)
def show(by: Watcher, link: LinkPath) -> dict[str, Any]:
    """Meters, reserves, stops and the end of its chain."""
    told.verify_link(by.connection, link)
    return told.link(look_at_meters(by.connection, link))


@router.get(
    "/{link}/live",
    summary="The meters as they move",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {
                "text/event-stream": {
                    "schema": {"type": "string"},
                    "example": 'id: 412\nevent: meters\ndata: {"link": "crazy4"}\n\n',
                }
            }
        }
    },
)
def live(request: Request, by: Watcher, link: LinkPath) -> StreamingResponse:
    """Server-sent events named `meters`: at once, at each change, and every few seconds besides."""
    told.verify_link(by.connection, link)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    events = request.app.state.live.listen(link)
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@router.post("/{link}/stop", summary="Stop wagering", response_model=play.Stopped)
def stop(by: Suspender, key: Key, link: LinkPath, stopped: Stop) -> dict[str, Any]:
    """Stop wagering at once; to take wagers again is a proposal of two people [WA-20]."""
    told.verify_link(by.connection, link)

    def act() -> dict[str, Any]:
        done = life.stop(by.connection, link, cause=stopped.cause, reason=stopped.reason, by=by.actor.id)
        number = None
        if stopped.malfunction:
            number = open_incident(by.connection, what=stopped.reason, by=by.actor.id, link=link)
        return {**told.done(done), "incident": number}

    return key.do(by, stopped.model_dump(), act, why=stopped.reason)


@router.post("/{link}/count", summary="Compare with the bank", response_model=play.Done)
def count(by: Accountant, key: Key, link: LinkPath, counted: BankCount) -> dict[str, Any]:
    """Compare the bank with all that is held for players; a shortfall stops the link [WA-18]."""
    told.verify_link(by.connection, link)
    return key.do(
        by,
        counted.model_dump(),
        lambda: told.done(
            life.count_funds(by.connection, link, bank_balance=counted.bank_balance, by=by.actor.id)
        ),
    )
