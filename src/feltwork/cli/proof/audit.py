"""The command that audits the books."""

from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.site.books.connection import Connection


def audit_books(
    day: Annotated[
        str, typer.Argument(metavar="DAY", help="ALL, TODAY, YESTERDAY, or a gambling day like 2026-01-31.")
    ] = "ALL",
    dsn: Dsn = "",
    sample: Annotated[
        str,
        typer.Option(metavar="SEED", help="Draw awards instead: any text, which draws the same ones again."),
    ] = "",
    size: Annotated[int, typer.Option(min=1, max=1_000, help="How many awards are drawn.")] = 10,
    drop_audit_month: Annotated[
        str,
        typer.Option(metavar="MONTH", help="Delete an expired month of the audit log instead; as the owner."),
    ] = "",
    as_data: AsData = False,
) -> None:
    """Replay every chain and compare balances, meters and awards with the rules; exit with 1 on a difference.

    For a single day, check entries, postings and rounds in the database, which takes seconds. A sample is the
    confirmed awards with the smallest SHA-256 of seed, link and award, joined by slashes. How long each kind
    of record is kept is the report record_retention; export a month of the audit log before you delete it.
    """
    from feltwork.cli.console import at_work
    from feltwork.site.books.audit.audit import audit
    from feltwork.site.books.connection import connect

    with connect(given(dsn)) as connection:
        if drop_audit_month:
            _drop_month(connection, drop_audit_month)
            return
        if sample:
            _print_sample(connection, day, sample, size, as_data=as_data)
            return
        with at_work("replaying"):
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


def _print_sample(connection: "Connection", day: str, seed: str, size: int, *, as_data: bool) -> None:
    """Draw a random sample of confirmed awards that anyone can repeat from its seed."""
    from feltwork.money import dollars
    from feltwork.site.books.audit.audit import AwardSearch, draw_awards

    awards = draw_awards(connection, AwardSearch(day=day, seed=seed, limit=size)).awards
    if as_data:
        print_json([{**award, "booked_at": award["booked_at"].isoformat()} for award in awards])
        return
    for award in awards:
        typer.echo(f"{award['link']}  {award['award']}  {dollars(award['amount'])}  {award['status']}")


def _drop_month(connection: "Connection", month: str) -> None:
    from feltwork.site.books.audit import record_retention

    try:
        first = date.fromisoformat(f"{month}-01")
    except ValueError:
        problem = Problem("--drop-audit-month", f"{month!r} is not a month", "write it like 2020-01")
        raise ProblemsError([problem]) from None
    record_retention.drop_audit_month(connection, first)
    typer.echo(f"deleted: the audit log of {month}")
