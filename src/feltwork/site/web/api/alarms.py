"""Alarms over HTTP: clear a resolved alarm, and list parked messages."""

from feltwork.site.books.tables.parked import ParkedMessagesView, parked_messages
from feltwork.site.books.watch.open_alarms import ClearAlarm, ClearedAlarmView, clear_alarm
from feltwork.site.web.pages import Paged
from feltwork.site.web.problem_responses import REFUSALS
from feltwork.site.web.security.auth import SignedIn
from feltwork.site.web.security.idempotency import Key
from feltwork.site.web.subject_router import SubjectRouter

router = SubjectRouter(prefix="/alarms", tags=["alarms"], responses={**REFUSALS})


@router.post("/clear", summary="Clear an alarm")
def clear(by: SignedIn, key: Key, alarm: ClearAlarm) -> ClearedAlarmView:
    """Clear an alarm with a note of what was done; other kinds clear once their cause is gone."""
    return key.run(by, clear_alarm, alarm)


@router.get("/parked", summary="Parked messages")
def show_parked(by: SignedIn, page: Paged) -> ParkedMessagesView:
    """Messages that could not be posted, why, and what to do; a proposal posts or dismisses each."""
    view = parked_messages(by)
    return page.of(view, "messages", view.messages, lambda message: message.number)
