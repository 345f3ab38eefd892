"""Version and hash of this software [WA-31]."""

import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path

from feltwork import __version__

MANUFACTURER = "Feltwork"
_PARTS = {".py", ".toml", ".sql", ".lock"}


def version() -> str:
    """The name and version."""
    return f"feltwork {__version__}"


@cache
def software_hash() -> str:
    """Hash the names and contents of all source files."""
    root = Path(str(files("feltwork")))
    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.suffix in _PARTS):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
