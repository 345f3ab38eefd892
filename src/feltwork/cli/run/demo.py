"""The first sixty seconds: a whole room on this machine with one command, and nothing left of it."""

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

from feltwork.cli.run.ports import listen

if TYPE_CHECKING:
    from feltwork.servers.temporary import TemporaryServers

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def demo(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")] = 8017,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Show it all: a room with all six games plays itself on a real PostgreSQL and NATS, with every screen.

    Everybody's badge and PIN stand on the sign-in page. Ctrl-C stops everything and leaves nothing behind.
    """
    began = time.monotonic()
    for number in _SIGNALS:
        signal.signal(number, signal.default_int_handler)
    listener = listen("127.0.0.1", port)
    typer.echo("The room opens: PostgreSQL, the log, the books, thirteen tables ...")
    from feltwork.servers.temporary import TemporaryServers

    box = TemporaryServers()
    try:
        with ThreadPoolExecutor(1) as beside:
            started = beside.submit(box.start)
            # What the room needs takes as long to load as the servers take to start.
            import_module("feltwork.simulation.demo")
        started.result()
        asyncio.run(_run(box, listener, began, opens=not no_open))
    except KeyboardInterrupt:
        pass
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        box.stop()
        listener.close()
    typer.echo("\nThe room is closed; nothing of it is left.")


async def _run(box: "TemporaryServers", listener: socket.socket, began: float, *, opens: bool) -> None:
    from feltwork.simulation.demo import Demo
    from feltwork.simulation.staff import PIN

    stop = asyncio.Event()
    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    shown = Demo(box, listener)

    def ready() -> None:
        typer.echo(
            f"{shown.url} is ready in {time.monotonic() - began:.1f} s; every PIN is {PIN}; Ctrl-C ends it"
        )
        if opens:
            # A browser that starts slowly does not hold up the room.
            threading.Thread(target=webbrowser.open, args=(shown.url,), daemon=True).start()

    await shown.run(stop, ready)
