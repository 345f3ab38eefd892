"""The target of exported data: a folder, or a bucket of an S3-compatible store."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_S3 = "s3://"


@dataclass(frozen=True)
class DataStore:
    """Files by name; each write is atomic."""

    name: str
    _store: "ObjectStore"

    def names(self, folder: str) -> set[str]:
        """The names of the files in a folder."""
        with _problems(self.name):
            return {Path(entry["path"]).name for some in self._store.list(folder) for entry in some}

    def write(self, name: str, contents: Path | bytes) -> None:
        """Write or replace a file."""
        with _problems(self.name):
            self._store.put(name, contents)


def open_store(target: str, *, endpoint: str = "") -> DataStore:
    """Open ``s3://BUCKET/PREFIX``, with the keys from the environment, or a folder."""
    if not all(map(find_spec, ("duckdb", "obstore"))):
        what = "DuckDB and obstore are not installed"
        raise ProblemsError([Problem("export-data", what, "pip install 'feltwork[export]'")])
    with _problems(target):
        return DataStore(target, _opened(target, endpoint))


def _opened(target: str, endpoint: str) -> "ObjectStore":
    from obstore.store import LocalStore, S3Store

    if not target.startswith(_S3):
        return LocalStore(Path(target).absolute(), mkdir=True)
    bucket, _, prefix = target.removeprefix(_S3).rstrip("/").partition("/")
    if not bucket:
        raise ProblemsError([Problem(target, "it names no bucket", "write it like s3://bucket/prefix")])
    if not endpoint:
        return S3Store(bucket, prefix=prefix or None)
    # An internal network may go without TLS; the scheme of the address decides.
    plain = endpoint.startswith("http:")
    return S3Store(bucket, prefix=prefix or None, endpoint=endpoint, client_options={"allow_http": plain})


@contextmanager
def _problems(name: str) -> Iterator[None]:
    """Turn an error of the store into a problem with a remedy."""
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError) as error:
        remedy = "check the address, the permissions and AWS_ACCESS_KEY_ID; run it again"
        raise ProblemsError([Problem(name, str(error).splitlines()[0], remedy)]) from error
