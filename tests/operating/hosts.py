"""Machines of a site, each with its own network, processes, /etc and /var, and a switch between them."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from feltwork.site.servers import child_processes
from tests.docs.console import commands

#: Folders that each host writes itself, over those of this machine.
_OWN = ("etc", "var", "run", "opt")
_VENV = Path(sys.executable).parents[1]
_VERSION = max((path.name for path in Path("/usr/lib/postgresql").iterdir()), key=int)
_CLUSTER = f"/var/lib/postgresql/{_VERSION}/main"
_LOOK_SECONDS = 1.0


@dataclass
class Program:
    """A program of a host, restarted when it dies, as systemd does it."""

    command: Sequence[str]
    environment: Mapping[str, str]
    folder: str = "/"
    process: "subprocess.Popen[bytes] | None" = None


@dataclass
class Machine:
    """One host."""

    name: str
    address: str
    folder: Path
    switch: "Switch"
    #: What systemd starts there, besides PostgreSQL.
    programs: dict[str, Program] = field(default_factory=dict)
    has_postgres: bool = False
    #: Whether a former primary asks before it starts.
    is_guarded: bool = False
    is_up: bool = False
    _init: "subprocess.Popen[bytes] | None" = None
    _starting: threading.Lock = field(default_factory=threading.Lock)

    def boot(self) -> None:
        """Start it with everything that runs there."""
        shutil.rmtree(self.folder / "run", ignore_errors=True)
        mounts = []
        for name in _OWN:
            for part in ("changes", "work"):
                (self.folder / name / part).mkdir(parents=True, exist_ok=True)
            layers = (
                f"lowerdir=/{name},upperdir={self.folder}/{name}/changes,workdir={self.folder}/{name}/work"
            )
            mounts.append(f"mount -t overlay -o {layers} overlay /{name}")
        script = " && ".join([*mounts, "mount -t proc proc /proc", "while :; do sleep 1000 & wait; done"])
        enter = ["nsenter", f"--net=/run/netns/{self.switch.namespace(self.name)}"]
        alone = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", script]
        self._init = child_processes.begin([*enter, *alone])
        while "overlay /opt " not in self._mounts():
            time.sleep(0.02)
        self.is_up = True
        if self.has_postgres:
            threading.Thread(target=self.start_postgres, daemon=True).start()
        self.look_after()

    def kill(self) -> None:
        """Kill -9 everything that runs there."""
        assert self._init is not None
        with self._starting:
            self.is_up = False
            self._init.kill()
            self._init.wait()
            for program in self.programs.values():
                if program.process is not None:
                    program.process.wait(10)
                    program.process = None

    def run(self, command: str, **environment: str) -> str:
        """Run a command there as root; return its output."""
        with tempfile.TemporaryFile() as output:  # what pg_ctlcluster starts would keep a pipe open
            result = subprocess.run(
                [*self._enter(), "bash", "-c", command],
                env={**self._environment, **environment},
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                timeout=120,
            )
            output.seek(0)
            text = output.read().decode(errors="replace")
        assert result.returncode == 0, f"{self.name}: {command}\n{text}"
        return text

    def follow(self, page: str, part: str) -> str:
        """Run a block of a guide there."""
        return self.run(" && ".join(commands(page, part)))

    def look_after(self) -> None:
        """Start what does not run."""
        with self._starting:
            for name, program in self.programs.items():
                if self.is_up and (program.process is None or program.process.poll() is not None):
                    self._start(name, program)

    def stop(self, name: str) -> None:
        """Let a program end, and leave it so."""
        with self._starting:
            process = self.programs.pop(name).process
        if process is not None:
            os.kill(_child(process), signal.SIGTERM)
            process.wait(60)

    def settings(self, file: str) -> dict[str, str]:
        """The variables of an environment file in /etc/feltwork."""
        text = (self.folder / "etc/changes/feltwork" / file).read_text(encoding="utf-8")
        return dict(line.partition("=")[::2] for line in text.splitlines())

    @property
    def _environment(self) -> dict[str, str]:
        path = f"/opt/feltwork/bin:{os.environ['PATH']}:/usr/sbin:/sbin"
        return {**os.environ, "PATH": path, "VERSION": _VERSION}

    def _start(self, name: str, program: Program) -> None:
        with (self.folder / f"{name}.log").open("ab") as log:
            program.process = child_processes.begin(
                [*self._enter(), "env", f"--chdir={program.folder}", *program.command],
                env={**self._environment, **program.environment},
                stdout=log,
                stderr=log,
            )

    def start_postgres(self) -> None:
        """Start PostgreSQL as its unit does."""
        try:
            if self.is_guarded:
                unit = f"/etc/systemd/system/postgresql@{_VERSION}-main.service.d/rejoin.conf"
                before = self.run(f"sed -n s/^ExecStartPre=//p {unit}").replace("%i", f"{_VERSION}-main")
                self._log(self.run(before))
            self._log(self.run(f"pg_ctlcluster {_VERSION} main start"))
        except AssertionError as error:  # it was killed meanwhile, or the log says why not
            self._log(str(error))

    def _log(self, text: str) -> None:
        with (self.folder / "postgres.log").open("a") as log:
            log.write(text + "\n")

    def _enter(self) -> list[str]:
        return ["nsenter", f"--target={self._first()}", "--mount", "--pid", "--net"]

    def _first(self) -> int:
        """The first process of the host."""
        assert self._init is not None
        return _child(self._init)

    def _mounts(self) -> str:
        with suppress(OSError, IndexError):
            return Path(f"/proc/{self._first()}/mounts").read_text()
        return ""


def _child(process: "subprocess.Popen[bytes]") -> int:
    """The process that unshare or nsenter has started."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return int(children[0])


