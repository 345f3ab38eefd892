"""An event loop for a program that receives many small messages: it reads them in batches.

Waking up for one message costs several times what reading the message does.
"""

import asyncio
import selectors
import time

#: Minimum interval between polls of the connections, in seconds.
_PAUSE_SECONDS = 0.01


class PacedSelector(selectors.DefaultSelector):
    """Polls the connections again only after a pause; messages that arrive meanwhile are read together."""

    def __init__(self, pause: float = _PAUSE_SECONDS) -> None:
        super().__init__()
        self._pause = pause
        self._next_look = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; nothing before the pause is over, so timers and ready tasks run on time."""
        wait = self._next_look - time.monotonic()
        if wait > 0:
            if timeout is not None and timeout <= wait:
                if timeout > 0:
                    time.sleep(timeout)
                return []
            time.sleep(wait)
            timeout = None if timeout is None else timeout - wait
        ready = super().select(timeout)
        if ready:
            self._next_look = time.monotonic() + self._pause
        return ready


def paced_loop() -> asyncio.AbstractEventLoop:
    """An event loop that pauses between reads."""
    return asyncio.SelectorEventLoop(PacedSelector())
