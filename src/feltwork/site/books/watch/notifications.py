"""Notifications: events recorded once, deliveries to recipients with results, and acknowledgments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

import msgspec
from psycopg.rows import class_row, dict_row

from feltwork.site.books.authorize import authorize
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.queries import statement
from feltwork.site.compliance.two_person import Command

EventKind: TypeAlias = Literal["claim", "hit", "alarm", "stopped_link"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationDelivery:
    """A message to one recipient; ``problem`` is why the last attempt failed."""

    recipient: str
    #: The recipient who did not acknowledge it in time; empty for the first recipients.
    escalated_from: str
    tries: int
    sent_at: datetime | None
    problem: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """An event that someone should know about, and the messages about it."""

    number: int
    event: str
    title: str
    text: str
    recorded_at: datetime
    acknowledged_by: str
    acknowledged_at: datetime | None
    deliveries: list[NotificationDelivery]


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingDelivery:
    """A message to one recipient about an event that nobody has acknowledged yet."""

    notification: int
    event: str
    subject: str
    title: str
    text: str
    recipient: str
    recorded_at: datetime
    tries: int
    sent_at: datetime | None
    #: Whether it is to be sent now.
    is_due: bool


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationsView:
    """The last notifications, newest first."""

    notifications: list[Notification]


def notifications(op: Operation) -> NotificationsView:
    """List the last notifications, newest first."""
    authorize(op, Command(name="oversee", about="notifications"))
    return NotificationsView(notifications=_notifications(op.connection))


def acknowledge(op: Operation, number: int) -> Notification:
    """Acknowledge a notification, which ends its escalation; the first person to do so is recorded."""
    authorize(op, Command(name="oversee", about=f"notification {number}"))

    def act() -> Notification:
        about = {"number": number, "person": op.actor.id}
        op.connection.execute(statement("acknowledge_notification"), about)
        found = _notifications(op.connection, number)
        if not found:
            raise unknown(f"notification {number}")
        return found[0]

    return op.perform({"number": number}, Notification, act)


def record_notification(
    connection: Connection,
    event: EventKind,
    subject: str,
    *,
    title: str,
    text: str,
    recipients: Sequence[str],
) -> bool:
    """Record an event and its recipients, once, before anything is sent; return whether it is new."""
    with connection.transaction():
        row = connection.execute(statement("record_notification"), (event, subject, title, text)).fetchone()
        for recipient in recipients if row else ():
            assert row is not None
            connection.execute(statement("record_delivery"), (row[0], recipient, ""))
    return row is not None


def record_escalation(connection: Connection, late: WaitingDelivery, recipient: str) -> bool:
    """Record the escalation to another recipient, because nobody acknowledged in time."""
    row = (late.notification, recipient, late.recipient)
    return connection.execute(statement("record_delivery"), row).rowcount == 1


def waiting_deliveries(connection: Connection) -> list[WaitingDelivery]:
    """List the messages of the last day that nobody has acknowledged, oldest first."""
    with connection.cursor(row_factory=class_row(WaitingDelivery)) as cursor:
        return cursor.execute(statement("waiting_deliveries")).fetchall()


def begin_try(connection: Connection, delivery: WaitingDelivery, *, seconds: float) -> int:
    """Reserve a message for some seconds; return the attempt number, or 0 if another service sends it."""
    about = {"notification": delivery.notification, "recipient": delivery.recipient, "seconds": seconds}
    row = connection.execute(statement("begin_try"), about).fetchone()
    return row[0] if row else 0


def end_try(connection: Connection, delivery: WaitingDelivery, *, problem: str, seconds: float) -> None:
    """Record that a message was sent, or the problem and the seconds until the retry."""
    about = {"notification": delivery.notification, "recipient": delivery.recipient, "problem": problem}
    connection.execute(statement("end_try"), {**about, "seconds": seconds})


def _notifications(connection: Connection, number: int = 0) -> list[Notification]:
    """The last notifications, the newest first, or one of them."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("notifications"), {"number": number, "most": 20}).fetchall()
    return msgspec.convert(rows, list[Notification])
