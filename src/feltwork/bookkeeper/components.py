"""Components of the installation and their approval."""

import hashlib
import tomllib
from functools import cache
from importlib.metadata import version
from pathlib import Path

import feltwork
from feltwork.compliance.approval import unapproved
from feltwork.problem import Problem, ProblemsError

_ROOT = Path(feltwork.__file__).parent
#: Libraries between a table and the books.
_LIBRARIES = ("msgspec", "nats-py", "psycopg")


def components() -> dict[str, str]:
    """Hash every part of the package, and the libraries on the money path."""
    found: dict[str, str] = {}
    for part in sorted(_ROOT.iterdir()):
        if part.name != "__pycache__":
            found[f"feltwork/{part.name}"] = _digest(part)
    for name in _LIBRARIES:
        found[name] = hashlib.sha256(f"{name} {version(name)}".encode()).hexdigest()
    return found


def verify_components(approved: Path | None) -> tuple[Problem, ...]:
    """Raise if a component is not on the approved list; return a problem if there is no list [WA-31]."""
    if approved is None:
        remedy = "feltwork components > approved.toml, have it approved, and give it with --approved"
        return (Problem("components", "no list of approved components is given", remedy, "WA-31"),)
    listed = tomllib.loads(approved.read_text(encoding="utf-8"))
    if problems := unapproved(listed.get("components", {}), components()):
        raise ProblemsError(problems)
    return ()


def approved_controllers(approved: Path | None) -> dict[str, str]:
    """Hashes of approved table controllers, with their names."""
    if approved is None:
        return {}
    listed = tomllib.loads(approved.read_text(encoding="utf-8"))
    return {digest: name for name, digest in listed.get("controllers", {}).items()}


@cache
def _digest(part: Path) -> str:
    """Hash names and contents, without compiled files; cached, as a process runs what it has loaded."""
    files = [part] if part.is_file() else sorted(path for path in part.rglob("*") if path.is_file())
    total = hashlib.sha256()
    for path in files:
        if "__pycache__" not in path.parts and path.suffix != ".pyc":
            total.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode())
            total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
