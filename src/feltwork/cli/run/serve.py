"""Commands that serve the books and apply a floor file."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import Approved, Dsn, given
from feltwork.cli.secret_prompt import typed
from feltwork.problem import Problem, ProblemsError
from feltwork.site.servers.ports import listen

if TYPE_CHECKING:
    from feltwork.site.books.context import Operation

Pair = Annotated[str, typer.Option("--by", help="The badge of the first person.")]
Second = Annotated[str, typer.Option("--approved-by", help="The badge of the second person, who approves.")]


def serve(
    dsn: Dsn = "",
    host: Annotated[str | None, typer.Option(help="The address to listen on.")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65_535, help="The port; 0 chooses a free one.")
    ] = None,
    nats: Annotated[str | None, typer.Option(help="The URL of the NATS server.")] = None,
    keys: Annotated[Path | None, typer.Option(help="The folder with the service's NATS key.")] = None,
    approved: Approved = None,
    secure: Annotated[
        bool | None,
        typer.Option("--secure-cookie/--plain-http", help="Behind TLS, or one machine without TLS."),
    ] = None,
) -> None:
    """Serve screens and API over HTTP; options override the environment, which overrides defaults.

    With NATS, screens show table sensors.
    """
    import structlog

    from feltwork.site.servers.components import unapproved_release
    from feltwork.site.servers.nats_keys import KeyRing
    from feltwork.site.servers.nats_permissions import SERVICE
    from feltwork.site.web.app import application
    from feltwork.site.web.http_server import HttpServer
    from feltwork.site.web.settings import read_settings
    from feltwork.telemetry.request_log import log_as_json
    from feltwork.telemetry.tracing import start_tracing

    log_as_json()
    start_tracing("service")
    settings = read_settings(dsn=given(dsn), host=host, port=port, secure_cookie=secure, nats=nats, keys=keys)
    # Refuse to start without the key that PINs are hashed with.
    _ = settings.policy
    settings.read_recipients()
    if settings.nats and settings.keys:
        KeyRing(settings.keys).public(SERVICE)
    _verify_books(settings.dsn)
    with listen(settings.host, settings.port) as listener:
        where = f"{settings.host}:{listener.getsockname()[1]}"
        structlog.get_logger("feltwork.cli").info("listening", address=where, origin=settings.origin)
        release = unapproved_release(approved) if approved else ""
        server = HttpServer(application(settings, release=release), log_level="warning")
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listener])
    if not server.started:
        raise typer.Exit(3)


def _verify_books(dsn: str) -> None:
    """Refuse books of another release; an unreachable database may still come up."""
    import structlog

    from feltwork.site.books.schema import UnavailableError, verify_schema

    try:
        verify_schema(dsn)
    except UnavailableError as error:
        structlog.get_logger("feltwork.cli").warning("the books do not answer yet", error=str(error))


def apply_file(
    floor: Annotated[Path, typer.Argument(metavar="FLOOR", help="A floor file.")],
    dsn: Dsn = "",
    by: Pair = "",
    approved_by: Second = "",
) -> None:
    """Put a floor file into effect: new links are planned, changed ones must be suspended.

    It prompts for the PINs of both people. Where security keys are required, use the office instead.
    """
    from feltwork.site.books.context import connected
    from feltwork.site.web.settings import read_settings

    policy = read_settings(dsn=given(dsn)).policy
    with connected(dsn, policy, place="command line") as op:
        apply_as_two(op, floor, by, approved_by)


def apply_as_two(op: "Operation", floor: Path, by: str, approved_by: str) -> None:
    """Prompt both people for their PINs and apply a floor file."""
    from feltwork.site.books.people.proposals import carry_out_together
    from feltwork.site.books.two_person.floors import Reconfigure
    from feltwork.site.books.two_person.outcomes import FloorAppliedView

    text = floor.read_text(encoding="utf-8")
    first, second = present(op, by, "--by"), present(op, approved_by, "--approved-by")
    reason = f"feltwork apply {floor.name}"
    command = Reconfigure(floor=text, reason=reason)
    applied = carry_out_together(replace(first, name="feltwork apply"), second.actor, command)
    assert isinstance(applied, FloorAppliedView)
    typer.echo(f"floor {applied.floor} of {applied.site}")
    typer.echo(f"planned: {', '.join(applied.planned) or 'nothing'}")
    typer.echo(f"changed: {', '.join(applied.changed) or 'nothing'}")


def present(op: "Operation", badge: str, option: str) -> "Operation":
    """Authenticate a person by badge and PIN."""
    if not badge:
        raise ProblemsError([Problem(option, "is not given", "pass a badge; it takes two people", "GEN-19")])
    return op.beside(badge, typed("PIN", f"badge {badge}", badge))
