"""Signs: the public, read-only display of a link [LT-12]."""

from dataclasses import asdict
from functools import cache
from importlib.resources import files

from fastapi import Request
from fastapi.responses import Response, StreamingResponse

from feltwork.site.books.context import Operation
from feltwork.site.books.links import signs
from feltwork.site.web.fields import LinkPath, TablePath
from feltwork.site.web.rendering import hand_faces
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.security.auth import Anyone, Books, Visitor
from feltwork.site.web.security.limits import stream
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/signs")


@router.get("")
def show_all(request: Request, connection: Books, visitor: Visitor) -> Response:
    """The list of signs."""
    return page(request, "signs.html", signs.signs(connection), by=visitor)


@router.get("/{link}")
def show(request: Request, by: Anyone, link: LinkPath) -> Response:
    """The sign of a link."""
    return _page(request, by, signs.sign_page(by.connection, link))


@router.get("/tables/{table}")
def show_table(request: Request, by: Anyone, table: TablePath) -> Response:
    """The sign of a table, with all of its jackpots."""
    return _page(request, by, signs.table_sign(by.connection, table))


def _page(request: Request, by: Operation, view: signs.SignPage) -> Response:
    rows = [{**asdict(row), "cards": hand_faces.example(view.jackpot, row.hand)} for row in view.paytable]
    return page(request, "sign.html", view, by=by, paytable=rows, art=art_of(view.jackpot))


@cache
def art_of(jackpot: str) -> str:
    """The address of a jackpot's art; a jackpot without art gets the four suits."""
    drawn = files("feltwork.site.web").joinpath(f"static/art/{jackpot}.svg").is_file()
    return f"/static/art/{jackpot if drawn else 'jackpot'}.svg"


@router.get("/{link}/live")
def live(request: Request, connection: Books, link: LinkPath) -> StreamingResponse:
    """Server-sent `meters` events, on each change and every few seconds."""
    # Check only that the link exists: a browser reconnects after a stream ends, not after an error.
    signs.verify_sign(connection, link)
    return stream(request, request.app.state.live.listen(link, to="sign"))
