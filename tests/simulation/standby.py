"""A synchronous standby of a PostgreSQL server."""

import os
import pwd
import shutil
import subprocess
import time
from pathlib import Path

from psycopg import connect

from feltwork.site.servers.postgres import EmbeddedPostgres

NAME = "standby"
#: PostgreSQL refuses to run as root.
USER = "nobody" if os.geteuid() == 0 else None


def standby_of(server: EmbeddedPostgres, folder: Path) -> EmbeddedPostgres:
    """Copy a server with pg_basebackup and start the copy; commits then wait for both."""
    copy = EmbeddedPostgres(folder, server.settings)
    folder.mkdir(parents=True, exist_ok=True)
    if USER:
        shutil.chown(folder, USER)
    source = f"host=127.0.0.1 port={server.port} user=postgres application_name={NAME}"
    options = ("-d", source, "-D", str(copy.data), "-R", "-X", "stream", "-c", "fast")
    command = [str(server.binary("pg_basebackup")), *options]
    group = pwd.getpwnam(USER).pw_gid if USER else None
    subprocess.run(command, check=True, user=USER, group=group, extra_groups=[] if USER else None)
    copy.start()
    with connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{NAME}'".encode())
        connection.execute("SELECT pg_reload_conf()")
        state = "SELECT 1 FROM pg_stat_replication WHERE application_name = %s AND sync_state = 'sync'"
        for _ in range(600):
            if connection.execute(state, (NAME,)).fetchone():
                return copy
            time.sleep(0.05)
    raise AssertionError("the standby did not catch up within 30 seconds")


def promote(standby: EmbeddedPostgres) -> None:
    """Make a standby the primary."""
    with connect(standby.dsn(), autocommit=True) as connection:
        connection.execute("SELECT pg_promote(wait => true)")
