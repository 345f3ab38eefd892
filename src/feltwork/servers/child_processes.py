"""Processes that end when we do: a warden of ours sees to it, however we end, by kill -9 too.

Linux can signal a child when its parent dies, but means the thread that started it, and ours come and go.
So one small process reads from a pipe that only we write to: when the pipe ends, we have ended. It
acknowledges each line: a process is in its care before anybody works with it. Whoever is killed within the
millisecond between a start and the line about it leaves that one process.
"""

import atexit
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

#: After so long a process that was asked to end is killed.
PATIENCE_SECONDS = 20.0
#: A warden that is killed again and again is replaced so often, then the next start tries anew.
_ATTEMPTS = 3
_TAKEN = b"\n"
_lock = threading.Lock()
_warden: subprocess.Popen[bytes] | None = None
_begun: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []


def begin(
    command: Sequence[str | Path], *, ends_by: signal.Signals = signal.SIGTERM, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a process in a session of its own, which is asked by its signal to end when this one is gone."""
    with _lock:
        if sys.platform == "linux" and (_warden is None or _warden.poll() is not None):
            _start_warden()
        process = subprocess.Popen(command, start_new_session=True, **options)
        if sys.platform == "linux":
            _begun[:] = [*(one for one in _begun if one[0].returncode is None), (process, ends_by)]
            if not _hand_over(process, ends_by):
                _start_warden()
    return process


def _start_warden() -> None:
    """Start a warden in place of one that was killed, and hand over everything that runs."""
    global _warden  # noqa: PLW0603 - one for each process
    for _ in range(_ATTEMPTS):
        if _warden is not None:
            _warden.wait()
        _warden = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(PATIENCE_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            start_new_session=True,
        )
        atexit.register(_let_go, _warden)
        if all(_hand_over(process, ends_by) for process, ends_by in _begun):
            return


def _hand_over(process: subprocess.Popen[bytes], ends_by: signal.Signals) -> bool:
    """Tell the warden of a process; false where it is dying, however much of it poll() still sees."""
    assert _warden is not None
    assert _warden.stdin is not None
    assert _warden.stdout is not None
    if process.returncode is not None:
        return True
    with suppress(BrokenPipeError):
        _warden.stdin.write(f"{process.pid} {ends_by.value}\n".encode())
        return _warden.stdout.read(1) == _TAKEN
    return False


def _let_go(warden: subprocess.Popen[bytes]) -> None:
    """We end by ourselves: whatever still runs goes first."""
    assert warden.stdin is not None
    assert warden.stdout is not None
    warden.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        warden.wait(2 * PATIENCE_SECONDS)
    warden.stdout.close()


def watch(patience_seconds: float) -> None:
    """Be the warden: hear `PID SIGNAL` of each process until the pipe ends, then see to their end.

    A file descriptor stands for each of them, so that another process that gets an old number is left alone.
    """
    handles: dict[int, int] = {}
    for line in sys.stdin:
        pid, number = map(int, line.split())
        handles = _living(handles)
        with suppress(ProcessLookupError):
            handles[os.pidfd_open(pid)] = number
        with suppress(BrokenPipeError):  # we ended before we heard it
            os.write(sys.stdout.fileno(), _TAKEN)
    until = time.monotonic() + patience_seconds
    _signal(handles)
    while (handles := _living(handles)) and time.monotonic() < until:
        time.sleep(0.05)
    _signal(dict.fromkeys(handles, int(signal.SIGKILL)))


def _living(handles: dict[int, int]) -> dict[int, int]:
    """Without those that have ended: their descriptors can be read, and are closed."""
    looking = select.poll()
    for handle in handles:
        looking.register(handle, select.POLLIN)
    ended = {handle for handle, _ in looking.poll(0)}
    for handle in ended:
        os.close(handle)
    return {handle: number for handle, number in handles.items() if handle not in ended}


def _signal(handles: dict[int, int]) -> None:
    for handle, number in handles.items():
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, number)


if __name__ == "__main__":
    watch(float(sys.argv[1]))
