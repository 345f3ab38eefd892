"""Forks a real service, with imports preloaded, whenever the previous one was killed.

Run as a process of its own: ``python -m tests.web.nursery DSN``. It says its port, then a process id for each
line that it reads. A request with the header ``Kill-At: N`` kills its service with -9 around the N-th time
that it talks to the books: an even N just before it, an odd one just after it. Every answer says how many
such moments it took.
"""

import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

import psycopg
import uvicorn

from feltwork.site.web.app import application
from feltwork.site.web.settings import Settings

NEVER = -1
Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]


class Mortal:
    """Counts the database exchanges of a request and kills the process at a given one."""

    def __init__(self, settings: Settings) -> None:
        self.app = application(settings)
        self.passed = 0
        self.last = NEVER
        exchange = psycopg.Connection.wait

        def wait(connection: Any, *arguments: Any, **keywords: Any) -> Any:
            self.pass_moment()
            try:
                return exchange(connection, *arguments, **keywords)
            finally:
                self.pass_moment()

        psycopg.Connection.wait = wait  # type: ignore[assignment,method-assign]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        headers = dict(scope.get("headers", ()))
        self.passed, self.last = 0, int(headers.get(b"kill-at", NEVER))

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"moments", str(self.passed).encode())]
            await send(message)

        await self.app(scope, receive, tell)

    def pass_moment(self) -> None:
        """Count an exchange; kill the process at the last one."""
        if self.passed == self.last:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed += 1


def main() -> None:
    """Run services on one port, one after the other; each prints its process id once it listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        place = probe.getsockname()
    print(place[1], flush=True)
    # Built once: what a service opens, connections and threads, it opens after it is born.
    settings = Settings(
        dsn=sys.argv[1], secure_cookie=False, live_seconds=3_600, connections=3, payout_record="offered"
    )
    mortal = Mortal(settings)
    born = 0
    for _ in sys.stdin:
        if born:
            os.waitpid(born, 0)
        born = os.fork()
        if not born:
            with socket.create_server(place) as listening:
                print(os.getpid(), flush=True)
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                uvicorn.Server(uvicorn.Config(mortal, log_level="critical")).run(sockets=[listening])
            os._exit(0)


if __name__ == "__main__":
    main()
