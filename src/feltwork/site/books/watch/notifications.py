"""Notifications: events for managers, their recipients, and acknowledgments."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeAlias

from feltwork.site.books.authorize import authorize
from feltwork.site.books.awards.awards import WaitingAward, waiting
from feltwork.site.books.awards.lookup import wins_since
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.links.meters import states
from feltwork.site.books.links.signs import WinAnnouncement, hits_of
from feltwork.site.books.watch import alarms_rows as alarms
from feltwork.site.books.watch import notifications_rows as books
from feltwork.site.books.watch.notifications_rows import Notification, WaitingDelivery
from feltwork.site.books.watch.open_alarms import AlarmRecord
from feltwork.site.compliance.two_person import Command

__all__ = ["WaitingDelivery"]
EventKind: TypeAlias = Literal["claim", "hit", "alarm", "stopped_link"]
with_example(Notification)
#: The stored record is its own view.
NotificationView: TypeAlias = Notification
#: Age up to which a service that was down still reports a hit.
_NEWS = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedLink:
    """A link that takes no wagers, with one cause and its start in microseconds."""

    link: str
    title: str
    cause: str
    since: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NotableEvents:
    """The events to notify managers of now: everything still open, and the hits of the last day."""

    claims: tuple[WaitingAward, ...]
    hits: tuple[tuple[str, str, WinAnnouncement], ...]
    alarms: tuple[AlarmRecord, ...]
    stops: tuple[StoppedLink, ...]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationsView:
    """The last notifications, newest first."""

    notifications: list[Notification]


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledge:
    """The notification that a person acknowledges."""

    number: int


def notable_events(connection: Connection) -> NotableEvents:
    """Return open claims and alarms, stopped links, and the hits of the last day with link and title."""
    links = states(connection)
    since = datetime.now(tz=UTC) - _NEWS
    return NotableEvents(
        claims=tuple(
            claim
            for claim in waiting(connection)
            if claim.status == "claimed" and claim.seat == claim.hit_seats[0]
        ),
        hits=tuple(
            (state.link.id, state.link.title.title, hit)
            for state in links
            for hit in hits_of(state.link, wins_since(connection, state.link.id, since))
        ),
        alarms=tuple(alarms.open_alarms(connection)),
        stops=tuple(
            StoppedLink(link=state.link.id, title=state.link.title.title, cause=cause, since=at)
            for state in links
            for cause, at in state.stops.items()
        ),
    )


def record_notification(
    connection: Connection,
    event: EventKind,
    subject: str,
    *,
    title: str,
    text: str,
    recipients: Sequence[str],
) -> bool:
    """Record an event and its recipients, once, before anything is sent."""
    return books.record(connection, event, subject, title=title, text=text, recipients=recipients)


def record_escalation(connection: Connection, late: WaitingDelivery, recipient: str) -> bool:
    """Record the escalation to another recipient, because nobody acknowledged in time."""
    return books.record_delivery(connection, late.notification, recipient, escalated_from=late.recipient)


def waiting_deliveries(connection: Connection) -> list[WaitingDelivery]:
    """List the messages of the last day that nobody has acknowledged, oldest first."""
    return books.waiting_deliveries(connection)


def begin_try(connection: Connection, delivery: WaitingDelivery, *, seconds: float) -> int:
    """Reserve a message for some seconds; return the attempt number, or 0 if another service sends it."""
    return books.begin_try(connection, delivery.notification, delivery.recipient, seconds=seconds)


def end_try(connection: Connection, delivery: WaitingDelivery, *, problem: str, seconds: float) -> None:
    """Record that a message was sent, or the problem and the seconds until the retry."""
    books.end_try(connection, delivery.notification, delivery.recipient, problem=problem, seconds=seconds)


def notifications(op: Operation) -> NotificationsView:
    """List the last notifications, newest first."""
    authorize(op, Command(name="oversee", about="notifications"))
    return NotificationsView(notifications=books.notifications(op.connection))


def acknowledge(op: Operation, command: Acknowledge) -> Notification:
    """Acknowledge a notification, which ends its escalation; the first person to do so is recorded."""
    authorize(op, Command(name="oversee", about=f"notification {command.number}"))

    def act() -> Notification:
        books.acknowledge(op.connection, command.number, person=op.actor.id)
        notifications = books.notifications(op.connection, command.number)
        if not notifications:
            raise unknown(f"notification {command.number}")
        return notifications[0]

    return op.perform(asdict(command), Notification, act)
