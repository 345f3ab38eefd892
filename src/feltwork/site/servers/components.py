"""SHA-256 hashes of all files that the programs run from, and their approval."""

import base64
import compileall
import csv
import hashlib
import os
import platform
import sys
import sysconfig
import tomllib
import warnings
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

import feltwork
from feltwork import __version__
from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.approval import unapproved
from feltwork.site.servers.nats import nats_server

_ROOT = str(Path(feltwork.__file__).parent)
_LIBRARIES = sysconfig.get_path("purelib")
_STANDARD = sysconfig.get_path("stdlib")
#: Where Debian installs PostgreSQL.
_POSTGRESQL = "/usr/lib/postgresql"
#: Errors raised by an altered package record; its files then belong to no package.
_UNREADABLE = (csv.Error, KeyError, TypeError, ValueError)
_NO_PACKAGE = "files of no package"
_BATCH = 200
#: Limit for hashing in one read: most files are smaller, and `hashlib.file_digest` clears a buffer for each.
_SMALL_BYTES = 1 << 20
#: Compiled modules of this interpreter, which Python runs without looking at their source.
_COMPILED_FOLDER, _COMPILED = "__pycache__", f".{sys.implementation.cache_tag}.pyc"


@cache
def components() -> Mapping[str, str]:
    """Hash all files of each package, and of Python, NATS and PostgreSQL.

    Cached, because a process keeps running the code it has loaded.
    """
    files = _files()
    paths = [path for group in files.values() for path in group]
    # With 30,000 files, a task per file takes longer than hashing it.
    batches = [paths[first : first + _BATCH] for first in range(0, len(paths), _BATCH)]
    digests: dict[str, bytes] = {}
    with ThreadPoolExecutor() as threads:
        for hashes in threads.map(_digests, batches):
            digests |= hashes
    return {
        name: _total({path: digests[path] for path in group})
        for name, group in sorted(files.items())
        if group
    }


def verify_components(approved: Path | None) -> tuple[Problem, ...]:
    """Raise if a component is not on the approved list; return a problem if there is no list [WA-31]."""
    if approved is None:
        remedy = (
            "run feltwork dev components > approved.toml, have the list approved, and pass it with --approved"
        )
        return (Problem("components", "no list of approved components is given", remedy, "WA-31"),)
    approved_digests = tomllib.loads(approved.read_text(encoding="utf-8")).get("components", {})
    if problems := unapproved(approved_digests, components()):
        changed = [
            change
            for problem in problems
            if problem.where in approved_digests
            for change in _changed_files(problem.where)
        ]
        raise ProblemsError([*problems, *changed])
    return ()


@cache
def unapproved_release(approved: Path | None) -> str:
    """One hash of the installation if it is not as on the approved list, else an empty string."""
    try:
        verify_components(approved)
    except ProblemsError:
        return _total({name: digest.encode() for name, digest in components().items()})
    return ""


