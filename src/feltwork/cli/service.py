"""Commands of the service: serve the books, and let a floor take effect."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.ports import listen
from feltwork.cli.typed import typed
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.books.connection import Connection
    from feltwork.compliance.roles import Person as Somebody

Dsn = Annotated[
    str, typer.Option("--dsn", envvar="FELTWORK_DSN", help="How to reach the books: a PostgreSQL DSN.")
]
Pair = Annotated[str, typer.Option("--by", help="The badge of who asks.")]
Second = Annotated[str, typer.Option("--approved-by", help="The badge of who approves, somebody else.")]


def serve(
    dsn: Dsn = "",
    host: Annotated[str | None, typer.Option(help="Where to listen.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")] = None,
    nats: Annotated[str | None, typer.Option(help="Where the log is: a NATS URL.")] = None,
    keys: Annotated[
        Path | None, typer.Option(help="The folder with the service's own key for the log.")
    ] = None,
    secure: Annotated[
        bool | None,
        typer.Option("--secure-cookie/--plain-http", help="Behind TLS, or one machine without it."),
    ] = None,
) -> None:
    """Serve the books over HTTP. What is not said here comes from the environment, then from the defaults.

    With a log it hears what the sensors of tables see, and screens show it.
    """
    import structlog
    import uvicorn

    from feltwork.web.app import application
    from feltwork.web.observed import log_as_json
    from feltwork.web.settings import read_settings
    from feltwork.wire.keys import KeyRing
    from feltwork.wire.rights import SERVICE

    log_as_json()
    settings = read_settings(dsn=given(dsn), host=host, port=port, secure_cookie=secure, nats=nats, keys=keys)
    if settings.nats and settings.keys:
        KeyRing(settings.keys).public(SERVICE)
    _verify_books(settings.dsn)
    with listen(settings.host, settings.port) as listener:
        where = f"{settings.host}:{listener.getsockname()[1]}"
        structlog.get_logger("feltwork.cli").info("listening", address=where, origin=settings.origin)
        server = uvicorn.Server(uvicorn.Config(application(settings), log_level="warning", access_log=False))
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
    if not server.started:
        raise typer.Exit(3)


def _verify_books(dsn: str) -> None:
    """Refuse books of another release. Those that do not answer may come yet; nothing is served before."""
    import psycopg
    import structlog

    from feltwork.cli.up import verify_schema

    try:
        verify_schema(dsn)
    except ProblemsError as error:
        if not isinstance(error.__cause__, psycopg.OperationalError):
            raise
        structlog.get_logger("feltwork.cli").warning("the books do not answer yet", error=str(error))


def apply_file(
    floor: Annotated[Path, typer.Argument(metavar="FLOOR", help="A floor file.")],
    dsn: Dsn = "",
    by: Pair = "",
    approved_by: Second = "",
) -> None:
    """Let a floor file take effect: new links are planned, changed ones must be suspended.

    The badges and PINs of both people are asked for.
    """
    from feltwork.books.connection import connect

    with connect(given(dsn)) as connection:
        apply_as_two(connection, floor, by, approved_by)


def given(dsn: str) -> str:
    """The DSN, or a refusal where there is none."""
    if not dsn:
        problem = Problem("--dsn", "is not given", "write it, or set FELTWORK_DSN")
        raise ProblemsError([problem])
    return dsn


def apply_as_two(connection: "Connection", floor: Path, by: str, approved_by: str) -> None:
    """Both people prove themselves, and the rules about people are asked, as they are over HTTP."""
    from feltwork.compliance.roles import Context, may
    from feltwork.compliance.roles import Person as Somebody
    from feltwork.compliance.two_person import Command, approve
    from feltwork.progressive.people import Asked
    from feltwork.web.floors import apply_floor

    text = floor.read_text(encoding="utf-8")
    first, second = _proved(connection, by, "--by"), _proved(connection, approved_by, "--approved-by")
    command = Command(name="reconfigure", about="floor", body={"floor": text})
    context = Context(approvals=[approve(command, second.id, second.roles)])
    answer = may(Somebody(first.id, first.roles), command, context)
    if not answer.allowed:
        raise ProblemsError([Problem("apply", answer.why, answer.remedy, answer.requirement)])
    asked = Asked(by=first.id, approved_by=second.id, reason=f"feltwork apply {floor.name}")
    told = apply_floor(connection, text, asked, on=datetime.now(tz=UTC).date())
    typer.echo(f"floor {told['floor']} of {told['site']}")
    for what in ("planned", "changed"):
        typer.echo(f"{what}: {', '.join(told[what]) or 'nothing'}")


def _proved(connection: "Connection", badge: str, option: str) -> "Somebody":
    from feltwork.books.people import prove
    from feltwork.compliance.roles import Person as Somebody

    if not badge:
        raise ProblemsError([Problem(option, "is not given", "name a badge; it takes two people", "GEN-19")])
    person = prove(connection, badge, typed("PIN", f"badge {badge}", badge), place="command line")
    return Somebody(person.id, (person.role,))
