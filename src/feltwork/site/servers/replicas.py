"""PostgreSQL servers of one set of books: a primary and synchronous standbys, of which one takes over."""

import shutil
import time
from collections.abc import Mapping

from feltwork.site.servers.postgres import EmbeddedPostgres

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
        """The DSN of whichever server is the primary."""
        ports = ",".join(str(server.port) for server in self.servers.values())
        hosts = ",".join(["127.0.0.1"] * len(self.servers))
        return (
            f"host={hosts} port={ports} user=postgres dbname=postgres target_session_attrs=read-write "
            "options='-c role=feltwork_writer'"
        )

    @property
    def standbys(self) -> list[str]:
        """The names of the standbys."""
        return [name for name in self.servers if name != self.primary]

    def fail_over(self) -> None:
        """Kill the primary, promote the standby with the most WAL, and make the old primary a standby."""
        old = self.primary
        self.servers[old].kill()
        first, *others = sorted(
            self.standbys, key=lambda name: self.servers[name].received_bytes(), reverse=True
        )
        self.servers[first].promote()
        self.primary = first
        for name in others:
            self.servers[name].configure("primary_conninfo", self._source(name))
        self._wait(len(others))
        shutil.rmtree(self.servers[old].data)
        self._attach(old)
        self._wait(len(others) + 1)

    def cut(self) -> None:
        """Disconnect the standbys from the primary, so a commit waits."""
        for name in self.standbys:
            self.servers[name].configure("primary_conninfo", "")
        self._wait(0)

    def heal(self) -> None:
        """Let the standbys follow the primary again."""
        for name in self.standbys:
            self.servers[name].configure("primary_conninfo", self._source(name))
        self._wait(len(self.standbys))

    def restart(self) -> None:
        """Kill the primary and start it again."""
        self.servers[self.primary].kill()
        self.servers[self.primary].start()

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
        # Only a power failure would lose what is not synced here, and then the copy is made again.
        server.run("pg_basebackup", *where, "-R", "-X", "stream", "-c", "fast", "--no-sync")
        server.start()
        for server_name in {self.primary, name}:
            self.servers[server_name].configure(
                "synchronous_standby_names", f"ANY 1 ({', '.join(self.servers)})"
            )

    def _wait(self, standbys: int) -> None:
        end = time.monotonic() + _WAIT_SECONDS
        while (count := self.servers[self.primary].count_standbys()) != standbys:
            if time.monotonic() > end:
                raise RuntimeError(f"after a minute, {count} standbys follow the primary, not {standbys}")
            time.sleep(0.05)
