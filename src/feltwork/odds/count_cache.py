"""Counts on disk, keyed by the code they depend on: the named modules and everything those import.

Counts do not depend on pays, so they are computed once. The counts of shipped titles come with the package;
others are counted on first use and stored in the user's cache. Editing a rule, a hand or a kernel changes the
keys of only the counts that use it.
"""

import ast
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from zipfile import ZipFile

from feltwork.odds.atoms import Atoms

if TYPE_CHECKING:
    import numpy.typing as npt

Arrays: TypeAlias = "Mapping[str, npt.NDArray[Any]]"
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
    """Compute the SHA-256 of the counting code."""
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


@cache
def counting_key(modules: tuple[str, ...]) -> str:
    """Return the digest of the modules and everything they import from the same packages."""
    asked.add(modules)
    return digest_of(tuple(reached_by(modules)))


#: Modules whose key was requested, for the tool that ships their imports.
asked: set[tuple[str, ...]] = set()


def reached_by(modules: tuple[str, ...]) -> list[str]:
    """List the modules and everything they import from the same packages."""
    packages = {module.partition(".")[0] for module in modules} | {"feltwork"}
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module in reached or module.partition(".")[0] not in packages or module in _LOOKUPS:
            continue
        source = _source(module)
        if source is not None:
            reached.add(module)
            waiting += _imports(ast.parse(source))
    return sorted(reached)


def digest_of(modules: tuple[str, ...]) -> str:
    """Return the digest of the modules' source; a missing module counts as empty."""
    digest = hashlib.sha256()
    for module in modules:
        digest.update(module.encode() + b"\n" + (_source(module) or b""))
    return digest.hexdigest()[:16]


#: Modules that find titles by name and are not followed; each count lists the titles it uses.
_LOOKUPS = ("feltwork.titles.registry", "feltwork.odds.count_cache")


@cache
def _source(module: str) -> bytes | None:
    """Read a module without importing it or the packages around it."""
    package, *inner = module.split(".")
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
        path = Path(folder, *inner)
        for file in (path / "__init__.py", path.with_suffix(".py")):
            if file.is_file():
                return file.read_bytes()
    return None


def _imports(node: ast.AST) -> Iterator[str]:
    """Yield a module's imports, including those inside functions, but not those under TYPE_CHECKING."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    if isinstance(node, ast.ImportFrom) and node.module:
        # A module imported from a package does not depend on the package's other declarations.
        for name in node.names:
            inner = f"{node.module}.{name.name}"
            yield inner if _source(inner) is not None else node.module
    for child in ast.iter_child_nodes(node):
        yield from _imports(child)


def _file(name: str, of: tuple[str, ...], kind: str) -> Path:
    """Return the file of the counts, shipped or cached.

    If the shipped list of imports still matches the source, no module is parsed for imports.
    """
    modules = _shipped_imports().get(" ".join(of))
    path = _found(f"{name}-{digest_of(tuple(modules))}.{kind}") if modules else None
    if path is None:
        file = f"{name}-{counting_key(of)}.{kind}"
        path = _found(file) or folder() / file
    return path


def _found(file: str) -> Path | None:
    return next((place / file for place in (SHIPPED, folder()) if (place / file).exists()), None)


@cache
def _shipped_imports() -> Mapping[str, list[str]]:
    """Read the direct and indirect imports for shipped counts, keyed by module names joined by spaces."""
    file = SHIPPED / IMPORTS
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def kept_arrays(name: str, count: Callable[[], Arrays], *, of: tuple[str, ...]) -> Arrays:
    """Load arrays, or count and cache them; ``of`` names the modules that they depend on."""
    import numpy as np

    file = _file(name, of, "npz")
    if file.exists():
        with np.load(file) as arrays:
            return dict(arrays)
    counted = count()
    _keep(file, lambda path: np.savez_compressed(path, **counted))  # type: ignore[arg-type]
    return counted


def kept_view(name: str, member: str, count: Callable[[], Arrays], *, of: tuple[str, ...]) -> memoryview:
    """Load one array without numpy, whose import takes longer than most answers; see `kept_arrays`."""
    file = _file(name, of, "npz")
    if not file.exists():
        return kept_arrays(name, count, of=of)[member].data
    with ZipFile(file) as arrays:
        data = arrays.read(f"{member}.npy")
    # Version 1 of the format: six bytes of magic, two of version, the length of the header, a Python literal.
    start = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:start].decode("latin1"))
    assert data[6] == 1, header
    assert not header["fortran_order"], header
    return memoryview(data)[start:].cast(_FORMATS[header["descr"]], header["shape"])


#: `memoryview` format of each numpy type in cached arrays.
_FORMATS: Mapping[str, Any] = {"<i8": "q", "<i4": "i", "<f8": "d"}


def kept_atoms(name: str, count: Callable[[], Atoms], *, of: tuple[str, ...]) -> Atoms:
    """Load atoms, or count and cache them; ``of`` names the modules that they depend on."""
    file = _file(name, of, "json")
    if file.exists():
        return {frozenset(names): deals for names, deals in json.loads(file.read_text(encoding="utf-8"))}
    counted = count()
    rows = [(sorted(names), deals) for names, deals in counted.items()]
    _keep(file, lambda path: path.write_text(json.dumps(rows), encoding="utf-8"))
    return counted


#: Counts shipped with the package.
SHIPPED = Path(__file__).parent / "counts"
IMPORTS = "imports.json"


def _keep(file: Path, write: Callable[[Path], object]) -> None:
    """Write atomically; skip caching if the disk is full or read-only."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent) as beside:
            write(Path(beside) / file.name)
            (Path(beside) / file.name).replace(file)
    except OSError:
        return
