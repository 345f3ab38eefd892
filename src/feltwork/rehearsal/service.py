"""The web application of one run, on a free port."""

from fastapi import FastAPI

from feltwork.site.books.people.pin_key import NO_KEY
from feltwork.site.servers.ports import listen
from feltwork.site.web.app import application
from feltwork.site.web.http_server import HttpThread
from feltwork.site.web.settings import Settings

#: Idle applications. FastAPI prepares each route at its first request, which costs more than a
#: rehearsal, so the next run reuses the application.
_idle: list[FastAPI] = []


class Service:
    """The real application, served over HTTP from its own thread."""

    def __init__(self, dsn: str) -> None:
        listener = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        settings = Settings(
            dsn=dsn, secure_cookie=False, origin=self.url, live_seconds=30, connections=2, pin_key=NO_KEY
        )
        self._app = _idle.pop() if _idle else application(settings)
        self._app.state.settings = settings
        self._thread = HttpThread(self._app, listener)

    async def start(self) -> "Service":
        """Start, and wait until it accepts requests."""
        await self._thread.start()
        # Requests come one after the other; a second connection would have to plan every statement again.
        self._app.state.pool.resize(1, 1)
        return self

    async def stop(self) -> None:
        """Stop, and wait until its connections to the database are closed."""
        if await self._thread.stop():
            _idle.append(self._app)
