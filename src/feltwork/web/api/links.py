"""Links through HTTP: how they stand, live, and the commands that stop and count them."""

from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from feltwork.operations.links import links
from feltwork.operations.links.links import BookedView, CountFunds, LinksView, LinkView, StopLink, StoppedView
from feltwork.web.fields import Amount, Body, LinkPath, Statement
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key

router = APIRouter(prefix="/links", tags=["links"], responses={**REFUSALS})


class StopRequest(Body):
    """Why wagering stops."""

    cause: Literal["suspended", "seized"] = Field(examples=["suspended"])
    reason: Statement = Field(examples=["a sensor fails at C1"])
    malfunction: bool = Field(default=False, description="Open an incident with it [WA-32].")


class BankCount(Body):
    """What the bank says."""

    bank_balance: Amount = Field(description="Millionths.", examples=[10_000_000_000])


@router.get("", summary="Every link")
def show_all(by: SignedIn) -> LinksView:
    """Every link."""
    return links.links(by)


@router.get("/{link}", summary="How a link stands")
def show(by: SignedIn, link: LinkPath) -> LinkView:
    """Meters, reserves, stops and the end of its chain."""
    return links.link(by, link)


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
def live(request: Request, by: SignedIn, link: LinkPath) -> StreamingResponse:
    """Server-sent events named `meters`: at once, at each change, and every few seconds besides."""
    links.link(by, link)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    events = request.app.state.live.listen(link)
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


@router.post("/{link}/stop", summary="Stop wagering")
def stop(by: SignedIn, key: Key, link: LinkPath, stopped: StopRequest) -> StoppedView:
    """Stop wagering at once; to take wagers again is a proposal of two people [WA-20]."""
    return key.run(by, links.stop, StopLink(link=link, **stopped.model_dump()))


@router.post("/{link}/count", summary="Compare with the bank")
def count(by: SignedIn, key: Key, link: LinkPath, counted: BankCount) -> BookedView:
    """Compare the bank with all that is held for players; a shortfall stops the link [WA-18]."""
    return key.run(by, links.count_funds, CountFunds(link=link, bank_balance=counted.bank_balance))
