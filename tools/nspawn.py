"""A Debian machine in systemd-nspawn, without a network, that runs commands and can be switched off."""

import os
import shlex
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

_BASE = "systemd,systemd-sysv,dbus,ca-certificates,iproute2,procps,curl"
_ENVIRONMENT = "/var/tmp/shell_environment"


def make_root(folder: Path, suite: str, packages: Sequence[str]) -> Path:
    """A bare Debian, with the packages that will be installed in its cache: it will have no network."""
    if not (folder / "complete").exists():
        run("debootstrap", "--variant=minbase", f"--include={_BASE}", suite, str(folder))
        # The mirror of the machine that runs this, whichever that is.
        run("bash", "-c", f"cp -r /etc/apt/sources.list* /etc/apt/apt.conf.d {folder}/etc/apt/")
        replaced = f"sed -i 's/bookworm/{suite}/' {folder}/etc/apt/sources.list*/*"
        run("bash", "-c", f"cp /etc/resolv.conf {folder}/etc/ && {replaced}")
        # What is tested is thrown away: packages need not be synced to the disk.
        (folder / "etc/dpkg/dpkg.cfg.d/unsafe").write_text("force-unsafe-io\n", encoding="ascii")
        run("chroot", str(folder), "apt-get", "update")
        options = ["--yes", "--download-only", "-o", "APT::Keep-Downloaded-Packages=true"]
        run("chroot", str(folder), "apt-get", "upgrade", *options)
        run("chroot", str(folder), "apt-get", "install", *options, *packages)
        (folder / "complete").touch()
    return folder


@dataclass
class NspawnMachine:
    """One machine; its files survive a reboot."""

    root: Path
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _leader: int = field(default=0, init=False)

    def boot(self, seconds: float = 300) -> float:
        """Switch it on and wait until systemd has started everything; returns the seconds."""
        began = time.monotonic()
        options = ["--boot", "--private-network", "--register=no", "--keep-unit", "--quiet"]
        command = ["systemd-nspawn", *options, "--directory", str(self.root), "--console=pipe"]
        with (self.root.parent / "console.log").open("ab") as console:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=console, stderr=console
            )
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        while time.monotonic() - began < seconds and self._process.poll() is None:
            pids = children.read_text(encoding="ascii").split()
            if pids:
                self._leader = int(pids[0])
                process = self.try_run("systemctl is-system-running")
                if process.stdout.strip() in ("running", "degraded"):
                    return time.monotonic() - began
            time.sleep(0.5)
        raise RuntimeError("the machine did not boot")

    def shut_down(self, seconds: float = 60) -> float:
        """Switch it off as the button does; returns the seconds."""
        assert self._process is not None
        began = time.monotonic()
        self.try_run("systemctl poweroff")
        self._process.wait(seconds)
        return time.monotonic() - began

    def kill(self) -> None:
        """Pull the plug: the kernel kills every process of the machine with its first one."""
        if self._process is not None and self._process.poll() is None:
            os.kill(self._leader or self._process.pid, signal.SIGKILL)
            self._process.wait(60)

    def try_run(self, command: str, seconds: float = 600) -> subprocess.CompletedProcess[str]:
        """Run a line of a root shell that remembers what was exported; returns what it printed."""
        line = (
            f"cd; [ ! -f {_ENVIRONMENT} ] || . {_ENVIRONMENT}; {command}\n"
            f"status=$?; export -p > {_ENVIRONMENT}; exit $status"
        )
        return subprocess.run(
            [*self.inside(), "env", "-i", "HOME=/root", "LANG=C.UTF-8", f"PATH={_PATH}", "bash", "-c", line],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=seconds,
        )  # fmt: skip

    def run(self, command: str, seconds: float = 600) -> str:
        """The same for a command that must succeed."""
        process = self.try_run(command, seconds)
        if process.returncode:
            raise RuntimeError(f"{command}\n{process.stdout[-3000:]}{process.stderr[-3000:]}")
        return process.stdout

    def inside(self, *namespaces: str) -> list[str]:
        """What a command begins with that runs in the machine, or in some of its namespaces only."""
        chosen = namespaces or ("--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd")
        return ["nsenter", "--target", str(self._leader), *chosen, "--"]


_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def run(*command: str) -> str:
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    if process.returncode:
        raise RuntimeError(f"{shlex.join(command)}\n{process.stdout[-2000:]}{process.stderr[-2000:]}")
    return process.stdout
