"""uvicorn for the service, in the main thread or in its own thread."""

import asyncio
import socket
import threading
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

_POLL_SECONDS = 0.005
#: How long the head of a request may take to arrive.
HEAD_SECONDS = 10.0


class HeadLimit(H11Protocol):
    """A connection that is closed when the head of a request does not arrive in time."""

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first head."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(HEAD_SECONDS, transport.close)

    def data_received(self, data: bytes) -> None:
        """Stop the clock when a head is complete, and start it with the first byte of the next."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop()
        elif self._limit is None:
            self._limit = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop()
        super().connection_lost(exc)

    def _stop(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None


class HttpServer(uvicorn.Server):
    """A server that ends the event streams of open pages before waiting for the last responses."""

    def __init__(self, app: FastAPI, **options: Any) -> None:
        self._app = app
        proxies = app.state.settings.trusted_proxies
        config = uvicorn.Config(
            app,
            access_log=False,
            server_header=False,
            forwarded_allow_ips=proxies,
            http=HeadLimit,
            **options,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, and stop."""
        self._app.state.live.close()
        await super().shutdown(sockets)


class HttpThread:
    """A service in its own thread."""

    def __init__(self, app: FastAPI, listener: socket.socket) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        self._server = HttpServer(app, log_config=None, timeout_graceful_shutdown=3, timeout_keep_alive=60)
        self._thread = threading.Thread(target=self._server.run, args=([listener],), daemon=True)

    async def start(self) -> None:
        """Start, and wait until it accepts requests."""
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the service did not start")
            await asyncio.sleep(_POLL_SECONDS)

    async def stop(self) -> bool:
        """Stop, and wait until its lifespan has ended; return whether it has."""
        self._server.should_exit = True
        await asyncio.to_thread(self._thread.join, 10)
        self._listener.close()
        return not self._thread.is_alive()
