"""One command for a one-box card room: log, bookkeepers and service, started again when one of them dies."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol

import typer

from feltwork.cli.run.bookkeeper import Approved, Keys
from feltwork.cli.run.ports import listen
from feltwork.cli.run.serve import Dsn, given
from feltwork.problem import Problem, ProblemsError
from feltwork.servers import child_processes

if TYPE_CHECKING:
    from feltwork.servers.nats import EmbeddedNats

_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 15.0
#: A part that dies at once is not started again at once.
_PAUSE_SECONDS = 1.0
WITH_KEYS = "with keys: tables connect over TLS, each with its own key; here at {}"
WITHOUT_KEYS = "without keys: the log answers on this machine only, and anybody here may speak for any table"


class UpProcess(Protocol):
    """Something that runs beside this process."""

    name: str

    def start(self) -> None:
        """Start, or start again."""

    def is_running(self) -> bool:
        """Whether it lives."""

    def ask_to_stop(self) -> None:
        """Tell it to end."""

    def wait(self, seconds: float) -> None:
        """Wait for its end, and end it where it does not."""


class ChildProgram:
    """A command of ours as a process of its own: a signal to this one does not reach it by itself."""

    def __init__(self, name: str, arguments: Sequence[str], folder: Path) -> None:
        self.name = name
        self._arguments = arguments
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start, or start again."""
        command = [sys.executable, "-c", "from feltwork.cli.main import main; main()", *self._arguments]
        with self._log.open("ab") as log:
            self._process = child_processes.begin(command, stdout=log, stderr=log)

    def is_running(self) -> bool:
        """Whether it lives."""
        return self._process is not None and self._process.poll() is None

    def ask_to_stop(self) -> None:
        """Tell it to end."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)

    def wait(self, seconds: float) -> None:
        """Wait for its end, and end it where it does not."""
        if self._process is None:
            return
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class LogServer:
    """The nats-server of the wheel; an acknowledged message is on the disk."""

    name = "log"

    def __init__(self, server: "EmbeddedNats") -> None:
        self._server = server

    def start(self) -> None:
        """Start, or start again, with what it has kept; one that was left may hold its port for a moment."""
        until = time.monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                self._server.start()
                return
            except RuntimeError as error:
                if time.monotonic() > until:
                    remedy = (
                        f"look into {self._server.folder / 'server.log'}; another --nats-port may be free"
                    )
                    raise ProblemsError([Problem("log", str(error).splitlines()[0], remedy)]) from error
                time.sleep(_PAUSE_SECONDS)

    def is_running(self) -> bool:
        """Whether it lives."""
        return self._server.is_running

    def ask_to_stop(self) -> None:
        """Tell it to end: it goes last, when nobody speaks to it."""

    def wait(self, seconds: float) -> None:
        """End it."""
        del seconds
        self._server.stop()


def up(
    dsn: Dsn = "",
    nats: Annotated[str, typer.Option(help="A log that runs already; else one is started here.")] = "",
    folder: Annotated[Path, typer.Option(help="Where the log is kept, and what the parts write.")] = Path(
        "feltwork-data"
    ),
    keys: Keys = None,
    nats_port: Annotated[int, typer.Option(help="The port of the log that is started here.")] = 4222,
    nats_host: Annotated[
        str, typer.Option(help="Where that log listens: with keys everywhere, else on this machine.")
    ] = "",
    port: Annotated[int, typer.Option(help="The port of the service.")] = 8017,
    host: Annotated[str, typer.Option(help="Where the service listens.")] = "127.0.0.1",
    bookkeepers: Annotated[int, typer.Option(min=1, max=16, help="How many of them.")] = 1,
    plain: Annotated[bool, typer.Option("--plain-http", help="One machine without TLS.")] = False,
    approved: Approved = None,
) -> None:
    """Run a card room on one box: log, bookkeeper and service against a PostgreSQL that is there.

    With keys tables on other boxes connect, each with its own; without them only this machine can.
    A part that dies is started again. Ctrl-C stops all of them and leaves none behind; kill -9 does so too.
    """
    from feltwork.bookkeeper.components import verify_components
    from feltwork.operations.schema import verify_schema

    verify_schema(given(dsn))
    verify_components(approved)
    _wait_for_port(host, port)
    folder.mkdir(parents=True, exist_ok=True)
    parts: list[UpProcess] = []
    about_keys = ""
    if not nats:
        server = _log_of(folder / "log", keys, nats_host, nats_port)
        parts.append(LogServer(server))
        nats = server.url
        about_keys = WITH_KEYS.format(nats) if keys else WITHOUT_KEYS
    wire = ["--dsn", dsn, "--nats", nats, *(["--keys", str(keys)] if keys else [])]
    keep = ["bookkeeper", *wire]
    keep += ["--approved", str(approved)] if approved else []
    parts += [
        ChildProgram(f"bookkeeper-{number}", [*keep, "--name", f"bookkeeper-{number}"], folder)
        for number in range(1, bookkeepers + 1)
    ]
    serve = ["serve", *wire, "--host", host, "--port", str(port)]
    parts.append(ChildProgram("service", [*serve, "--plain-http"] if plain else serve, folder))
    _supervise(parts, f"http{'' if plain else 's'}://{host}:{port}", about_keys)


def _wait_for_port(host: str, port: int) -> None:
    """Refuse a port that somebody else has; a service that was left may hold it for a moment."""
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            listen(host, port).close()
            return
        except ProblemsError:
            if time.monotonic() > until:
                raise
            time.sleep(_PAUSE_SECONDS)


def _log_of(folder: Path, keys: Path | None, host: str, port: int) -> "EmbeddedNats":
    """The log of this box: with keys for every box, without them for this one alone."""
    from feltwork.servers.nats import EVERYWHERE, LOOPBACK, EmbeddedNats, NatsPlan
    from feltwork.servers.nats_config import server_with_keys
    from feltwork.servers.nats_keys import KeyRing
    from feltwork.servers.nats_permissions import BOOKS, SERVICE

    if keys is not None:
        for name in (BOOKS, SERVICE):
            KeyRing(keys).public(name)
        return server_with_keys(keys, folder, host=host or EVERYWHERE, port=port)
    if host not in ("", LOOPBACK):
        what = "without keys the log is for this machine alone"
        remedy = "make keys with `feltwork init --keys FOLDER --floor FLOOR`, and give --keys FOLDER"
        raise ProblemsError([Problem(f"--nats-host {host}", what, remedy, "GEN-07")])
    return EmbeddedNats(folder, NatsPlan(port=port))


def _supervise(parts: Sequence[UpProcess], where: str, about_keys: str) -> None:
    stopping = False

    def stop(_signal: int, _frame: object) -> None:
        nonlocal stopping
        stopping = True

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    started: dict[str, float] = {}
    try:
        for part in parts:
            part.start()
            started[part.name] = time.monotonic()
        names = ", ".join(part.name for part in parts)
        if about_keys:
            typer.echo(about_keys)
        typer.echo(f"up: {names}; {where}; Ctrl-C stops all (pid {os.getpid()})")
        while not stopping:
            time.sleep(_LOOK_SECONDS)
            for part in parts:
                if not part.is_running() and time.monotonic() - started[part.name] > _PAUSE_SECONDS:
                    typer.echo(f"{part.name} has ended and is started again", err=True)
                    started[part.name] = time.monotonic()
                    part.start()
    finally:
        for part in reversed(parts):
            part.ask_to_stop()
        for part in reversed(parts):
            part.wait(_PATIENCE_SECONDS)
    typer.echo("down")
