"""The command that runs NATS, bookkeepers and the service on one machine and restarts failed processes."""

import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias
from urllib.parse import urlunsplit

import typer

from feltwork.cli.arguments import Approved, Dsn, Keys, given
from feltwork.problem import Problem, ProblemsError
from feltwork.site.servers.ports import listen

if TYPE_CHECKING:
    import httpx

    from feltwork.site.servers.child_program import ChildProgram
    from feltwork.site.servers.nats import EmbeddedNats

_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 15.0
#: The minimum time between two starts of a process.
_PAUSE_SECONDS = 1.0
_NO_ANSWER = "the service does not answer"
WITH_KEYS = "with keys: tables connect over TLS, each with its own key; here at {}"
WITHOUT_KEYS = (
    "without keys: NATS listens on this machine only, and any local process can publish for any table"
)


def up(
    dsn: Dsn = "",
    nats: Annotated[str, typer.Option(help="A running NATS server; by default one is started.")] = "",
    folder: Annotated[Path, typer.Option(help="The folder for NATS data and log files.")] = Path(
        "feltwork-data"
    ),
    keys: Keys = None,
    nats_port: Annotated[int, typer.Option(help="The port of the NATS server.")] = 4222,
    nats_host: Annotated[
        str,
        typer.Option(help="The address of the NATS server; default all addresses with keys, else loopback."),
    ] = "",
    port: Annotated[int, typer.Option(help="The port of the service.")] = 8017,
    host: Annotated[str, typer.Option(help="The address of the service.")] = "127.0.0.1",
    bookkeepers: Annotated[int, typer.Option(min=1, max=16, help="The number of bookkeepers.")] = 1,
    metrics_port: Annotated[
        int,
        typer.Option(help="The Prometheus port of the first bookkeeper, the next ones follow; 0 is none."),
    ] = 0,
    plain: Annotated[bool, typer.Option("--plain-http", help="One machine without TLS.")] = False,
    approved: Approved = None,
) -> None:
    """Run a card room on one machine: NATS, bookkeeper and service with an existing PostgreSQL.

    With keys, tables on other machines can connect. A process that dies is restarted. Ctrl-C stops all
    processes, and so does kill -9 of this command.
    """
    from feltwork.site.books.schema import verify_schema
    from feltwork.site.servers.child_program import ChildProgram
    from feltwork.site.web.settings import read_settings

    _ = read_settings(dsn=given(dsn), keys=keys).policy
    verify_schema(dsn)
    _wait_for_port(host, port)
    folder.mkdir(parents=True, exist_ok=True)
    server = None
    about_keys = ""
    if not nats:
        server = _log_of(folder / "log", keys, nats_host, nats_port)
        nats = server.url
        about_keys = WITH_KEYS.format(nats) if keys else WITHOUT_KEYS
    books = {"FELTWORK_DSN": dsn}
    wire = ["--nats", nats, *(["--keys", str(keys)] if keys else [])]
    wire += ["--approved", str(approved)] if approved else []
    keep = ["bookkeeper", *wire]
    programs = [
        ChildProgram(name, [*keep, "--name", name, "--metrics-port", str(at)], folder, books)
        for name, at in _bookkeepers(bookkeepers, metrics_port)
    ]
    serve = ["serve", *wire, "--host", host, "--port", str(port)]
    programs.append(ChildProgram("service", [*serve, "--plain-http"] if plain else serve, folder, books))
    where = urlunsplit(("http", f"{host}:{port}", "", "", ""))
    where += "" if plain else f", for browsers {read_settings(dsn=dsn).origin}"
    _supervise(server, programs, where, about_keys)


def _bookkeepers(count: int, first_port: int) -> Iterator[tuple[str, int]]:
    """Yield the name and metrics port of each bookkeeper."""
    for number in range(count):
        yield f"bookkeeper-{number + 1}", first_port + number if first_port else 0


