"""Notifications: events recorded once, deliveries to recipients with results, and acknowledgments."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from psycopg.rows import class_row, dict_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.queries import statement


@dataclass(frozen=True, slots=True, kw_only=True)
class NotificationDelivery:
    """A message to one recipient; ``problem`` is why the last attempt failed."""

    recipient: str
    #: The recipient who did not acknowledge it in time; empty for the first recipients.
    escalated_from: str
    tries: int
    sent_at: datetime | None
    problem: str


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


def record(
    connection: Connection, event: str, subject: str, *, title: str, text: str, recipients: Sequence[str]
) -> bool:
    """Record an event with its recipients; return whether it is new."""
    with connection.transaction():
        row = connection.execute(statement("record_notification"), (event, subject, title, text)).fetchone()
        for recipient in recipients if row else ():
            assert row is not None
            record_delivery(connection, row[0], recipient)
    return row is not None


def record_delivery(
    connection: Connection, notification: int, recipient: str, *, escalated_from: str = ""
) -> bool:
    """Record a recipient to notify; return whether the recipient is new."""
    row = (notification, recipient, escalated_from)
    return connection.execute(statement("record_delivery"), row).rowcount == 1


def waiting_deliveries(connection: Connection) -> list[WaitingDelivery]:
    """Deliveries of the last day for unacknowledged notifications, the oldest first."""
    with connection.cursor(row_factory=class_row(WaitingDelivery)) as cursor:
        return cursor.execute(statement("waiting_deliveries")).fetchall()


def begin_try(connection: Connection, notification: int, recipient: str, *, seconds: float) -> int:
    """Take a delivery for some seconds; return the attempt number, or 0 if another service has it."""
    about = {"notification": notification, "recipient": recipient, "seconds": seconds}
    row = connection.execute(statement("begin_try"), about).fetchone()
    return row[0] if row else 0


def end_try(
    connection: Connection, notification: int, recipient: str, *, problem: str, seconds: float
) -> None:
    """Record that a message was sent, or why not; a failed attempt is retried after some seconds."""
    about = {"notification": notification, "recipient": recipient, "problem": problem, "seconds": seconds}
    connection.execute(statement("end_try"), about)


def acknowledge(connection: Connection, number: int, *, person: str) -> bool:
    """Record who acknowledged it; return whether they are the first."""
    about = {"number": number, "person": person}
    return connection.execute(statement("acknowledge_notification"), about).rowcount == 1


def notifications(connection: Connection, number: int = 0, *, most: int = 20) -> list[Notification]:
    """The last notifications, the newest first, or one of them."""
    with connection.cursor(row_factory=dict_row) as cursor:
        rows = cursor.execute(statement("notifications"), {"number": number, "most": most}).fetchall()
    return msgspec.convert(rows, list[Notification])
