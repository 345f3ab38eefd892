"""uvicorn in a thread."""

import asyncio
import socket
import threading
from typing import TYPE_CHECKING

import uvicorn

if TYPE_CHECKING:
    from starlette.types import ASGIApp

_POLL_SECONDS = 0.005


class HttpThread:
    """An ASGI application served from its own thread."""

    def __init__(self, app: "ASGIApp", listener: socket.socket) -> None:
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._listener = listener
        config = uvicorn.Config(
            app, log_config=None, access_log=False, timeout_graceful_shutdown=1, timeout_keep_alive=60
        )
        self._server = uvicorn.Server(config)
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
