"""Three PostgreSQL servers: a primary and two synchronous standbys, of which one takes over."""

import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from psycopg import connect

from feltwork.servers.postgres import EmbeddedPostgres
from tests.support.postgres import migrated_cluster

#: PostgreSQL refuses to run as root.
_USER = "nobody" if os.geteuid() == 0 else None
_NAMES = ("n1", "n2", "n3")
_CONFIRMED = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'"
#: What a standby has of the primary's log, in bytes.
_HELD = "SELECT greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'"


class Replicas:
    """A commit waits for any one of the standbys, as `ANY 1` says."""

    def __init__(self, folder: Path, prepare: Callable[[str], None]) -> None:
        """Start a primary, prepare its books by their DSN, and attach the standbys."""
        self.servers = {"n1": migrated_cluster(folder / "n1")}
        self.primary = "n1"
        self.servers["n1"].start()
        prepare(self.servers["n1"].dsn(role="writer"))
        for name in _NAMES[1:]:
            self.servers[name] = EmbeddedPostgres(folder / name)
            self._attach(name)
        self._wait(2)

    @property
    def dsn(self) -> str:
        """The DSN of whichever server is the primary."""
        ports = ",".join(str(self.servers[name].port) for name in _NAMES)
        hosts = ",".join(["127.0.0.1"] * len(_NAMES))
        return (
            f"host={hosts} port={ports} user=postgres dbname=postgres target_session_attrs=read-write "
            "options='-c role=feltwork_writer'"
        )

    @property
    def standbys(self) -> list[str]:
        """The names of the standbys."""
        return [name for name in _NAMES if name != self.primary]

    def fail_over(self) -> None:
        """Kill the primary, promote the standby that has more of its log, and make the old one a standby."""
        old = self.primary
        self.servers[old].kill()
        first, second = sorted(self.standbys, key=self._held, reverse=True)
        with connect(self.servers[first].dsn(), autocommit=True) as connection:
            connection.execute("SELECT pg_promote(wait => true)")
        self.primary = first
        with connect(self.servers[second].dsn(), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET primary_conninfo = '{self._source(second)}'".encode())
            connection.execute("SELECT pg_reload_conf()")
        self._wait(1)
        shutil.rmtree(self.servers[old].data)
        self._attach(old)
        self._wait(2)

    def restart(self) -> None:
        """Kill the primary and start it again."""
        self.servers[self.primary].kill()
        self.servers[self.primary].start()

    def remove(self) -> None:
        """Remove all of them."""
        for server in self.servers.values():
            server.remove()

    def _held(self, name: str) -> int:
        with connect(self.servers[name].dsn()) as connection:
            row = connection.execute(_HELD.encode()).fetchone()
        assert row is not None
        return int(row[0])

    def _source(self, name: str) -> str:
        port = self.servers[self.primary].port
        return f"host=127.0.0.1 port={port} user=postgres application_name={name}"

    def _attach(self, name: str) -> None:
        """Copy the primary with pg_basebackup and start the copy as its standby."""
        server = self.servers[name]
        server.folder.mkdir(parents=True, exist_ok=True)
        if _USER:
            shutil.chown(server.folder, _USER)
        command = [str(server.binary("pg_basebackup")), "-d", self._source(name), "-D", str(server.data)]
        subprocess.run(
            [*command, "-R", "-X", "stream", "-c", "fast"],
            check=True,
            user=_USER,
            group=pwd.getpwnam(_USER).pw_gid if _USER else None,
            extra_groups=[] if _USER else None,
        )
        server.start()
        for one in {self.primary, name}:
            with connect(self.servers[one].dsn(), autocommit=True) as connection:
                names = ", ".join(_NAMES)
                connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 ({names})'".encode())
                connection.execute("SELECT pg_reload_conf()")

    def _wait(self, standbys: int) -> None:
        with connect(self.servers[self.primary].dsn(), autocommit=True) as connection:
            for _ in range(1_200):
                row = connection.execute(_CONFIRMED.encode()).fetchone()
                if row is not None and row[0] >= standbys:
                    return
                time.sleep(0.05)
        raise AssertionError("the standbys did not catch up within a minute")
