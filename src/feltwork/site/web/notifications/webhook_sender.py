"""Signed messages to webhooks, following the Standard Webhooks specification."""

import base64
import hashlib
import hmac
import json
import ssl
import time
from functools import cache

import httpx

from feltwork.site.books.watch.notifications import WaitingDelivery
from feltwork.site.books.watch.webhooks import Webhook, secret_bytes

_SECONDS = 15.0


def signature(secret: bytes, message: str, timestamp: int, body: bytes) -> str:
    """The signature of a message: HMAC-SHA256 over its id, time and body."""
    signed = f"{message}.{timestamp}.".encode() + body
    digest = hmac.digest(secret, signed, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}"


def message_body(delivery: WaitingDelivery) -> bytes:
    """The JSON of a message, the same for each attempt."""
    data = {"subject": delivery.subject, "title": delivery.title, "text": delivery.text}
    message = {"type": delivery.event, "timestamp": delivery.recorded_at.isoformat(), "data": data}
    return json.dumps(message, ensure_ascii=False).encode()


@cache
def _authorities() -> ssl.SSLContext:
    """The public certificate authorities; reading them takes 40 ms of processor time."""
    return httpx.create_ssl_context(trust_env=False)


def send(webhook: Webhook, delivery: WaitingDelivery, key: bytes) -> str:
    """Send a signed message; return why it failed, or an empty string. A redirect is a failure."""
    # The id is the same for each attempt, so a receiver can dedupe.
    message, body, now = f"msg_{delivery.notification}", message_body(delivery), int(time.time())
    headers = {
        "Content-Type": "application/json",
        "webhook-id": message,
        "webhook-timestamp": str(now),
        "webhook-signature": signature(secret_bytes(webhook.secret, key), message, now, body),
    }
    try:
        # Only the status is read, so a receiver with an endless response holds nobody up.
        with (
            httpx.Client(
                verify=_authorities(), timeout=_SECONDS, follow_redirects=False, trust_env=False
            ) as client,
            client.stream("POST", webhook.url, content=body, headers=headers) as answer,
        ):
            return "" if answer.is_success else f"the endpoint returned status {answer.status_code}"
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return f"{type(error).__name__}: {error}"[:500]
