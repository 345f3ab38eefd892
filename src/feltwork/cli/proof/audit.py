"""Commands that audit and export the books."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.problem import Problem, ProblemsError

Day = Annotated[
    str, typer.Argument(metavar="DAY", help="ALL, TODAY, YESTERDAY, or a gambling day like 2026-01-31.")
]


def audit_books(
    day: Day = "ALL",
    dsn: Dsn = "",
    as_data: AsData = False,
) -> None:
    """Replay every chain and compare balances, meters and awards with the rules; exit with 1 on a difference.

    For a single day, check entries, postings and rounds in the database, which takes seconds.
    """
    from feltwork.cli.console import at_work
    from feltwork.site.books.audit.audit import audit
    from feltwork.site.books.connection import connect

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
    day: Day,
    target: Annotated[
        Path,
        typer.Argument(
            metavar="TARGET", help="A new folder, or a file that ends with .tar; DAY in its name is the day."
        ),
    ],
    dsn: Dsn = "",
    keys: Annotated[
        Path | None,
        typer.Option(envvar="FELTWORK_KEYS", help="The folder with the key of the site, which signs it."),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="Leave a bundle that is there already, as a daily timer does.")
    ] = False,
    as_data: AsData = False,
) -> None:
    """Export a day of the books, or all of them, as a bundle for tools/verify_books.py.

    Also print the chain ends; keep them elsewhere to prove later that nothing was cut off.
    """
    from feltwork.cli.console import at_work
    from feltwork.site.books.audit.audit import export_books as export
    from feltwork.site.books.connection import connect
    from feltwork.site.books.floors.site import period

    with connect(given(dsn)) as connection, at_work("writing"):
        target = target.with_name(target.name.replace("DAY", period(connection, day).name))
        if target.exists() and once:
            typer.echo(f"{target} is there already and is left as it is")
            return
        if target.exists():
            raise ProblemsError([Problem(str(target), "it already exists", "use a new folder or .tar file")])
        manifest = export(connection, target, day, keys=keys)
    if as_data:
        print_json(manifest)
        return
    for name, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {name}")
    for link, about in manifest["links"].items():
        typer.echo(f"--tail {link}={about['closing']['number']}:{about['closing']['hash']}")
    end = manifest["evidence"]["closing"]
    typer.echo(f"--tail evidence={end['number']}:{end['hash']}")
    typer.echo(f"signed by {manifest['site_key']}" if manifest["site_key"] else "not signed: pass --keys")


def sample_awards(
    seed: Annotated[str, typer.Argument(metavar="SEED", help="Any text; the same draws the same sample.")],
    size: Annotated[int, typer.Option(min=1, max=1_000, help="How many awards.")] = 10,
    day: Annotated[str, typer.Option(help="ALL, TODAY, YESTERDAY, or a gambling day.")] = "ALL",
    dsn: Dsn = "",
    as_data: AsData = False,
) -> None:
    """Draw a random sample of confirmed awards that anyone can repeat from its seed.

    The sample is the awards with the smallest SHA-256 of seed, link and award, joined by slashes.
    """
    from feltwork.money import dollars
    from feltwork.site.books.audit.audit import AwardSearch, draw_awards
    from feltwork.site.books.connection import connect

    with connect(given(dsn)) as connection:
        sample = draw_awards(connection, AwardSearch(day=day, seed=seed, limit=size))
    if as_data:
        print_json([{**award, "booked_at": award["booked_at"].isoformat()} for award in sample.awards])
        return
    for award in sample.awards:
        typer.echo(f"{award['link']}  {award['award']}  {dollars(award['amount'])}  {award['status']}")
