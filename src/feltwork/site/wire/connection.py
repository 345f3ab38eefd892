"""Connecting a program to NATS, and disconnecting it."""

import asyncio
from contextlib import suppress
from typing import Any

from nats.aio.client import Client

#: Timeout of an attempt. After a failed TLS handshake, the NATS client waits forever for its connection to
#: close.
ATTEMPT_SECONDS = 30.0
_CLOSE_SECONDS = 2.0
_CANCEL_AGAIN_SECONDS = 0.5


async def connect_to(urls: str, **options: Any) -> Client:
    """Connect as soon as one of the servers answers, and reconnect forever; urls are separated by commas."""
    while True:
        client = Client()
        connecting = asyncio.create_task(
            client.connect(urls.split(","), max_reconnect_attempts=-1, **options)
        )
        try:
            await asyncio.wait([connecting], timeout=ATTEMPT_SECONDS)
        finally:
            await _end(connecting)
        if not connecting.cancelled():
            connecting.result()
            return client


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task until it is over; the NATS client can swallow a cancellation while it closes."""
    while not task.done():
        task.cancel()
        await asyncio.wait([task], timeout=_CANCEL_AGAIN_SECONDS)


async def disconnect(client: Client) -> None:
    """Close, even if the server does not answer; the client then fails on what it still wants to send."""
    with suppress(Exception):
        await asyncio.wait_for(client.close(), _CLOSE_SECONDS)
