"""The command for record retention."""

from datetime import date
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.problem import Problem, ProblemsError


def keep_records(
    dsn: Dsn = "",
    drop_audit_month: Annotated[
        str,
        typer.Option(
            metavar="MONTH",
            help="Delete an expired month of the audit log, like 2020-01; as the owner.",
        ),
    ] = "",
    as_data: AsData = False,
) -> None:
    """List how long each kind of record is kept, or delete an expired month of the audit log.

    The journal, rounds and people's records are never deleted. Export the month first.
    """
    from feltwork.site.books.audit import record_retention
    from feltwork.site.books.connection import connect

    with connect(given(dsn)) as connection:
        if drop_audit_month:
            record_retention.drop_audit_month(connection, _month(drop_audit_month))
            typer.echo(f"deleted: the audit log of {drop_audit_month}")
            return
        rows = [
            {name: f"{value:%Y-%m-%d}" if isinstance(value, date) else value for name, value in row.items()}
            for row in record_retention.record_retention(connection)
        ]
    if as_data:
        print_json(rows)
        return
    for row in rows:
        since, until = row["oldest"] or "-", row["kept_until"] or "-"
        typer.echo(f"{row['kind']:20}{since:>12}{until:>12}  {row['then']}")


def _month(text: str) -> date:
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError:
        raise ProblemsError(
            [Problem("--drop-audit-month", f"{text!r} is not a month", "write it like 2020-01")]
        ) from None
