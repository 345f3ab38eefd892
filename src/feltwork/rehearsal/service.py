"""The web application on a free port of this machine, for one run."""

import asyncio
import socket
import threading

import uvicorn
from fastapi import FastAPI

from feltwork.web.app import application
from feltwork.web.settings import Settings

_POLL_SECONDS = 0.005
#: Applications between two runs. FastAPI prepares each route at its first request, which costs more than
#: a rehearsal; the next run of the application has them all.
_idle: list[FastAPI] = []


class Service:
    """The real application, served over HTTP from a thread of its own."""

    def __init__(self, dsn: str) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        # Accepted sockets inherit TCP_NODELAY. Without it, Nagle plus delayed ACK adds 40 ms.
        self._listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        settings = Settings(dsn=dsn, secure_cookie=False, origin=self.url, live_seconds=30, connections=2)
        self._app = _idle.pop() if _idle else application(settings)
        # The lifespan opens its pool from the settings, so that every run has a pool of its own.
        self._app.state.settings = settings
        config = uvicorn.Config(
            self._app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=1,
            timeout_keep_alive=60,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)

    async def start(self) -> "Service":
        """Start, and wait until it answers."""
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the service did not start")
            await asyncio.sleep(_POLL_SECONDS)
        return self

    async def stop(self) -> None:
        """Stop, and wait until its connections to the database are closed."""
        self._server.should_exit = True
        await asyncio.to_thread(self._thread.join, 10)
        self._listener.close()
        if not self._thread.is_alive():
            _idle.append(self._app)
