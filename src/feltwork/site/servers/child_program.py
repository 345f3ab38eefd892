"""A command as a child process."""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType

from feltwork.site.servers import child_processes

FELTWORK = (sys.executable, "-c", "from feltwork.cli.main import main; main()")


class ChildProgram:
    """One command in its own session, with its output in a log file."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str] = MappingProxyType({}),
        program: Sequence[str] = FELTWORK,
    ) -> None:
        self.name = name
        #: Whether it was stopped on purpose.
        self.is_down = True
        self.restarts = 0
        self._command = [*program, *arguments]
        #: For secrets too: everyone on the machine can read the arguments of a process.
        self._environment = environment
        self._log = folder / f"{name}.log"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        """Whether the process is alive."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start or restart it."""
        self.is_down = False
        with self._log.open("ab") as log:
            self._process = child_processes.begin(
                self._command,
                env={**os.environ, **self._environment},
                stdout=log,
                stderr=log,
            )

    def restart_if_dead(self) -> None:
        """Restart it if it ended by itself."""
        if not self.is_down and not self.is_running:
            self.restarts += 1
            self.start()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill -9."""
        self.is_down = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self, seconds: float) -> bool:
        """Send SIGTERM, and kill it after some seconds; return whether it ended by itself."""
        self.is_down = True
        if self._process is None:
            return True
        self.signal(signal.SIGTERM)
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.kill()
            return False
        return True
