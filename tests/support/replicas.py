"""PostgreSQL servers of one set of books: a primary and synchronous standbys."""

import time
from collections.abc import Mapping

from feltwork.servers.postgres import EmbeddedPostgres

_WAIT_SECONDS = 60.0


class Replicas:
    """Replicated servers, where a commit waits for any one of the standbys (`ANY 1`)."""

    def __init__(self, servers: Mapping[str, EmbeddedPostgres]) -> None:
        """Make the standbys from the first server, the running primary."""
        self.servers = servers
        self.primary, *others = servers
        for name in others:
            self._attach(name)
        self._wait(len(others))

    @property
    def dsn(self) -> str:
        """The DSN of the writer of the books, at the primary."""
        return self.servers[self.primary].dsn(role="writer")

    @property
    def standbys(self) -> list[str]:
        """The names of the standbys."""
        return [name for name in self.servers if name != self.primary]

    def remove(self) -> None:
        """Remove all of them."""
        for server in self.servers.values():
            server.remove()

    def _source(self, name: str) -> str:
        port = self.servers[self.primary].port
        return f"host=127.0.0.1 port={port} user=postgres application_name={name}"

    def _attach(self, name: str) -> None:
        """Copy the primary with pg_basebackup and start the copy as its standby."""
        server = self.servers[name]
        where = ("-d", self._source(name), "-D", str(server.data))
        server.run("pg_basebackup", *where, "-R", "-X", "stream", "-c", "fast")
        server.start()
        for server_name in {self.primary, name}:
            self.servers[server_name].configure(
                "synchronous_standby_names", f"ANY 1 ({', '.join(self.servers)})"
            )

    def _wait(self, standbys: int) -> None:
        end = time.monotonic() + _WAIT_SECONDS
        while self.servers[self.primary].count_standbys() < standbys:
            if time.monotonic() > end:
                raise RuntimeError("the standbys did not catch up within a minute")
            time.sleep(0.05)
