"""Where exported data goes: a folder, or a bucket of an S3-compatible store."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_S3 = "s3://"
_MISSING = Problem("export-data", "DuckDB or obstore is not installed", "pip install 'feltwork[export]'")


@dataclass(frozen=True)
class DataStore:
    """Files by name; each appears whole, or not at all."""

    name: str
    _store: "ObjectStore"

    def names(self, folder: str) -> set[str]:
        """The names of the files in a folder."""
        import obstore

        with self._problems():
            return {Path(one["path"]).name for some in obstore.list(self._store, folder) for one in some}

    def write(self, name: str, contents: Path | bytes) -> None:
        """Write or replace a file."""
        import obstore

        with self._problems():
            obstore.put(self._store, name, contents)

    @contextmanager
    def _problems(self) -> Iterator[None]:
        """Turn what the store answers into a problem with a remedy."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            remedy = "check the address, the permissions and AWS_ACCESS_KEY_ID; run it again"
            raise ProblemsError([Problem(self.name, str(error).splitlines()[0], remedy)]) from error


def open_store(target: str, *, endpoint: str = "") -> DataStore:
    """Open ``s3://BUCKET/PREFIX``, with the keys of the environment, or a folder."""
    try:
        from obstore.store import LocalStore, S3Store
    except ImportError:
        raise ProblemsError([_MISSING]) from None
    if not target.startswith(_S3):
        return DataStore(target, LocalStore(Path(target).absolute(), mkdir=True))
    bucket, _, prefix = target.removeprefix(_S3).strip("/").partition("/")
    if not bucket:
        raise ProblemsError([Problem(target, "it names no bucket", "write it like s3://bucket/prefix")])
    if not endpoint:
        return DataStore(target, S3Store(bucket, prefix=prefix or None))
    # A loopback or house network may go without TLS; the address says so.
    plain = endpoint.startswith("http:")
    store = S3Store(bucket, prefix=prefix or None, endpoint=endpoint, client_options={"allow_http": plain})
    return DataStore(target, store)
