"""Webhooks: endpoints of other systems that receive events, with their signing secrets."""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from psycopg.rows import class_row

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.notifications_rows import WaitingDelivery
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


def make_secret(connection: Connection, name: str, key: bytes) -> str:
    """Make the secret of a webhook, once; the books store only its seed."""
    seed = _SEED_PREFIX + secrets.token_hex(_SECRET_BYTES)
    if not connection.execute(statement("set_webhook_secret"), {"id": name, "secret": seed}).rowcount:
        remedy = "remove the webhook, and add it again"
        raise refuse(
            f"webhook {name}", "its secret was already created and cannot be shown again", remedy, "GL-10"
        )
    return _SECRET_PREFIX + base64.b64encode(secret_bytes(seed, key)).decode()


def secret_bytes(stored_secret: str, key: bytes) -> bytes:
    """The signing key, from the stored seed and the key of the site."""
    if stored_secret.startswith(_SECRET_PREFIX):
        return base64.b64decode(stored_secret.removeprefix(_SECRET_PREFIX))
    return hmac.digest(key, f"webhook {stored_secret}".encode(), hashlib.sha256)


def waiting_for_webhooks(connection: Connection) -> list[WaitingDelivery]:
    """Messages to webhooks that are due, the oldest first; each is tried for three days."""
    with connection.cursor(row_factory=class_row(WaitingDelivery)) as cursor:
        return cursor.execute(statement("waiting_for_webhooks")).fetchall()


def _audit(connection: Connection, request: TwoPersonRequest, what: str, after: Mapping[str, object]) -> None:
    why = f"{request.reason} (approved by {request.approved_by})"
    line = AuditLine(who=request.by, place="office", what=what, why=why, after=after)
    write_audit(connection, line)
