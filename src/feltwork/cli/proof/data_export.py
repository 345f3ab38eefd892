"""The command that exports data for analysis."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json


def export_data(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET", envvar="FELTWORK_DATA", help="A folder, or s3://BUCKET/PREFIX in a store."
        ),
    ],
    dsn: Dsn = "",
    endpoint: Annotated[
        str,
        typer.Option(envvar="FELTWORK_DATA_ENDPOINT", help="The URL of an S3-compatible store of your own."),
    ] = "",
    day: Annotated[
        str, typer.Option(help="YESTERDAY or a gambling day like 2026-01-31, which is written again.")
    ] = "",
    since: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Leave earlier gambling days out.")
    ] = None,
    as_data: AsData = False,
) -> None:
    """Export rounds, awards, journal and meters as Parquet, one file each per gambling day.

    Completed days that are not exported yet are written. No file names a patron or an employee.
    """
    from feltwork.site.books.audit.data_export import export_data as export
    from feltwork.site.books.audit.data_export import open_store
    from feltwork.site.books.connection import connect

    store = open_store(target, endpoint=endpoint)
    days = []
    with connect(given(dsn)) as connection:
        for exported_day in export(connection, store, day=day, since=since.date() if since else None):
            days.append(asdict(exported_day))
            if not as_data:
                counts = ", ".join(f"{rows:,} {name}" for name, rows in exported_day.rows.items())
                typer.echo(f"{exported_day.day}: {counts}; {exported_day.size:,} bytes")
    if as_data:
        print_json(days)
    elif not days:
        typer.echo(f"{target} has every gambling day that is over")
