"""An event loop for a program that hears many small messages: it reads them together.

Waking up for one message costs several times what reading the message does.
"""

import asyncio
import selectors
import time

#: The least time between two looks at the connections, in seconds.
_PAUSE_SECONDS = 0.01


class PacedSelector(selectors.DefaultSelector):
    """Looks at the connections again only after a pause; what arrives meanwhile is read at once."""

    def __init__(self, pause: float = _PAUSE_SECONDS) -> None:
        super().__init__()
        self._pause = pause
        self._next_look = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """What is ready; nothing before the pause is over, so that timers and ready tasks run on time."""
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
    """A loop with a pause between two reads."""
    return asyncio.SelectorEventLoop(PacedSelector())
