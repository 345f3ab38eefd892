"""The sign: what the room sees of a link. It needs no sign-in and has no rights but to read this [LT-12]."""

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse

from feltwork.books.standing import look_at_meters
from feltwork.operations.errors import unknown
from feltwork.web import room, shown, told
from feltwork.web.callers import Books, Visitor
from feltwork.web.pages import page
from feltwork.web.screens import faces
from feltwork.web.words import LinkPath

router = APIRouter(prefix="/signs")


@router.get("")
def show_all(request: Request, connection: Books, visitor: Visitor) -> Response:
    """Every link that has a sign."""
    signs = [shown.on_sign(connection, link) for link in told.links(connection)]
    listed = {"site": room.site_name(connection), "signs": signs}
    return page(request, "signs.html", listed, me=visitor.actor.me if visitor else None)


@router.get("/{link}")
def show(request: Request, connection: Books, link: LinkPath) -> Response:
    """The sign of a link, for a kiosk."""
    sign = shown.on_sign(connection, link)
    rows = []
    wager = 0
    if sign["kind"] == "progressive":
        config = look_at_meters(connection, link).state.link
        wager = config.wager
        rows = [
            {**row, "cards": faces.example(config.jackpot, row["hand"])} for row in shown.paytable_of(config)
        ]
    told_all = {"site": room.site_name(connection), "sign": sign, "paytable": rows, "wager": wager}
    return page(request, "sign.html", told_all, me=None)


@router.get("/{link}/live")
def live(request: Request, connection: Books, link: LinkPath) -> StreamingResponse:
    """The same as server-sent events named `meters`, at each change and every few seconds besides."""
    # Only that there is such a link: a browser asks again after a stream that ends, not after an error.
    if link not in told.links(connection):
        raise unknown(f"link {link}")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    events = request.app.state.live.listen(link, to="sign")
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)