def compile_modules() -> None:
    """Compile every module where permitted, so no compiled file is added later."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for folder in (_ROOT, _LIBRARIES, _STANDARD):
            compileall.compile_dir(folder, quiet=2)


def cyclonedx() -> dict[str, Any]:
    """List the components as a CycloneDX software bill of materials."""
    packages = _packages()

    def entry(name: str, digest: str) -> dict[str, Any]:
        title, _, version = name.rpartition(" ")
        component = {
            "type": "library",
            "name": title or name,
            "hashes": [{"alg": "SHA-256", "content": digest}],
        }
        if title and name != _NO_PACKAGE:
            component["version"] = version
        if name in packages:
            component["purl"] = f"pkg:pypi/{title.lower().replace('_', '-')}@{version}"
            if "License-Expression" in (about := packages[name].metadata):
                component["licenses"] = [{"expression": about["License-Expression"]}]
        return component

    application = {"type": "application", "name": "feltwork", "version": __version__}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": application},
        "components": [entry(name, digest) for name, digest in components().items()],
    }


def approved_controllers(approved: Path | None) -> dict[str, str]:
    """Hashes of approved table controllers, with their names."""
    if approved is None:
        return {}
    document = tomllib.loads(approved.read_text(encoding="utf-8"))
    return {digest: name for name, digest in document.get("controllers", {}).items()}


def _files() -> dict[str, list[str]]:
    """The files of each component; every file in the library folder belongs to a component.

    Paths are strings: creating an object for each of 20,000 files takes as long as hashing it.
    """
    owners = {path: name for name, package in _packages().items() for path in _recorded(package)}
    files: defaultdict[str, list[str]] = defaultdict(list)
    for path in {*_walk(_LIBRARIES), *filter(os.path.isfile, owners)}:
        files[owners.get(_source(path), _NO_PACKAGE)].append(path)
    own = f"feltwork {__version__}"
    files[own] = [*{*files[own], *_walk(_ROOT)}]  # a checkout is installed only as a pointer
    files[f"python {platform.python_version()}"] = [*_python()]
    with suppress(ProblemsError):
        files["nats-server"] = [nats_server()]
    for server in sorted(Path(_POSTGRESQL).glob("*")):
        files[f"postgresql {server.name}"] = [*_walk(str(server))]
    return files


def _python() -> Iterator[str]:
    """The interpreter, its shared library, and the standard library without its tests."""
    yield os.path.realpath(sys.executable)
    library = Path(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("LDLIBRARY") or "")
    if library.is_file():
        yield os.path.realpath(library)
    yield from _walk(_STANDARD, without=("site-packages", "dist-packages", "test"))


def _walk(folder: str, without: Sequence[str] = ()) -> Iterator[str]:
    """Yield the files under a folder; of compiled modules, only those for this interpreter."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in without]
        compiled = place.endswith(_COMPILED_FOLDER)
        for name in names:
            path = f"{place}/{name}"
            if (not compiled or name.endswith(_COMPILED)) and os.path.isfile(path):  # noqa: PTH113
                yield path


def _source(path: str) -> str:
    """The source module of a compiled file; any other file unchanged."""
    folder, name = os.path.split(path)
    if not folder.endswith(_COMPILED_FOLDER):
        return path
    return f"{folder.removesuffix(_COMPILED_FOLDER)}{name.removesuffix(_COMPILED)}.py"


def _packages() -> dict[str, Distribution]:
    packages = {}
    for package in distributions(path=[_LIBRARIES]):
        with suppress(*_UNREADABLE):
            packages[f"{package.name} {package.version}"] = package
    return packages


def _recorded(package: Distribution) -> Iterator[str]:
    with suppress(*_UNREADABLE):
        for file in package.files or ():
            yield os.path.normpath(f"{_LIBRARIES}/{file}")


def _changed_files(component: str) -> Iterator[Problem]:
    """Yield a problem for each file of a package that differs from the package's own record."""
    package = _packages().get(component)
    with suppress(*_UNREADABLE):
        for file in (package and package.files) or ():
            path = os.path.normpath(f"{_LIBRARIES}/{file}")
            if file.hash and os.path.isfile(path) and file.hash.value != _as_recorded(path):  # noqa: PTH113
                remedy = f"install {component} again"
                yield Problem(path, "its content changed since it was installed", remedy, "WA-31")


def _as_recorded(path: str) -> str:
    return base64.urlsafe_b64encode(_digest(path)).rstrip(b"=").decode()


def _digests(paths: Sequence[str]) -> dict[str, bytes]:
    return {path: _digest(path) for path in paths}


def _digest(path: str) -> bytes:
    with open(path, "rb") as file:  # noqa: PTH123
        start = file.read(_SMALL_BYTES)
        if len(start) < _SMALL_BYTES:
            return hashlib.sha256(start).digest()
        file.seek(0)
        return hashlib.file_digest(file, "sha256").digest()


def _total(digests: Mapping[str, bytes]) -> str:
    """One hash of names and contents."""
    total = hashlib.sha256()
    for path, digest in sorted(digests.items()):
        total.update(f"{path}\0".encode())
        total.update(digest)
    return total.hexdigest()
