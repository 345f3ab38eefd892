"""Commands that prove the books: replay or check them, and write the bundle that others verify."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.cli.run.serve import Dsn, given
from feltwork.problem import Problem, ProblemsError


def audit_books(
    day: Annotated[
        str, typer.Argument(metavar="DAY", help="ALL, TODAY, or a gambling day like 2026-01-31.")
    ] = "ALL",
    dsn: Dsn = "",
    as_data: AsData = False,
) -> None:
    """Replay every chain: balances, meters and awards must be what the rules give. Ends with 1 if not.

    Of a day the entries, postings and rounds are checked inside the database, in seconds.
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
    """Write a day of the books, or all of them, as a bundle that tools/verify_books.py can check.

    The ends of the chains are printed: kept elsewhere, they show later that nothing was cut off.
    """
    from feltwork.cli.console import at_work
    from feltwork.operations.connection import connect
    from feltwork.operations.records.audit import export_books as export

    if target.exists():
        raise ProblemsError([Problem(str(target), "it exists", "name a new folder or .tar file")])
    with connect(given(dsn)) as connection, at_work("writing"):
        manifest = export(connection, target, day)
    if as_data:
        print_json(manifest)
        return
    for name, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {name}")
    for link, about in manifest["links"].items():
        typer.echo(f"--tail {link}={about['closing']['number']}:{about['closing']['hash']}")