def _wait_for_port(host: str, port: int) -> None:
    """Refuse a port in use; a previous service may hold it for a moment."""
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
    """Configure the NATS server: on all addresses with keys, on loopback without."""
    from feltwork.site.servers.nats import EVERYWHERE, LOOPBACK, EmbeddedNats, NatsPlan
    from feltwork.site.servers.nats_config import server_with_keys
    from feltwork.site.servers.nats_keys import KeyRing
    from feltwork.site.servers.nats_permissions import BOOKS, SERVICE

    if keys is not None:
        for name in (BOOKS, SERVICE):
            KeyRing(keys).public(name)
        return server_with_keys(keys, folder, host=host or EVERYWHERE, port=port)
    if host not in ("", LOOPBACK):
        what = "without keys, NATS listens on this machine only"
        remedy = "create keys with `feltwork init --keys FOLDER --floor FLOOR`, and pass --keys FOLDER"
        raise ProblemsError([Problem(f"--nats-host {host}", what, remedy, "GEN-07")])
    return EmbeddedNats(folder, NatsPlan(port=port))


def _start_nats(server: "EmbeddedNats") -> None:
    """Start or restart NATS; a previous server may hold the port for a moment."""
    server.stop()
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            server.start()
            return
        except RuntimeError as error:
            if time.monotonic() > until:
                remedy = f"see {server.folder / 'server.log'}, or choose another --nats-port"
                raise ProblemsError([Problem("log", str(error).splitlines()[0], remedy)]) from error
            time.sleep(_PAUSE_SECONDS)


def _is_storing(server: "EmbeddedNats") -> bool:
    """Whether NATS runs and stores; also true if its disk is full, because a restart would not help."""
    from feltwork.site.servers.nats import LEAST_ROOM

    if shutil.disk_usage(server.folder).free < LEAST_ROOM:
        return True
    return server.is_running and not server.has_write_error


#: The liveness check of a process, and the function that starts it.
_Part: TypeAlias = tuple[Callable[[], bool], Callable[[], object]]


def _supervise(
    server: "EmbeddedNats | None", programs: "Sequence[ChildProgram]", where: str, about_keys: str
) -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _signal, _frame: stop.set())
    parts: dict[str, _Part] = {}
    if server is not None:
        parts["log"] = (partial(_is_storing, server), partial(_start_nats, server))
    for program in programs:
        parts[program.name] = (partial(getattr, program, "is_running"), program.start)
    try:
        for _, start in parts.values():
            start()
        if about_keys:
            typer.echo(about_keys)
        up = f"up: {', '.join(parts)}; {where}; Ctrl-C stops all (pid {os.getpid()})"
        watching = threading.Thread(target=_tell_state, args=(where.partition(",")[0], up, stop), daemon=True)
        watching.start()
        _restart_dead(parts, stop)
        watching.join()
    finally:
        for program in reversed(programs):
            program.signal(signal.SIGTERM)
        for program in reversed(programs):
            program.stop(_PATIENCE_SECONDS)
        if server is not None:
            server.stop()
    typer.echo("down")


def _tell_state(service: str, up: str, stop: threading.Event) -> None:
    """Report when rounds can be booked, and the reason whenever they cannot."""
    import httpx

    last_problem: str | None = None
    # One client: a new one reads every certificate authority, 40 ms of processor time.
    with httpx.Client(base_url=service, timeout=_PAUSE_SECONDS * 5, trust_env=False) as client:
        while not stop.wait(_LOOK_SECONDS if last_problem is None else _PAUSE_SECONDS):
            problem = _why_not_ready(client)
            if problem == last_problem or (problem == _NO_ANSWER and last_problem is None):
                continue
            last_problem = problem
            typer.echo(f"not up: {problem}" if problem else up, err=bool(problem))


def _why_not_ready(client: "httpx.Client") -> str:
    """Return the reason why nothing can be booked, or an empty string."""
    import httpx

    try:
        answer = client.get("/readyz")
        view = answer.json()
    except (httpx.HTTPError, ValueError):
        return _NO_ANSWER
    if answer.status_code == httpx.codes.OK:
        return ""
    if view["schema"] != view["expected"]:
        return "the books do not answer"
    return str(view["cannot_book"] or f"these tasks failed: {', '.join(view['failed_tasks'])}")


def _restart_dead(parts: dict[str, _Part], stop: threading.Event) -> None:
    started = dict.fromkeys(parts, time.monotonic())
    while not stop.wait(_LOOK_SECONDS):
        for name, (is_running, start) in parts.items():
            if not is_running() and time.monotonic() - started[name] > _PAUSE_SECONDS:
                typer.echo(f"{name} has failed and is being restarted", err=True)
                started[name] = time.monotonic()
                start()
