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

from feltwork.site.servers.ports import listen

if TYPE_CHECKING:
    from feltwork.site.servers.temporary import TemporaryServers

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def demo(
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 chooses a free one.")] = 8017,
    no_open: Annotated[bool, typer.Option("--no-open", help="Do not open a browser.")] = False,
) -> None:
    """Run a simulated floor with all six games on a real PostgreSQL and NATS, with every screen.

    The sign-in page lists every badge and PIN. Ctrl-C stops everything and leaves nothing behind.
    """
    began = time.monotonic()
    # No exception interrupts an import or a server that starts: each stage ends, and then everything stops.
    stopped = threading.Event()
    for number in _SIGNALS:
        signal.signal(number, lambda *_: stopped.set())
    listener = listen("127.0.0.1", port)
    typer.echo("Starting PostgreSQL, NATS, the books and thirteen tables ...")
    from feltwork.site.servers.temporary import TemporaryServers

    box = TemporaryServers()
    try:
        with ThreadPoolExecutor(1) as beside:
            started = beside.submit(box.start)
            # Importing takes as long as starting the servers.
            import_module("feltwork.simulation.demo")
        started.result()
        asyncio.run(_run(box, listener, began, stopped, opens=not no_open))
    except Exception:
        # Ctrl-C reaches the servers too, and what then fails for want of them is no fault.
        if not stopped.is_set():
            raise
    finally:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        box.stop()
        listener.close()
    typer.echo("\nThe demo has stopped and left nothing behind.")


async def _run(
    box: "TemporaryServers", listener: socket.socket, began: float, stopped: threading.Event, *, opens: bool
) -> None:
    from feltwork.simulation.demo import Demo
    from feltwork.simulation.stage import PIN

    stop = asyncio.Event()

    def end() -> None:
        stopped.set()
        stop.set()

    for number in _SIGNALS:
        asyncio.get_running_loop().add_signal_handler(number, end)
    if stopped.is_set():
        return
    demo = Demo(box, listener)

    def ready() -> None:
        typer.echo(
            f"{demo.url} is ready in {time.monotonic() - began:.1f} s; every PIN is {PIN}; Ctrl-C stops it"
        )
        if opens:
            # A slow browser must not block the demo.
            threading.Thread(target=webbrowser.open, args=(demo.url,), daemon=True).start()

    await demo.run(stop, ready)
