"""Commands that run a bookkeeper and list the components of the installation."""

import asyncio
import signal
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import Approved, AsData, Dsn, Keys, NatsUrl, given, print_json
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from feltwork.site.bookkeeper.process import Bookkeeper
    from feltwork.site.servers.nats_keys import KeyRing


def bookkeeper(
    dsn: Dsn = "",
    log: NatsUrl = "nats://127.0.0.1:4222",
    keys: Keys = None,
    domain: Annotated[
        list[str] | None,
        typer.Option(
            envvar="FELTWORK_DOMAINS",
            help="The domain of a pit or table with its own NATS server, as NAME=TABLE,TABLE.",
        ),
    ] = None,
    approved: Approved = None,
    metrics_port: Annotated[int, typer.Option(help="The Prometheus port; 0 is none.")] = 0,
    metrics_host: Annotated[str, typer.Option(help="The address of the Prometheus port.")] = "127.0.0.1",
    name: Annotated[str, typer.Option(help="Its name in the audit log.")] = "bookkeeper",
    replicas: Annotated[
        int, typer.Option(envvar="FELTWORK_REPLICAS", help="Copies of each stream in a cluster.")
    ] = 1,
    log_megabytes: Annotated[
        int,
        typer.Option(
            min=1,
            envvar="FELTWORK_LOG_MEGABYTES",
            help="The size of the stream, less where NATS has less room; tables stop when it is full.",
        ),
    ] = 8192,
    check_seconds: Annotated[float, typer.Option(min=1, help="How often each link is checked.")] = 86_400,
) -> None:
    """Book rounds and claims from NATS in batches; run any number of bookkeepers."""
    from feltwork.site.bookkeeper.process import Bookkeeper, BookkeeperSettings
    from feltwork.site.servers.nats_keys import KeyRing
    from feltwork.site.servers.nats_permissions import BOOKS, GUARD, STREAMS
    from feltwork.site.web.settings import read_settings
    from feltwork.telemetry.request_log import log_as_json
    from feltwork.telemetry.tracing import start_tracing

    log_as_json()
    start_tracing("bookkeeper")
    ring = KeyRing(keys) if keys else None
    settings = BookkeeperSettings(
        dsn=given(dsn),
        url=log,
        options=ring.options(BOOKS) if ring else {},
        streams_options=ring.derived_options(BOOKS, STREAMS) if ring else {},
        guard_options=ring.derived_options(BOOKS, GUARD) if ring else None,
        name=name,
        domains=dict(map(_domain, domain or ())),
        replicas=replicas,
        log_bytes=log_megabytes << 20,
        check_seconds=check_seconds,
        pin_key=read_settings(dsn=dsn, keys=keys).policy.pin_key,
        approved=approved,
        metrics_port=metrics_port,
        metrics_host=metrics_host,
    )

    asyncio.run(_keep(Bookkeeper(settings), ring))


def _domain(text: str) -> tuple[str, frozenset[str]]:
    name, _, tables = text.partition("=")
    if not (name and tables):
        remedy = "write NAME=TABLE,TABLE with the tables that may play there"
        raise ProblemsError([Problem(f"--domain {text}", "cannot be read", remedy, "GEN-07")])
    return name, frozenset(tables.split(","))


async def _keep(keeper: "Bookkeeper", ring: "KeyRing | None") -> None:
    """Run the bookkeeper until a signal stops it, with the days left of each certificate in the metrics."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    if ring is not None:
        for certificate in ring.names():
            days = keeper.observed.certificate_days.labels(certificate)
            days.set_function(partial(ring.days_left, certificate))
    await keeper.run(stop)


def list_components(
    as_data: AsData = False,
    approved: Approved = None,
    cyclonedx: Annotated[
        bool, typer.Option("--cyclonedx", help="Print a CycloneDX software bill of materials.")
    ] = False,
) -> None:
    """Print every package of this installation with one SHA-256 of all its files, for approval.

    With an approved list, print nothing, and fail if a component differs from the list.
    """
    from feltwork.site.servers import components

    if approved:
        components.verify_components(approved)
        return
    components.compile_modules()
    if cyclonedx:
        print_json(components.cyclonedx())
        return
    digests = components.components()
    if as_data:
        print_json({"components": digests})
        return
    typer.echo("[components]")
    for part, digest in digests.items():
        typer.echo(f'"{part}" = "{digest}"')
