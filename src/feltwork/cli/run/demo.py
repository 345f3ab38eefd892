"""The command that runs the demo."""

import asyncio
import signal
import socket
import threading
import time
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.servers.ports import listen

if TYPE_CHECKING:
    from feltwork.servers.temporary import TemporaryServers
    from feltwork.simulation.demo import Demo
    from feltwork.simulation.network_demo import NetworkDemo

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_PLACES = 4


def demo(
    port: Annotated[int, typer.Option(min=0, max=65_532, help="The port; 0 chooses a free one.")] = 8017,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
    network: Annotated[
        bool, typer.Option("--network", help="A hub and three card rooms, each at a port of its own.")
    ] = False,
) -> None:
    """Run a simulated floor with all six games on a real PostgreSQL and NATS, with every screen.

    The sign-in page lists every badge and PIN. Ctrl-C stops everything and leaves nothing behind. With
    --network, three card rooms share a jackpot, and a button cuts a room off from the hub.
    """
    began = time.monotonic()
    for number in _SIGNALS:
        signal.signal(number, signal.default_int_handler)
    # Browsers share cookies among the ports of an address, so each place gets its own address.
    listeners = [
        listen(f"127.0.0.{place + 1}", port + place if port else 0)
        for place in range(_PLACES if network else 1)
    ]
    what = "a hub and three card rooms" if network else "thirteen tables"
    typer.echo(f"Starting PostgreSQL, NATS, the books and {what} ...")
    box = _servers(network=network)
    try:
        with ThreadPoolExecutor(1) as beside:
            started = beside.submit(box.start)
            # Importing takes as long as starting the servers.
            import_module("feltwork.simulation.network_demo" if network else "feltwork.simulation.demo")
        started.result()
        asyncio.run(_run(_demo(box, listeners), began, opens=not no_open))
    except KeyboardInterrupt:
        pass
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        box.stop()
        for listener in listeners:
            listener.close()
    typer.echo("\nThe demo has stopped and left nothing behind.")


def _servers(*, network: bool) -> "TemporaryServers":
    from feltwork.servers.temporary import TemporaryNetwork, TemporaryServers

    if network:
        from feltwork.simulation.network_demo import ROOMS

        return TemporaryNetwork(tuple(ROOMS))
    return TemporaryServers()


def _demo(box: "TemporaryServers", listeners: list[socket.socket]) -> "Demo | NetworkDemo":
    from feltwork.servers.temporary import TemporaryNetwork

    if isinstance(box, TemporaryNetwork):
        from feltwork.simulation.network_demo import NetworkDemo

        return NetworkDemo(box, listeners)
    from feltwork.simulation.demo import Demo

    return Demo(box, listeners[0])


async def _run(demo: "Demo | NetworkDemo", began: float, *, opens: bool) -> None:
    from feltwork.simulation.staff import PIN

    stop = asyncio.Event()
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)

    def ready() -> None:
        for name, url, badges in demo.addresses():
            typer.echo(f"{name:<20} {url:<22} {badges}")
        typer.echo(
            f"{demo.url} is ready in {time.monotonic() - began:.1f} s; every PIN is {PIN}; Ctrl-C stops it"
        )
        if opens:
            # A slow browser must not block the demo.
            threading.Thread(target=webbrowser.open, args=(demo.url,), daemon=True).start()

    await demo.run(stop, ready)
