"""Commands of the service: serve the books, apply a floor, audit and export."""

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

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
    port: Annotated[int | None, typer.Option(help="The port.")] = None,
    secure: Annotated[
        bool | None,
        typer.Option("--secure-cookie/--plain-http", help="Behind TLS, or one machine without it."),
    ] = None,
) -> None:
    """Serve the books over HTTP. What is not said here comes from the environment, then from the defaults."""
    import uvicorn

    from feltwork.web.app import application
    from feltwork.web.observed import log_as_json
    from feltwork.web.settings import read_settings

    log_as_json()
    settings = read_settings(dsn=given(dsn), host=host, port=port, secure_cookie=secure)
    uvicorn.run(
        application(settings), host=settings.host, port=settings.port, log_level="warning", access_log=False
    )


def apply_file(
    floor: Annotated[Path, typer.Argument(help="A floor file.")],
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


def audit_books(
    day: Annotated[str, typer.Argument(help="ALL, TODAY, or a gambling day like 2026-01-31.")] = "ALL",
    dsn: Dsn = "",
) -> None:
    """Replay every chain: balances, meters and awards must be what the rules give. Ends with 1 if not.

    Of a day the entries, postings and rounds are checked inside the database, in seconds.
    """
    from feltwork.books.connection import connect
    from feltwork.books.day_audit import audit_period
    from feltwork.books.days import period_of
    from feltwork.books.replay import audit

    with connect(given(dsn)) as connection:
        period = period_of(connection, day)
        verdict = audit(connection) if day == "ALL" else audit_period(connection, period)
    how = "replayed" if day == "ALL" else f"checked for {period.name}"
    typer.echo(f"{verdict.links} links, {verdict.entries} entries, {verdict.rounds} rounds {how}")
    for problem in verdict.problems:
        typer.echo(f"wrong: {problem}")
    if verdict.problems:
        raise typer.Exit(1)


def export_books(
    day: Annotated[str, typer.Argument(help="ALL, TODAY, or a gambling day like 2026-01-31.")],
    target: Annotated[Path, typer.Argument(help="A new folder, or a file that ends with .tar.")],
    dsn: Dsn = "",
) -> None:
    """Write a day of the books, or all of them, as a bundle that tools/verify_books.py can check.

    The ends of the chains are printed: kept elsewhere, they show later that nothing was cut off.
    """
    from feltwork.books.connection import connect
    from feltwork.books.days import period_of
    from feltwork.books.export import export

    if target.exists():
        raise ProblemsError([Problem(str(target), "it exists", "name a new folder or .tar file")])
    with connect(given(dsn)) as connection:
        manifest = export(connection, target, period_of(connection, day))
    for name, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {name}")
    for link, about in manifest["links"].items():
        typer.echo(f"--tail {link}={about['closing']['number']}:{about['closing']['hash']}")


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
    pin = os.environ.get(f"FELTWORK_PIN_{badge.upper().replace('-', '_')}") or typer.prompt(
        f"PIN of badge {badge}", hide_input=True
    )
    person = prove(connection, badge, pin, place="command line")
    return Somebody(person.id, (person.role,))
