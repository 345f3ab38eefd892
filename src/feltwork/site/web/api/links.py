"""Links over HTTP: state, live meters, stops, and bank counts."""

from fastapi import Request
from fastapi.responses import StreamingResponse

from feltwork.site.books.links import links
from feltwork.site.books.links.links import BookedView, CountFunds, LinksView, LinkView, StopLink, StoppedView
from feltwork.site.web.fields import LinkPath
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.security.limits import stream
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/links", tags=["links"], responses={**REFUSALS})


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
def stop(by: SignedIn, key: Key, link: LinkPath, stopped: StopLink) -> StoppedView:
    """Stop wagers immediately; resuming takes a two-person proposal [WA-20]."""
    return key.run(by, links.stop, link, stopped)


@router.post("/{link}/count", summary="Reconcile with the bank")
def count(by: SignedIn, key: Key, link: LinkPath, counted: CountFunds) -> BookedView:
    """Compare the bank balance with the player funds at the cutoff; a shortfall stops the link [WA-18]."""
    return key.run(by, links.count_funds, link, counted)
