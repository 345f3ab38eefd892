"""Child processes that end with their parent, even after kill -9.

PR_SET_PDEATHSIG follows the thread that started a child, not the process, and our threads come and go.
Instead, a small watchdog process reads from a pipe that only the parent writes to. When the pipe closes, the
parent is gone, and the watchdog ends every process it was given. It acknowledges each one, so a child is
covered before it is used; only a kill in the millisecond before it is registered leaves a child behind.
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

#: Grace period for a process to end before it is killed.
PATIENCE_SECONDS = 20.0
#: Attempts to replace a killed watchdog before giving up until the next start.
_ATTEMPTS = 3
_TAKEN = b"\n"
_lock = threading.Lock()
_watchdog: subprocess.Popen[bytes] | None = None
_begun: list[tuple[subprocess.Popen[bytes], signal.Signals]] = []


def begin(
    command: Sequence[str | Path], *, ends_by: signal.Signals = signal.SIGTERM, **options: Any
) -> subprocess.Popen[bytes]:
    """Start a process in its own session; it gets the signal ``ends_by`` when this process is gone."""
    with _lock:
        if sys.platform == "linux" and (_watchdog is None or _watchdog.poll() is not None):
            _start_watchdog()
        process = subprocess.Popen(command, start_new_session=True, **options)
        if sys.platform == "linux":
            _begun[:] = [*(child for child in _begun if child[0].returncode is None), (process, ends_by)]
            if not _hand_over(process, ends_by):
                _start_watchdog()
    return process


def _forget() -> None:
    """A forked process owns none of its parent's children, which would end with it."""
    global _lock, _watchdog
    _lock, _watchdog = threading.Lock(), None
    _begun.clear()


os.register_at_fork(after_in_child=_forget)


def _start_watchdog() -> None:
    """Start a watchdog, and register every running child with it."""
    global _watchdog  # noqa: PLW0603 - one for each process
    for _ in range(_ATTEMPTS):
        if _watchdog is not None:
            _watchdog.wait()
        _watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(PATIENCE_SECONDS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            cwd="/",
            start_new_session=True,
        )
        atexit.register(_let_go, _watchdog)
        if all(_hand_over(process, ends_by) for process, ends_by in _begun):
            return


def _hand_over(process: subprocess.Popen[bytes], ends_by: signal.Signals) -> bool:
    """Register a child with the watchdog; return False if the watchdog is dying."""
    assert _watchdog is not None
    assert _watchdog.stdin is not None
    assert _watchdog.stdout is not None
    if process.returncode is not None:
        return True
    with suppress(BrokenPipeError):
        _watchdog.stdin.write(f"{process.pid} {ends_by.value}\n".encode())
        return _watchdog.stdout.read(1) == _TAKEN
    return False


def _let_go(watchdog: subprocess.Popen[bytes]) -> None:
    """Close the pipe at a normal exit, and wait until the watchdog has ended the children."""
    assert watchdog.stdin is not None
    assert watchdog.stdout is not None
    watchdog.stdin.close()
    with suppress(subprocess.TimeoutExpired):
        watchdog.wait(2 * PATIENCE_SECONDS)
    watchdog.stdout.close()


def watch(patience_seconds: float) -> None:
    """Run the watchdog: read `PID SIGNAL` lines until the pipe closes, then end those processes.

    Each is held by a pidfd, so a process that reuses an old PID is left alone.
    """
    handles: dict[int, int] = {}
    for line in sys.stdin:
        pid, number = map(int, line.split())
        handles = _living(handles)
        with suppress(ProcessLookupError):
            handles[os.pidfd_open(pid)] = number
        with suppress(BrokenPipeError):  # the parent ended before it read this
            os.write(sys.stdout.fileno(), _TAKEN)
    until = time.monotonic() + patience_seconds
    _signal(handles)
    while (handles := _living(handles)) and time.monotonic() < until:
        time.sleep(0.05)
    _signal(dict.fromkeys(handles, int(signal.SIGKILL)))


def _living(handles: dict[int, int]) -> dict[int, int]:
    """Close the pidfds of processes that have ended, and return the others."""
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
