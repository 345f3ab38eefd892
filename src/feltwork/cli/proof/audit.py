"""Commands that audit and export the books."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.problem import Problem, ProblemsError


def audit_books(
    day: Annotated[
        str, typer.Argument(metavar="DAY", help="ALL, TODAY, or a gambling day like 2026-01-31.")
    ] = "ALL",
    dsn: Dsn = "",
    as_data: AsData = False,
) -> None:
    """Replay every chain and compare balances, meters and awards with the rules; exit with 1 on a difference.

    For a single day, the database checks entries, postings and rounds, in seconds.
    """
    from feltwork.cli.console import at_work
    from feltwork.operations.connection import connect
    from feltwork.operations.records.audit import audit

    with connect(given(dsn)) as connection, at_work("replaying"):
        result = audit(connection, day)
    if as_data:
        print_json(asdict(result))
    else:
        how = "replayed" if day == "ALL" else f"checked for {result.period}"
        typer.echo(f"{result.links} links, {result.entries} entries, {result.rounds} rounds {how}")
        for problem in result.problems:
            typer.echo(f"wrong: {problem}")
    if result.problems:
        raise typer.Exit(1)


def export_books(
    day: Annotated[str, typer.Argument(metavar="DAY", help="ALL, TODAY, or a gambling day like 2026-01-31.")],
    target: Annotated[
        Path, typer.Argument(metavar="TARGET", help="A new folder, or a file that ends with .tar.")
    ],
    dsn: Dsn = "",
    as_data: AsData = False,
) -> None:
    """Export a day of the books, or all of them, as a bundle for tools/verify_books.py.

    It prints the chain ends; keep them elsewhere to prove later that nothing was cut off.
    """
    from feltwork.cli.console import at_work
    from feltwork.operations.connection import connect
    from feltwork.operations.records.audit import export_books as export

    if target.exists():
        raise ProblemsError([Problem(str(target), "it already exists", "use a new folder or .tar file")])
    with connect(given(dsn)) as connection, at_work("writing"):
        manifest = export(connection, target, day)
    if as_data:
        print_json(manifest)
        return
    for name, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {name}")
    for link, about in manifest["links"].items():
        typer.echo(f"--tail {link}={about['closing']['number']}:{about['closing']['hash']}")
