"""The command that runs the hub of network links."""

import asyncio
import gc
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import Dsn, HubKeys, HubUrl, Keys, NatsUrl, given

if TYPE_CHECKING:
    from feltwork.bookkeeper.hub import Hub


def hub(
    dsn: Dsn = "",
    log: NatsUrl = "nats://127.0.0.1:4222",
    keys: Keys = None,
    window_ms: Annotated[
        int, typer.Option(min=0, max=1_000, help="How long sums are collected for one entry.")
    ] = 100,
    above: HubUrl = "",
    above_keys: HubKeys = None,
) -> None:
    """Keep the meters of network links: book the sums of their sites and answer their claims.

    At an aggregator, --hub and --hub-keys name the hub above and the key that the hub issued.
    """
    from feltwork.bookkeeper.hub import Hub, HubSettings
    from feltwork.cli.run.bookkeeper import hub_options
    from feltwork.progressive.network.hub import HubTiming
    from feltwork.servers.nats_keys import KeyRing
    from feltwork.servers.nats_permissions import HUB
    from feltwork.telemetry.request_log import log_as_json
    from feltwork.wire.read_pace import paced_loop

    log_as_json()
    options = KeyRing(keys).options(HUB) if keys else {}
    # Sums and members have no reference cycles: collecting every 700 objects would take a tenth of the time.
    gc.set_threshold(50_000)
    settings = HubSettings(
        dsn=given(dsn),
        url=log,
        options=options,
        timing=HubTiming(window=window_ms * 1_000),
        above_url=above,
        above_options=hub_options(above_keys),
    )
    with asyncio.Runner(loop_factory=paced_loop) as runner:
        runner.run(_run(Hub(settings)))


async def _run(hub: "Hub") -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await hub.run(stop)
