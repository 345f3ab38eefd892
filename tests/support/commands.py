"""Commands as a person types them, in this process: a new one imports the program anew, for a second each."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from unittest.mock import patch

from feltwork.cli.main import main


@dataclass(frozen=True)
class Answer:
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, text: str = "", **environment: str) -> Answer:
    """Run ``feltwork`` with these words, and with this input and these variables of the environment."""
    with _streams(text) as (output, errors), patch.dict(os.environ, {"NO_COLOR": "1", **environment}):
        try:
            with patch.object(sys, "argv", ["feltwork", *words]):
                main()
            code = 0
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Answer(code, _text(output), _text(errors))


@contextmanager
def _streams(text: str) -> Iterator[tuple[io.TextIOWrapper, io.TextIOWrapper]]:
    """Streams of bytes, as a terminal's are, since some commands write those."""
    streams = [io.TextIOWrapper(io.BytesIO(data), "utf-8") for data in (text.encode(), b"", b"")]
    names = ("stdin", "stdout", "stderr")
    with patch.multiple(sys, **dict(zip(names, streams, strict=True))):
        yield streams[1], streams[2]


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()
