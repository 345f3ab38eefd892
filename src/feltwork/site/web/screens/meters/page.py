"""The meters of a link: every figure of each level, and its tables [GL-01]."""

from fastapi import Request
from fastapi.responses import Response

from feltwork.site.books.links import meters
from feltwork.site.books.people import proposals
from feltwork.site.books.tables import table_status
from feltwork.site.web.fields import LinkPath
from feltwork.site.web.rendering.templating import page
from feltwork.site.web.security.auth import Watcher
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()


@router.get("/meters/{link}")
def show(request: Request, by: Watcher, link: LinkPath) -> Response:
    """Current, overflow, hits, wins, base, limit, and increments by level, and the participating tables."""
    view = meters.meters(by, link)
    return page(
        request,
        "meters.html",
        view,
        by=by,
        may={name: by.actor.may(name) for name in ("suspend", "resume")},
        proposals=[
            proposal
            for proposal in proposals.waiting_for(by)
            if proposal.command == "resume" and proposal.body["link"] == link
        ],
        tables=[
            {"id": table.id, "game": table.game, "phase": table.phase}
            for table in table_status.tables(by.connection, [link])
        ],
    )
