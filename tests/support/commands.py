"""Commands as a person types them, without importing the program anew, which takes a second each time."""

import io
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import structlog

from feltwork.cli.main import main

#: What bookkeepers and services import.
_STAYING = (
    "feltwork.cli.run.bookkeeper",
    "feltwork.site.bookkeeper.process",
    "feltwork.site.web.app",
    "feltwork.site.web.settings",
)


@dataclass(frozen=True)
class Answer:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, text: str = "", **environment: str) -> Answer:
    """Run ``feltwork`` in this process, with this input and these variables of the environment."""
    logging = structlog.get_config()
    with _streams(text) as (output, errors), patch.dict(os.environ, {"NO_COLOR": "1", **environment}):
        try:
            with patch.object(sys, "argv", ["feltwork", *words]):
                main()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            structlog.configure(**logging)
    return Answer(code, _text(output), _text(errors))


@contextmanager
def _streams(text: str) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Streams of bytes, as a terminal's are, since some commands write those."""
    given, output, errors = (
        io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (text.encode(), b"", b"")
    )
    with patch("sys.stdin", given), patch("sys.stdout", output), patch("sys.stderr", errors):
        yield output, errors


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()


class Program:
    """A command that stays, like a ``Popen``, but forked from a process that has imported the program."""

    def __init__(self, words: Sequence[str], log: Path) -> None:
        forks = multiprocessing.get_context("forkserver")
        forks.set_forkserver_preload(
            [__name__, "feltwork.site.bookkeeper.process", "feltwork.site.web.settings"]
        )
        self._process = forks.Process(target=_become, args=(words, log, dict(os.environ)))
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def terminate(self) -> None:
        self._process.terminate()

    def kill(self) -> None:
        self._process.kill()

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired("feltwork", seconds or 0)
        return self._process.exitcode


def _become(words: Sequence[str], log: Path, environment: Mapping[str, str]) -> None:
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["feltwork", *words]
    main()
