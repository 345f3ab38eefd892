"""Notifications over HTTP: list the latest, and acknowledge one."""

from typing import Annotated

from fastapi import Path

from feltwork.site.books.watch import notifications
from feltwork.site.books.watch.notifications import Notification, NotificationsView
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/notifications", tags=["notifications"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The notification.", examples=[17])]


@router.get("", summary="The last notifications")
def show_all(by: SignedIn, page: Paged) -> NotificationsView:
    """The latest notifications, newest first: recipients, times, failures, and acknowledgments."""
    view = notifications.notifications(by)
    return page.of(view, "notifications", view.notifications, lambda notification: notification.number)


@router.post("/{number}/acknowledge", summary="Acknowledge a notification")
def acknowledge(by: SignedIn, key: Key, number: Number) -> Notification:
    """Acknowledge a notification and end its escalation; only the first acknowledgment counts."""
    return key.run(by, notifications.acknowledge, number)
