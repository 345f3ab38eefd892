"""Notifications over HTTP: the last ones, and their acknowledgment."""

from typing import Annotated

from fastapi import Path

from feltwork.operations.records import notifications
from feltwork.operations.records.notifications import Acknowledge, NotificationsView, NotificationView
from feltwork.web.pages import Paged
from feltwork.web.problem_responses import REFUSALS
from feltwork.web.security.auth import SignedIn
from feltwork.web.security.idempotency import Key
from feltwork.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/notifications", tags=["notifications"], responses={**REFUSALS})
Number = Annotated[int, Path(ge=1, le=2**62, description="The notification.", examples=[17])]


@router.get("", summary="The last notifications")
def show_all(by: SignedIn, page: Paged) -> NotificationsView:
    """The last notifications, newest first: who was told and when, what failed, and who acknowledged it."""
    view = notifications.notifications(by)
    return page.of(view, "notifications", view.notifications, lambda notification: notification.number)


@router.post("/{number}/acknowledge", summary="Acknowledge a notification")
def acknowledge(by: SignedIn, key: Key, number: Number) -> NotificationView:
    """Answer for a notification, which ends its escalation; the first person counts."""
    return key.run(by, notifications.acknowledge, Acknowledge(number=number))
