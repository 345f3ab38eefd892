"""Operators of a device under test: a person, or a program that reads lines."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

_LABELS = {
    "start": "press START GAME",
    "end": "press END GAME",
    "sign-on": "sign on with badge {0}, PIN {1}",
    "seats": "put a base game wager on seats {0}",
    "sensor": "cover jackpot sensor {0}",
    "hand": "enter the hand {0}",
    "key": "turn the key to {0}",
    "misdeal": "press MISDEAL",
}


class Operator(Protocol):
    """The operator of a device under test."""

    @property
    def watch_seconds(self) -> float:
        """How long to watch a device that must not react to a button."""

    async def power_on(self) -> None:
        """Start the device."""

    async def power_off(self) -> None:
        """Cut its power, without a shutdown."""

    async def press(self, line: str) -> None:
        """Press a button or set a sensor, as one line of `feltwork table`."""


class PromptedOperator:
    """A person who follows instructions."""

    watch_seconds = 8.0

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._last = ""

    async def power_on(self) -> None:
        """Prompt the person to switch the device on."""
        self._say("switch the device on")

    async def power_off(self) -> None:
        """Prompt the person to cut the power."""
        self._say("cut the power of the device")

    async def press(self, line: str) -> None:
        """Prompt the person, without repeating the last prompt."""
        self._say(instruction(line))

    def _say(self, text: str) -> None:
        if text != self._last:
            self._show(text)
        self._last = text


def instruction(line: str) -> str:
    """Convert a line of `feltwork table` to an instruction for a person."""
    word, *rest = line.split()
    if word == "as":
        return f"with badge {rest[0]}, PIN {rest[1]}: {instruction(' '.join(rest[2:]))}"
    if word == "sensor":
        rest = rest[:-1]
    words = rest if word == "sign-on" else [" ".join(rest)]
    return _LABELS[word].format(*words)


class ProgramOperator:
    """A program that is started by a command and reads lines on standard input."""

    watch_seconds = 2.0

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], show: Callable[[str], None]
    ) -> None:
        self._command = command
        self._environment = environment
        self._show = show
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def power_on(self) -> None:
        """Start the program."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, **self._environment},
            start_new_session=True,
        )
        self._reading = asyncio.create_task(self._read(self._process))

    async def power_off(self) -> None:
        """Kill the program and its child processes."""
        if self._process is not None and self._reading is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            await self._process.wait()
            await self._reading
        self._process = None

    async def press(self, line: str) -> None:
        """Write the line; ignore a program that has ended."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.write(f"{line}\n".encode())
                await self._process.stdin.drain()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            self._show(line.decode(errors="replace").rstrip())
