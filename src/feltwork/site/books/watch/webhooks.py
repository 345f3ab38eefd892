"""Webhooks: event messages to other systems, each signed and recorded before it is sent."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from psycopg.rows import class_row

from feltwork.site.books.authorize import authorize, authorize_any
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import unknown
from feltwork.site.books.fields import with_example
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import waiting_proposals as proposals
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.notifications import WaitingDelivery
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

#: Prefix of a webhook's name as a recipient; no recipient in the file has such a name.
RECIPIENT_PREFIX = "webhook:"
#: Prefix of a secret as its owner has it; webhooks of earlier releases have it in the books.
_SECRET_PREFIX = "whsec_"
#: Prefix of the seed of a secret: neither the key of the site alone nor the books alone can sign.
_SEED_PREFIX = "seed_"
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """An endpoint, and the events it receives."""

    id: str
    url: str
    events: list[str]
    #: The proposal that added it; the person who approved it sees the secret.
    proposal: str
    registered_at: datetime
    removed_at: datetime | None
    #: The seed of its secret; empty until the secret is made, and nothing is sent before.
    secret: str = field(repr=False)

    @property
    def recipient(self) -> str:
        """Its name as a recipient."""
        return f"{RECIPIENT_PREFIX}{self.id}"


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


def show_webhooks(op: Operation) -> WebhooksView:
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
        for webhook in webhooks(op.connection)
    ]
    return WebhooksView(webhooks=views)


def make_secret(op: Operation, webhook: str) -> WebhookSecretView:
    """Make the secret of a new webhook, once, in the session of the person who approved it [GL-10]."""
    authorize(op, Command(name="manage_people", about=webhook), waits=True)
    found, where = webhooks(op.connection, webhook), f"webhook {webhook}"
    if not found:
        raise unknown(where)
    granted = proposals.find(op.connection, found[0].proposal)
    if granted is None or granted.answered_by != op.actor.id:
        what = "the secret is shown to the person who approved the webhook"
        raise refuse(where, what, f"ask {granted.answered_by if granted else 'a manager'}", "GL-10")
    secret = ""

    def act() -> dict[str, str]:
        nonlocal secret
        # The books store only the seed, and the record of the request has no secret, so a repeated request
        # returns none.
        seed = _SEED_PREFIX + secrets.token_hex(_SECRET_BYTES)
        about = {"id": webhook, "secret": seed}
        if not op.connection.execute(statement("set_webhook_secret"), about).rowcount:
            what = "its secret was already created and cannot be shown again"
            raise refuse(where, what, "remove the webhook, and add it again", "GL-10")
        secret = _SECRET_PREFIX + base64.b64encode(secret_bytes(seed, op.policy.pin_key)).decode()
        return {"webhook": webhook}

    op.perform({"webhook": webhook}, dict[str, str], act)
    return WebhookSecretView(webhook=webhook, secret=secret)


def webhooks(connection: Connection, name: str = "") -> list[Webhook]:
    """Every webhook, or the one with this id."""
    with connection.cursor(row_factory=class_row(Webhook)) as cursor:
        return cursor.execute(statement("webhooks"), {"id": name}).fetchall()


def add(
    connection: Connection,
    request: TwoPersonRequest,
    name: str,
    *,
    url: str,
    events: list[str],
    proposal: str,
) -> None:
    """Add a webhook as two people decided."""
    row = {"id": name, "url": url, "events": events, "proposal": proposal}
    connection.execute(statement("add_webhook"), row)
    _audit(connection, request, "webhook added", row)


def remove(connection: Connection, request: TwoPersonRequest, name: str) -> None:
    """Remove a webhook; its endpoint receives no more events."""
    connection.execute(statement("remove_webhook"), {"id": name})
    _audit(connection, request, "webhook removed", {"id": name})


def secret_bytes(stored_secret: str, key: bytes) -> bytes:
    """The signing key, from the stored seed and the key of the site."""
    if stored_secret.startswith(_SECRET_PREFIX):
        return base64.b64decode(stored_secret.removeprefix(_SECRET_PREFIX))
    return hmac.digest(key, f"webhook {stored_secret}".encode(), hashlib.sha256)


def current_webhooks(connection: Connection) -> dict[str, Webhook]:
    """Return the active webhooks by the recipient name of their deliveries."""
    return {
        webhook.recipient: webhook
        for webhook in webhooks(connection)
        if webhook.secret and webhook.removed_at is None
    }


def waiting_for_webhooks(connection: Connection) -> list[WaitingDelivery]:
    """Messages to webhooks that are due, the oldest first; each is tried for three days."""
    with connection.cursor(row_factory=class_row(WaitingDelivery)) as cursor:
        return cursor.execute(statement("waiting_for_webhooks")).fetchall()


def _audit(connection: Connection, request: TwoPersonRequest, what: str, after: Mapping[str, object]) -> None:
    why = f"{request.reason} (approved by {request.approved_by})"
    line = AuditLine(who=request.by, place="office", what=what, why=why, after=after)
    write_audit(connection, line)
