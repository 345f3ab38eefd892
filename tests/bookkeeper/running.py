"""A room that is up: `feltwork up` as people start it, until it says so."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

_PARTS = {"bookkeeper", "serve", "nats-server", "postgres", "child_processes"}


@dataclass
class Up:
    """The process, and what it said until it was up."""

    process: subprocess.Popen[str]
    said: str

    def rest(self) -> str:
        """What it says until it ends."""
        assert self.process.stdout is not None
        return self.process.stdout.read()


def command(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).parent / "feltwork"), *arguments]


@contextmanager
def running(*arguments: str) -> Iterator[Up]:
    """A command that stays, from the line that begins with `up:` to its end."""
    process = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        output = ""
        for line in process.stdout:
            output += line
            if line.startswith("up:"):
                break
        yield Up(process, output)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()


def children_of(pid: int) -> dict[str, int]:
    """The processes that a process has started, by the command that each runs; the dead have none."""
    children = {}
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        with suppress(FileNotFoundError, ProcessLookupError):
            words = Path(f"/proc/{child}/cmdline").read_bytes().decode().split("\0")
            for name in {Path(word).stem for word in words} & _PARTS:
                children[name] = child
    return children


def lives(pid: int) -> bool:
    """Whether a process is there; one that has ended and that nobody has asked about is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"
