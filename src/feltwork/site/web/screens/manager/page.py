"""The manager's page: notifications, claims, alarms, health, meters, today's figures, and who is on duty."""

from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import Response

from feltwork.site.books.context import Operation
from feltwork.site.books.links.versions import chain_ends
from feltwork.site.books.watch.notifications import notifications
from feltwork.site.books.watch.overview import overview
from feltwork.site.web.health import cannot_book
from feltwork.site.web.rendering.templating import fields_of, page
from feltwork.site.web.screens import claims
from feltwork.site.web.screens.alarms import shown_alarms
from feltwork.site.web.security.auth import Permitted
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter()
Overseer = Annotated[Operation, Depends(Permitted("oversee"))]
#: Maximum acknowledged notifications listed.
_MOST_ANSWERED = 5


@router.get("/manager")
def show(request: Request, by: Overseer) -> Response:
    """Items that need attention first, then the meters, today's hits and drop, and who is on duty."""
    state = request.app.state
    today = overview(by)
    notices = notifications(by).notifications
    drops = [link.drop for link in today.links if link.drop is not None]
    hits = [{"title": link.title, "hit": hit} for link in today.links for hit in link.hits]
    model = {
        **fields_of(today),
        "unanswered": [notice for notice in notices if not notice.acknowledged_by],
        "answered": [notice for notice in notices if notice.acknowledged_by][:_MOST_ANSWERED],
        "notifies": state.settings.notifications is not None,
        "claims": [
            claim for claim in claims.waiting(by.connection) if claim.status == "claimed" and claim.is_first
        ],
        "alarms": shown_alarms(by),
        "failed_tasks": sorted(state.tasks.failed),
        "failed_channels": state.live.failed,
        "cannot_book": cannot_book(state.feed, lambda: list(chain_ends(by.connection))),
        "hits": sorted(hits, key=lambda hit: -hit["hit"].at),
        "drop": sum(drops) if drops else None,
    }
    return page(request, "manager.html", model, by=by)
