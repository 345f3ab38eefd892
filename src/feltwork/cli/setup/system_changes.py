"""Idempotent changes to a machine: files, folders, owners and commands."""

import grp
import os
import pwd
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from feltwork.problem import Problem, ProblemsError


@dataclass(frozen=True)
class SystemChanges:
    """Idempotent changes to a machine, each reported; a dry run only reports them."""

    say: Callable[[str], None]
    dry_run: bool = False
    remedy: str = "correct that, and run feltwork install again; what is done is kept"

    def write(self, path: Path, text: str, *, owner: str = "root", mode: int = 0o644) -> bool:
        """Write a file with its owner and mode; return whether its text changed."""
        data = text.encode()
        new = not path.exists() or path.read_bytes() != data
        if new:
            self.say(f"write {path}")
            if not self.dry_run:
                path.parent.mkdir(parents=True, exist_ok=True)
                temporary_path = path.with_name(f".{path.name}.new")
                with os.fdopen(
                    os.open(temporary_path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb"
                ) as file:
                    file.write(data)
                temporary_path.replace(path)
        self.own(path, owner, mode)
        return new

    def folder(self, path: Path, *, owner: str = "root", mode: int = 0o755) -> None:
        """Create a folder with its owner and mode."""
        if not path.exists():
            self.say(f"make {path}")
            if not self.dry_run:
                path.mkdir(parents=True)
        self.own(path, owner, mode)

    def own(self, path: Path, owner: str, mode: int) -> None:
        """Set the mode of a file or folder, and its owner to a user and the group of the same name."""
        if not self.dry_run:
            os.chown(path, pwd.getpwnam(owner).pw_uid, grp.getgrnam(owner).gr_gid)
            path.chmod(mode)

    def delete(self, path: Path) -> bool:
        """Delete a file, and its feltwork folder if empty; return whether the file existed."""
        if not path.exists():
            return False
        self.say(f"delete {path}")
        if not self.dry_run:
            path.unlink()
            if path.parent.name.startswith("feltwork"):
                with suppress(OSError):
                    path.parent.rmdir()
        return True

    def run(self, *command: str, text: str | None = None) -> None:
        """Run a command with optional input; raise if it fails."""
        self.say(f"run {' '.join(command)}")
        if not self.dry_run:
            process = subprocess.run(
                command, input=text, capture_output=True, text=True, check=False, cwd="/"
            )
            if process.returncode:
                what = (process.stderr or process.stdout).strip() or f"exit status {process.returncode}"
                raise ProblemsError([Problem(" ".join(command), what, self.remedy)])

    def succeeds(self, *command: str) -> bool:
        """Whether a read-only command exists and exits with 0."""
        if shutil.which(command[0]) is None:
            return False
        return subprocess.run(command, capture_output=True, check=False, cwd="/").returncode == 0
