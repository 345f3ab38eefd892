"""The command that says what is missing before a house can play, and what it should weigh."""

import asyncio
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.cli.run.serve import Dsn, given

if TYPE_CHECKING:
    from feltwork.cli.setup.doctor_checks import DoctorCheck


def doctor(
    dsn: Dsn = "",
    keys: Annotated[Path | None, typer.Option(help="The folder of keys: look at them, and try them.")] = None,
    log: Annotated[
        str, typer.Option("--nats", envvar="FELTWORK_NATS", help="Where the log is: a NATS URL.")
    ] = "",
    monitor: Annotated[
        str, typer.Option(help="Where the log answers about itself, such as http://127.0.0.1:8222.")
    ] = "",
    approved: Annotated[
        Path | None, typer.Option(help="The list of approved components, a TOML file.")
    ] = None,
    folder: Annotated[Path, typer.Option(help="Where this machine writes: is there room?")] = Path(),
    as_data: AsData = False,
) -> None:
    """Look at all that a house needs; say what is missing, each with its remedy. Ends with 1 if something is.

    The books are always looked at; keys, log and components where their options are given.
    """
    from feltwork.cli.setup import doctor_checks

    seen = [
        *doctor_checks.books(given(dsn)),
        *doctor_checks.room(folder),
        *doctor_checks.origin(),
        *doctor_checks.components_listed(approved),
    ]
    if keys is not None:
        seen += doctor_checks.keys(keys)
    if log:
        seen += asyncio.run(doctor_checks.log(log, keys))
    if monitor:
        seen += doctor_checks.monitor(monitor)
    _print(seen, as_data=as_data)
    if any(one.state == "missing" for one in seen):
        raise typer.Exit(1)


def _print(seen: "list[DoctorCheck]", *, as_data: bool) -> None:
    if as_data:
        print_json([asdict(one) for one in seen])
        return
    for state in ("missing", "to be weighed"):
        for one in seen:
            if one.state == state:
                typer.echo(f"{state}: {one.what}\n  → {one.remedy}")
    if all(one.state != "missing" for one in seen):
        typer.echo("all is well")
