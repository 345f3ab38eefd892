"""Background tasks of a process in one task group; a failed task is restarted alone, with back-off."""

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType

import structlog

FIRST_PAUSE_SECONDS = 0.5
LONGEST_PAUSE_SECONDS = 30.0
_CANCEL_AGAIN_SECONDS = 1.0
_log = structlog.get_logger("feltwork")


class BackgroundTasks:
    """A task group whose tasks run until it exits; `report` gets each failure, and None after recovery."""

    def __init__(self, report: Callable[[str, str | None], None]) -> None:
        self._report = report
        self._group = asyncio.TaskGroup()
        self._tasks: set[asyncio.Task[None]] = set()
        #: Tasks that failed and have not run long enough since then to count as recovered.
        self.failed: set[str] = set()

    async def __aenter__(self) -> "BackgroundTasks":
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel every task, repeatedly until it ends."""
        try:
            while self._tasks:
                for task in self._tasks:
                    task.cancel()
                await asyncio.wait(self._tasks, timeout=_CANCEL_AGAIN_SECONDS)
        finally:
            await self._group.__aexit__(kind, error, trace)

    def start(self, name: str, work: Callable[[], Awaitable[None]]) -> asyncio.Task[None]:
        """Start a task that runs the work until it is canceled."""
        task = self._group.create_task(self._run(name, work), name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()
        pause = FIRST_PAUSE_SECONDS
        while True:
            recovery = loop.call_later(pause, self._recover, name)
            try:
                await work()
                if is_cancelled():
                    return
                what = "It ended by itself."
                _log.error("a background task ended", task=name)
            except Exception as error:
                what = describe(error)
                _log.exception("a background task failed", task=name)
            finally:
                recovery.cancel()
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS) if name in self.failed else FIRST_PAUSE_SECONDS
            self.failed.add(name)
            self._report(name, what)
            await asyncio.sleep(pause)

    def _recover(self, name: str) -> None:
        """Mark the task as recovered and clear its alarm."""
        self.failed.discard(name)
        self._report(name, None)


def is_cancelled() -> bool:
    """Whether the current task is canceled; publishing loops check, as the NATS client may hide it."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def describe(error: Exception) -> str:
    """Describe an error in one line; for a group, its first error."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"
