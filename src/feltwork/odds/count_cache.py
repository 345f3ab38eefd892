"""A disk cache of counts, keyed by a digest of the code that counts.

Counts do not depend on pays, so they are made once. Changing a rule, a hand or a kernel changes the digest.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from feltwork.odds.atoms import Atoms

Arrays = Mapping[str, npt.NDArray[Any]]
#: The packages that the digest covers.
CODE = ("cards", "hands", "titles", "odds")


def folder() -> Path:
    """Return the cache folder: FELTWORK_CACHE, or the user's cache folder."""
    chosen = os.environ.get("FELTWORK_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "feltwork"


@cache
def code_digest() -> str:
    """Digest the Python code that counts."""
    digest = hashlib.sha256()
    root = files("feltwork")
    for name in CODE:
        for file in sorted(_python_files(root.joinpath(name)), key=str):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _python_files(entry: Traversable) -> list[Traversable]:
    if entry.is_dir():
        return [file for child in entry.iterdir() for file in _python_files(child)]
    return [entry] if entry.name.endswith(".py") else []


def kept_arrays(name: str, count: Callable[[], Arrays]) -> Arrays:
    """Load arrays, or count and cache them."""
    file = _file(name, "npz")
    if file.exists():
        with np.load(file) as arrays:
            return dict(arrays)
    counted = count()
    _keep(file, lambda path: np.savez(path, **counted))  # type: ignore[arg-type]
    return counted


def kept_atoms(name: str, count: Callable[[], Atoms]) -> Atoms:
    """Load atoms, or count and cache them."""
    file = _file(name, "json")
    if file.exists():
        return {frozenset(names): deals for names, deals in json.loads(file.read_text(encoding="utf-8"))}
    counted = count()
    rows = [(sorted(names), deals) for names, deals in counted.items()]
    _keep(file, lambda path: path.write_text(json.dumps(rows), encoding="utf-8"))
    return counted


def _file(name: str, ending: str) -> Path:
    return folder() / code_digest()[:16] / f"{name}.{ending}"


def _keep(file: Path, write: Callable[[Path], object]) -> None:
    """Write atomically; a full or read-only disk only costs the cache."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as beside:
            write(Path(beside) / file.name)
            (Path(beside) / file.name).replace(file)
    except OSError:
        return
