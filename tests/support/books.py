"""PostgreSQL for the tests of a process, kept between runs by `just test`, and fresh books on it."""

import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

import feltwork.site.books
from feltwork.site.books.migrate import migrate
from feltwork.site.servers.postgres import EmbeddedPostgres

_TEMPLATE = "books_template"
#: No test takes the power from this server, and with every write on the disk, making and dropping a database
#: takes seconds. Tests that kill a server or look at its settings have their own. Nothing here lasts a month.
_SETTINGS = {"fsync": "off", "full_page_writes": "off", "feltwork.months_ahead": "2"}
#: Where `just test` finds the server that it started before.
_KEPT = Path(__file__).parents[2] / "build" / "kept_server.json"


@contextmanager
def running_server() -> Iterator[EmbeddedPostgres]:
    """A server with a template of empty books."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-books-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder, _SETTINGS).start()
    try:
        with psycopg.connect(carried.dsn(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {_TEMPLATE}")
        migrate(carried.dsn(_TEMPLATE))
        yield carried
    finally:
        carried.remove()


def new_books(server: EmbeddedPostgres, name: str) -> str:
    server.drop_database(name)
    server.create_database(name, _TEMPLATE)
    return name


class Books(EmbeddedPostgres):
    """One database of a server that others use, too: it was there before, and only the books go."""

    def __init__(self, server: EmbeddedPostgres, name: str) -> None:
        self._server, self._name, self.port = server, name, server.port

    def dsn(self, database: str = "", *, role: str = "") -> str:
        return self._server.dsn(database or self._name, role=role)

    def start(self) -> "Books":
        return self

    def remove(self) -> None:
        self._server.drop_database(self._name)


def kept_server() -> EmbeddedPostgres | None:
    """The server that `just test` keeps, if its books have the schema of this tree."""
    if not _KEPT.exists() or "PYTEST_XDIST_WORKER" in os.environ:
        return None
    kept = json.loads(_KEPT.read_text(encoding="utf-8"))
    if kept["schema"] != _schema() or not Path(f"/proc/{kept['pid']}").exists():
        return None
    server = EmbeddedPostgres(Path(kept["folder"]))
    server.port = kept["port"]
    return server


def _schema() -> str:
    files = sorted(Path(feltwork.site.books.__path__[0]).rglob("*.sql"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def keep() -> None:
    """Start a server that outlives this process, unless one runs already."""
    if kept_server() is None:
        stop()
        command = [sys.executable, "-m", "tests.support.books", "serve"]
        keeper = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        while not _KEPT.exists():
            if keeper.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)


def stop() -> None:
    """End the kept server."""
    if _KEPT.exists():
        pid = json.loads(_KEPT.read_text(encoding="utf-8"))["pid"]
        if Path(f"/proc/{pid}").exists():
            os.kill(pid, signal.SIGTERM)
        _KEPT.unlink(missing_ok=True)


def serve() -> None:
    """Hold a server until SIGTERM."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    with running_server() as server:
        kept = {"pid": os.getpid(), "folder": str(server.folder), "port": server.port, "schema": _schema()}
        _KEPT.parent.mkdir(exist_ok=True)
        (unfinished := _KEPT.with_suffix(".new")).write_text(json.dumps(kept), encoding="utf-8")
        unfinished.rename(_KEPT)
        signal.sigwait({signal.SIGTERM})


if __name__ == "__main__":
    {"keep": keep, "stop": stop, "serve": serve}[sys.argv[1]]()
