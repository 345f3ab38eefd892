"""Commands of the bookkeeper: keep books from the wire, and list the components that an approval is of."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.cli.run.serve import Dsn, given

LogServer = Annotated[
    str, typer.Option("--nats", envvar="FELTWORK_NATS", help="Where the log is: a NATS URL.")
]
Keys = Annotated[Path | None, typer.Option(help="The folder of keys that `feltwork init` made.")]
Approved = Annotated[Path | None, typer.Option(help="The list of approved components, a TOML file.")]
Metrics = Annotated[int, typer.Option(help="The port for Prometheus; 0 is none.")]


def bookkeeper(
    dsn: Dsn = "",
    log: LogServer = "nats://127.0.0.1:4222",
    keys: Keys = None,
    domain: Annotated[
        list[str] | None, typer.Option(help="A pit or table that keeps its own rounds, by its domain.")
    ] = None,
    approved: Approved = None,
    metrics_port: Metrics = 0,
    name: Annotated[str, typer.Option(help="Who it is, in the audit log.")] = "bookkeeper",
    replicas: Annotated[int, typer.Option(help="Copies of each stream in a cluster.")] = 1,
    log_megabytes: Annotated[
        int, typer.Option(min=1, help="How much the log holds for the books; full, tables stop.")
    ] = 8192,
    check_seconds: Annotated[
        float, typer.Option(min=1, help="How often each link is checked while it is kept.")
    ] = 86_400,
) -> None:
    """Keep the books: rounds and claims from the wire, in batches. Any number of them may run."""
    from feltwork.bookkeeper.process import Bookkeeper, BookkeeperSettings
    from feltwork.servers.nats_keys import KeyRing
    from feltwork.servers.nats_permissions import BOOKS
    from feltwork.telemetry.request_log import log_as_json

    log_as_json()
    settings = BookkeeperSettings(
        dsn=given(dsn),
        url=log,
        options=KeyRing(keys).options(BOOKS) if keys else {},
        name=name,
        domains=tuple(domain or ()),
        replicas=replicas,
        log_bytes=log_megabytes << 20,
        check_seconds=check_seconds,
        approved=approved,
        metrics_port=metrics_port,
    )

    async def keep() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await Bookkeeper(settings).run(stop)

    asyncio.run(keep())


def list_components(as_data: AsData = False) -> None:
    """Print the components of this installation with their hashes, as a list that can be approved."""
    from feltwork.bookkeeper.components import components

    if as_data:
        print_json({"components": components()})
        return
    typer.echo("[components]")
    for part, digest in components().items():
        typer.echo(f'"{part}" = "{digest}"')
