"""The background task that records events, sends messages, retries failed ones, and escalates."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import structlog

from feltwork.site.books.connection import UNAVAILABLE, Connection, Pool
from feltwork.site.books.floors.site import floor_in_force, site_name
from feltwork.site.books.watch import notifications
from feltwork.site.books.watch.notifications import WaitingDelivery
from feltwork.site.books.watch.webhooks import Webhook, current_webhooks, waiting_for_webhooks
from feltwork.site.web.notifications import webhook_sender
from feltwork.site.web.notifications.messages import EventMessage, current_messages
from feltwork.site.web.notifications.recipients import SEND_SECONDS, Recipient, by_name

_log = structlog.get_logger("feltwork.site.web")
EVERY_SECONDS = 2.0
#: Back-off before the first retry of a failed message; it doubles with each retry.
FIRST_RETRY_SECONDS = 15.0
_LONGEST_RETRY_SECONDS = 600.0
#: Lock time of a message being sent; after it, another service may send it if the sender was killed.
_TAKEN_SECONDS = 4.0 * SEND_SECONDS


class Notifier:
    """Notifies the recipients and webhooks of a site."""

    def __init__(self, pool: Pool, recipients: Sequence[Recipient], *, origin: str, key: bytes) -> None:
        self._pool = pool
        self._recipients = by_name(recipients)
        self._page = f"{origin}/manager"
        self._key = key

    async def run(self) -> None:
        """Record, escalate and send until cancelled; a slow recipient does not delay the others for long."""
        while True:
            try:
                due = await asyncio.to_thread(self._record)
                await asyncio.gather(
                    *(asyncio.to_thread(self._send, name, deliveries) for name, deliveries in due)
                )
            except UNAVAILABLE as error:
                _log.warning("notifier: books unavailable", error=str(error))
            await asyncio.sleep(EVERY_SECONDS)

    def _record(self) -> list[tuple[str, list[WaitingDelivery]]]:
        """Record new events and escalations; return the deliveries due now, by recipient."""
        with self._pool.connection() as connection:
            webhooks = current_webhooks(connection)
            if not self._recipients and not webhooks:
                return []
            zone = _zone(connection)
            current = current_messages(connection, zone)
            for message in current:
                self._record_new(connection, message, webhooks)
            open_now = {(message.event, message.subject) for message in current}
            # Drop events that are over: the claim is confirmed, or the alarm is cleared.
            waiting = [
                delivery
                for delivery in notifications.waiting_deliveries(connection)
                if (delivery.event, delivery.subject) in open_now
            ]
            for delivery in waiting:
                self._escalate(connection, delivery)
            # Webhooks are notified of everything, even events that are already over or acknowledged.
            signed = [
                delivery for delivery in waiting_for_webhooks(connection) if delivery.recipient in webhooks
            ]
        now = datetime.now(tz=zone)
        due: dict[str, list[WaitingDelivery]] = {}
        for delivery in waiting:
            recipient = self._recipients.get(delivery.recipient)
            if recipient and delivery.is_due and not recipient.is_quiet(delivery.event, now):
                due.setdefault(delivery.recipient, []).append(delivery)
        for delivery in signed:
            due.setdefault(delivery.recipient, []).append(delivery)
        return list(due.items())

    def _record_new(
        self, connection: Connection, message: EventMessage, webhooks: Mapping[str, Webhook]
    ) -> None:
        recipients = [
            recipient.name
            for recipient in self._recipients.values()
            if recipient.hears(message.event, message.amount)
        ]
        recipients += [name for name, webhook in webhooks.items() if message.event in webhook.events]
        if recipients:
            notifications.record_notification(
                connection,
                message.event,
                message.subject,
                title=message.title,
                text=message.text,
                recipients=recipients,
            )

    def _escalate(self, connection: Connection, delivery: WaitingDelivery) -> None:
        recipient = self._recipients.get(delivery.recipient)
        if recipient is None or not recipient.escalate_to:
            return
        if datetime.now(tz=UTC) - delivery.recorded_at >= timedelta(minutes=recipient.escalate_minutes):
            notifications.record_escalation(connection, delivery, recipient.escalate_to)

    def _send(self, name: str, deliveries: Sequence[WaitingDelivery]) -> None:
        """Send one recipient's messages in turn; failed ones are retried later."""
        for delivery in deliveries:
            with self._pool.connection() as connection:
                tried = notifications.begin_try(connection, delivery, seconds=_TAKEN_SECONDS)
                site, webhook = site_name(connection), current_webhooks(connection).get(name)
            if not tried:
                continue
            if name in self._recipients:
                problem = self._recipients[name].send(
                    delivery.title, f"{delivery.text}\n\n{site}: {self._page}"
                )
            else:
                problem = (
                    webhook_sender.send(webhook, delivery, self._key)
                    if webhook
                    else "the webhook was removed"
                )
            pause = min(FIRST_RETRY_SECONDS * 2 ** min(tried - 1, 10), _LONGEST_RETRY_SECONDS)
            with self._pool.connection() as connection:
                notifications.end_try(connection, delivery, problem=problem, seconds=pause)
            if problem:
                _log.warning("notification not sent", recipient=name, problem=problem, tries=tried)


def _zone(connection: Connection) -> tzinfo:
    floor = floor_in_force(connection)
    return ZoneInfo(floor.day.time_zone) if floor else UTC
