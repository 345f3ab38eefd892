"""Links over HTTP: state, live meters, stops, and bank counts."""

from typing import Annotated, Literal

from fastapi import Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from feltwork.site.books.links import bank_counts, links
from feltwork.site.books.links.bank_counts import CountFunds
from feltwork.site.books.links.links import BookedView, LinksView, LinkView, StopLink, StoppedView
from feltwork.site.web.fields import Amount, Body, LinkPath, Statement
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.security.limits import stream
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/links", tags=["links"], responses={**REFUSALS})


class StopRequest(Body):
    """The reason to stop wagers."""

    cause: Literal["suspended", "seized"] = Field(examples=["suspended"])
    reason: Statement = Field(examples=["Failed sensor at C1"])
    malfunction: bool = Field(default=False, description="Open an incident too [WA-32].")


class CountRequest(Body):
    """The bank balance as of a cutoff."""

    bank_balance: Amount = Field(description="Millionths.", examples=[10_000_000_000])
    entry: Annotated[int, Field(ge=0, le=2**53, strict=True)] | None = Field(
        default=None, description="The last entry before the cutoff; the last one of all if left out."
    )


@router.get("", summary="Every link")
def show_all(by: SignedIn, page: Paged) -> LinksView:
    """Every link."""
    view = links.links(by)
    return page.of(view, "links", view.links, lambda link: link.link)


@router.get("/{link}", summary="A link")
def show(by: SignedIn, link: LinkPath) -> LinkView:
    """Meters, reserves, stops, and the last entry of its chain."""
    return links.link(by, link)


@router.get(
    "/{link}/live",
    summary="Live meters",
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
    """Server-sent `meters` events: immediately, on each change, and every few seconds."""
    links.link(by, link)
    return stream(request, request.app.state.live.listen(link))


@router.post("/{link}/stop", summary="Stop wagers")
def stop(by: SignedIn, key: Key, link: LinkPath, stopped: StopRequest) -> StoppedView:
    """Stop wagers immediately; resuming takes a two-person proposal [WA-20]."""
    return key.run(by, links.stop, StopLink(link=link, **stopped.model_dump()))


@router.post("/{link}/count", summary="Reconcile with the bank")
def count(by: SignedIn, key: Key, link: LinkPath, counted: CountRequest) -> BookedView:
    """Compare the bank balance with the player funds at the cutoff; a shortfall stops the link [WA-18]."""
    return key.run(by, bank_counts.count_funds, CountFunds(link=link, **counted.model_dump()))