class Switch:
    """The network between the hosts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prefix = f"felt{os.getpid()}"
        self.machines: list[Machine] = []
        self._is_over = threading.Event()
        self._ip("netns", "add", self.namespace("switch"))
        self._in_switch("link", "add", "switch", "type", "bridge")
        self._in_switch("link", "set", "switch", "up")
        self._keeper = threading.Thread(target=self._look_after, daemon=True)
        self._keeper.start()

    def add(self, name: str, address: str, files: Path) -> Machine:
        """Plug in a new host with these files in /etc/feltwork."""
        there = self.namespace(name)
        self._ip("netns", "add", there)
        self._in_switch("link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", there)
        self._in_switch("link", "set", name, "master", "switch", "up")
        for device in ("lo", "eth0"):
            self._ip("-n", there, "link", "set", device, "up")
        self._ip("-n", there, "address", "add", f"{address}/24", "dev", "eth0")
        machine = Machine(name, address, self.folder / name, self)
        shutil.copytree(files, machine.folder / "etc/changes/feltwork")
        (machine.folder / "opt/changes").mkdir(parents=True)
        (machine.folder / "opt/changes/feltwork").symlink_to(_VENV)
        self.machines.append(machine)
        return machine

    def cut(self, machine: Machine, *, is_cut: bool) -> None:
        """Pull or plug in the cable of a host."""
        self._in_switch("link", "set", machine.name, "down" if is_cut else "up")

    def namespace(self, name: str) -> str:
        """The name of a host's network namespace."""
        return f"{self._prefix}-{name}"

    def remove(self) -> None:
        """Kill every host and remove the network."""
        self._is_over.set()
        self._keeper.join()
        for machine in self.machines:
            if machine.is_up:
                machine.kill()
        for name in (*(machine.name for machine in self.machines), "switch"):
            self._ip("netns", "delete", self.namespace(name))

    def _look_after(self) -> None:
        while not self._is_over.wait(_LOOK_SECONDS):
            for machine in self.machines:
                machine.look_after()

    def _in_switch(self, *words: str) -> None:
        self._ip("-n", self.namespace("switch"), *words)

    @staticmethod
    def _ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)
