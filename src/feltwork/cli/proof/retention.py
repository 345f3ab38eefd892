"""The command about records: how long each kind is kept, and what may go."""

from datetime import date
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.cli.run.serve import Dsn, given
from feltwork.problem import Problem, ProblemsError


def keep_records(
    dsn: Dsn = "",
    let_go: Annotated[
        str,
        typer.Option(
            metavar="MONTH",
            help="A month of the audit log, like 2020-01, whose years are over; as the owner.",
        ),
    ] = "",
    as_data: AsData = False,
) -> None:
    """Say since when and until when records are kept, or let a month of the audit log go.

    The journal, its rounds and what people have written stay. Export the month before it goes.
    """
    from feltwork.operations.connection import connect
    from feltwork.operations.reports import reports

    with connect(given(dsn)) as connection:
        if let_go:
            reports.let_go(connection, _month(let_go))
            typer.echo(f"gone: the audit log of {let_go}")
            return
        rows = [
            {name: f"{value:%Y-%m-%d}" if isinstance(value, date) else value for name, value in row.items()}
            for row in reports.rows_of(connection, reports.ReportRequest(name="retention"))
        ]
    if as_data:
        print_json(rows)
        return
    for row in rows:
        since, until = row["oldest"] or "-", row["kept_until"] or "-"
        typer.echo(f"{row['kind']:20}{since:>12}{until:>12}  {row['then']}")


def _month(said: str) -> date:
    try:
        return date.fromisoformat(f"{said}-01")
    except ValueError:
        raise ProblemsError([Problem("--let-go", f"{said!r} is no month", "write it like 2020-01")]) from None
