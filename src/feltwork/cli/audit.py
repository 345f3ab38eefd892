"""Commands that prove the books: replay or check them, and write the bundle that others verify."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.cli.service import Dsn, given
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.books.replay import Verdict


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
    from feltwork.books.connection import connect
    from feltwork.books.day_audit import audit_period
    from feltwork.books.days import period_of
    from feltwork.books.replay import audit
    from feltwork.cli.console import at_work

    with connect(given(dsn)) as connection, at_work("replaying"):
        period = period_of(connection, day)
        verdict = audit(connection) if day == "ALL" else audit_period(connection, period)
    if as_data:
        counted = {"links": verdict.links, "entries": verdict.entries, "rounds": verdict.rounds}
        print_json({"period": period.name, **counted, "problems": [asdict(one) for one in verdict.problems]})
    else:
        _print_verdict(verdict, "replayed" if day == "ALL" else f"checked for {period.name}")
    if verdict.problems:
        raise typer.Exit(1)


def _print_verdict(verdict: "Verdict", how: str) -> None:
    typer.echo(f"{verdict.links} links, {verdict.entries} entries, {verdict.rounds} rounds {how}")
    for problem in verdict.problems:
        typer.echo(f"wrong: {problem}")


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
    from feltwork.books.connection import connect
    from feltwork.books.days import period_of
    from feltwork.books.export import export
    from feltwork.cli.console import at_work

    if target.exists():
        raise ProblemsError([Problem(str(target), "it exists", "name a new folder or .tar file")])
    with connect(given(dsn)) as connection, at_work("writing"):
        manifest = export(connection, target, period_of(connection, day))
    if as_data:
        print_json(manifest)
        return
    for name, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {name}")
    for link, about in manifest["links"].items():
        typer.echo(f"--tail {link}={about['closing']['number']}:{about['closing']['hash']}")
