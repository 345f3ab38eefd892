"""Commands of the service: set up the books, serve them, apply a floor, look whether all is well."""

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


def init(
    dsn: Dsn = "",
    floor: Annotated[Path | None, typer.Option(help="The first floor file.")] = None,
    person: Annotated[
        list[str] | None, typer.Option(help="Somebody: ID:ROLE:BADGE; the PIN is asked for.")
    ] = None,
    by: Pair = "",
    approved_by: Second = "",
) -> None:
    """Make the books: schema, first people, first floor. The login must own the database."""
    from feltwork.books.connection import connect
    from feltwork.books.migrate import migrate

    version = migrate(_given(dsn))
    typer.echo(f"schema {version}")
    with connect(dsn) as connection:
        for one in person or ():
            _register(connection, one)
        if floor is not None:
            _apply(connection, floor, by, approved_by)


def serve(
    dsn: Dsn = "",
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port.")] = 8017,
    plain: Annotated[bool, typer.Option("--plain-http", help="One machine without TLS.")] = False,
) -> None:
    """Serve the books over HTTP; other settings come from the environment."""
    import uvicorn

    from feltwork.web.app import application
    from feltwork.web.observed import log_as_json
    from feltwork.web.settings import Settings

    log_as_json()
    settings = Settings(dsn=_given(dsn), host=host, port=port, secure_cookie=not plain)
    uvicorn.run(application(settings), host=host, port=port, log_level="warning", access_log=False)


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

    with connect(_given(dsn)) as connection:
        _apply(connection, floor, by, approved_by)


def audit_books(dsn: Dsn = "") -> None:
    """Replay every chain: balances, meters and awards must be what the rules give. Ends with 1 if not."""
    from feltwork.books.connection import connect
    from feltwork.books.replay import audit

    with connect(_given(dsn)) as connection:
        verdict = audit(connection)
    typer.echo(f"{verdict.links} links, {verdict.entries} entries, {verdict.rounds} rounds replayed")
    for problem in verdict.problems:
        typer.echo(f"wrong: {problem}")
    if verdict.problems:
        raise typer.Exit(1)


def export_books(
    target: Annotated[Path, typer.Argument(help="A new folder, or a file that ends with .tar.")],
    dsn: Dsn = "",
) -> None:
    """Write all of the books as a bundle that anyone can check with tools/verify_books.py."""
    from feltwork.books.connection import connect
    from feltwork.books.export import Period, export

    if target.exists():
        raise ProblemsError([Problem(str(target), "it exists", "name a new folder or .tar file")])
    with connect(_given(dsn)) as connection:
        manifest = export(connection, target, Period())
    for name, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {name}")


def doctor(dsn: Dsn = "") -> None:
    """Say what is missing before the service can run, each with its remedy. Ends with 1 if something is."""
    import psycopg

    from feltwork.books.migrate import newest

    found: list[tuple[str, str]] = []
    try:
        with psycopg.connect(_given(dsn), connect_timeout=5) as connection:
            _look(connection, newest(), found)
    except psycopg.OperationalError as error:
        told = str(error).splitlines()[0]
        found.append((f"the books do not answer: {told}", "start PostgreSQL, or correct --dsn"))
    for what, remedy in found:
        typer.echo(f"missing: {what}\n  → {remedy}")
    if found:
        raise typer.Exit(1)
    typer.echo("all is well")


def _look(connection: "Connection", expected: str, found: list[tuple[str, str]]) -> None:
    if connection.info.server_version < 150_000:
        found.append(("PostgreSQL is older than 15", "take a newer one"))
    if _one(connection, "SELECT to_regclass('feltwork_schema')") is None:
        found.append(("the books have no schema", "feltwork init"))
        return
    schema = _one(connection, "SELECT version_num FROM feltwork_schema")
    if schema != expected:
        found.append((f"the schema is {schema}, this release expects {expected}", "feltwork init"))
    for setting in ("fsync", "synchronous_commit", "full_page_writes"):
        if _one(connection, f"SHOW {setting}") == "off":
            found.append((f"{setting} is off: a power cut loses money", f"set {setting} = on"))
    for what, query, remedy in (
        ("nobody can sign in", "SELECT id FROM books.person LIMIT 1", "feltwork init --person ID:ROLE:BADGE"),
        ("there is no floor", "SELECT number FROM books.floor LIMIT 1", "feltwork apply FLOOR"),
    ):
        if _one(connection, query) is None:
            found.append((what, remedy))


def _one(connection: "Connection", query: str) -> object:
    row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


def _given(dsn: str) -> str:
    if not dsn:
        problem = Problem("--dsn", "is not given", "write it, or set FELTWORK_DSN")
        raise ProblemsError([problem])
    return dsn


def _register(connection: "Connection", text: str) -> None:
    """Make somebody known; what is typed is the PIN, or comes from FELTWORK_PIN_<ID> in a script."""
    from feltwork.books import people
    from feltwork.compliance.roles import ROLES

    name, _, rest = text.partition(":")
    role, _, badge = rest.partition(":")
    if not name or not badge or role not in ROLES:
        remedy = f"write ID:ROLE:BADGE, the role one of: {', '.join(ROLES)}"
        raise ProblemsError([Problem(f"--person {text}", "cannot be read", remedy)])
    pin = os.environ.get(f"FELTWORK_PIN_{name.upper()}") or typer.prompt(
        f"PIN of {name}", hide_input=True, confirmation_prompt=True
    )
    known = people.Person(id=name, name=name, role=role)
    people.register_person(connection, known, badge, people.Secrets(pin=pin), by="feltwork init")
    typer.echo(f"{name} is {role} with badge {badge}")


def _apply(connection: "Connection", floor: Path, by: str, approved_by: str) -> None:
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
