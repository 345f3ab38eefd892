"""A loop that reads what arrives within a pause together, and keeps its timers."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any

from feltwork.wire.read_pace import PacedSelector

PAUSE = 0.1
SENT = b"".join(b"%03d" % number for number in range(100))


def run(play: Callable[[], Coroutine[Any, Any, float]]) -> float:
    """Play on a loop with a long pause."""
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(PacedSelector(PAUSE))) as runner:
        return runner.run(play())


def test_small_messages_are_read_together() -> None:
    """A hundred messages in half a second are a few reads, and none is lost."""
    reading_socket, writing_socket = socket.socketpair()

    def send() -> None:
        for first in range(0, len(SENT), 3):
            writing_socket.sendall(SENT[first : first + 3])
            time.sleep(0.005)
        writing_socket.close()

    async def play() -> float:
        reader, writer = await asyncio.open_connection(sock=reading_socket)
        reads = []
        sender = threading.Thread(target=send)
        sender.start()
        while part := await reader.read(1_000):
            reads.append(part)
        await asyncio.to_thread(sender.join)
        writer.close()
        assert b"".join(reads) == SENT
        return len(reads)

    assert run(play) < 30


def test_timers_and_tasks_do_not_wait_for_the_pause() -> None:
    """After a read, timers shorter than the pause end on time."""

    async def play() -> float:
        reading_socket, writing_socket = socket.socketpair()
        reader, writer = await asyncio.open_connection(sock=reading_socket)
        began = time.monotonic()
        writing_socket.sendall(b"x")
        await reader.readexactly(1)
        for _ in range(200):
            await asyncio.sleep(0)
        for _ in range(3):
            await asyncio.sleep(0.001)
        took = time.monotonic() - began
        writer.close()
        writing_socket.close()
        return took

    assert min(run(play) for _ in range(5)) < PAUSE / 2


def test_a_thread_is_heard() -> None:
    """What a thread answers arrives, whether the loop waits for a time or for ever."""

    async def play() -> float:
        assert await asyncio.to_thread(lambda: 7) == 7
        answered = asyncio.Event()
        loop = asyncio.get_running_loop()
        threading.Timer(0.05, loop.call_soon_threadsafe, [answered.set]).start()
        await asyncio.wait_for(answered.wait(), 5)
        return 0

    assert run(play) == 0
