"""Webhooks: event messages to other systems, each signed and recorded before it is sent."""

from dataclasses import asdict, dataclass, field
from datetime import datetime

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.people import proposals_rows as proposals
from feltwork.site.books.watch import webhooks_rows as books
from feltwork.site.books.watch.notifications_rows import WaitingDelivery
from feltwork.site.books.watch.webhooks_rows import RECIPIENT_PREFIX, Webhook, secret_bytes
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse

__all__ = ["RECIPIENT_PREFIX", "Webhook", "secret_bytes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookView:
    """A webhook without its secret."""

    id: str
    url: str
    events: list[str]
    registered_at: datetime
    removed_at: datetime | None
    #: Whether its secret exists, so events are sent to it.
    has_secret: bool


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class WebhooksView:
    """Every webhook."""

    webhooks: list[WebhookView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookSecretView:
    """The secret of a webhook, shown only once."""

    webhook: str
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeWebhookSecret:
    """Make the secret of a webhook."""

    webhook: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _MadeSecret:
    """The record of a new secret, without the secret."""

    webhook: str


def webhooks(op: Operation) -> WebhooksView:
    """List every webhook."""
    authorize_any(op, "read_books", "manage_people", about="webhooks")
    views = [
        WebhookView(
            id=webhook.id,
            url=webhook.url,
            events=webhook.events,
            registered_at=webhook.registered_at,
            removed_at=webhook.removed_at,
            has_secret=bool(webhook.secret),
        )
        for webhook in books.webhooks(op.connection)
    ]
    return WebhooksView(webhooks=views)


def make_secret(op: Operation, command: MakeWebhookSecret) -> WebhookSecretView:
    """Make the secret of a new webhook, once, in the session of the person who approved it [GL-10]."""
    authorize(op, Command(name="manage_people", about=command.webhook), waits=True)
    webhooks = books.webhooks(op.connection, command.webhook)
    if not webhooks:
        raise unknown(f"webhook {command.webhook}")
    granted = proposals.find(op.connection, webhooks[0].proposal)
    if granted is None or granted.answered_by != op.actor.id:
        what = "the secret is shown to the person who approved the webhook"
        approver = granted.answered_by if granted else "a manager"
        raise refuse(f"webhook {command.webhook}", what, f"ask {approver}", "GL-10")
    secret = ""

    def act() -> _MadeSecret:
        nonlocal secret
        secret = books.make_secret(op.connection, command.webhook, op.policy.pin_key)
        return _MadeSecret(webhook=command.webhook)

    # The record of the request has no secret, so a repeated request returns none.
    op.perform(asdict(command), _MadeSecret, act)
    return WebhookSecretView(webhook=command.webhook, secret=secret)


def current_webhooks(connection: Connection) -> dict[str, Webhook]:
    """Return the active webhooks by the recipient name of their deliveries."""
    return {
        webhook.recipient: webhook
        for webhook in books.webhooks(connection)
        if webhook.secret and webhook.removed_at is None
    }


def waiting_for_webhooks(connection: Connection) -> list[WaitingDelivery]:
    """List due messages to webhooks, oldest first."""
    return books.waiting_for_webhooks(connection)
