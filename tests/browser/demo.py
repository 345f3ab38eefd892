"""The demo as a visitor starts it."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def demo() -> Iterator[str]:
    """The address of a demo on a free port."""
    command = [str(Path(sys.executable).with_name("feltwork")), "demo", "--no-open", "--port", "0"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert running.stdout is not None
        ready = next(line for line in running.stdout if " is ready in " in line)
        yield ready.split()[0]
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=60)
