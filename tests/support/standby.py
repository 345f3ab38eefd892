"""A primary with a synchronous standby that a test takes away."""

import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.servers.replicas import Replicas
from tests.support.postgres import migrated_cluster


@contextmanager
def replicated_books() -> Iterator[Replicas]:
    """A primary with empty books and its standby; commits wait for it."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-replicated-"))
    folder.chmod(0o755)
    first = migrated_cluster(folder / "n1").start()
    replicas = Replicas({"n1": first, "n2": EmbeddedPostgres(folder / "n2")})
    try:
        yield replicas
    finally:
        replicas.remove()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def standby_away(replicas: Replicas) -> Iterator[None]:
    """The standby is dead, and every wait for it is canceled, as a timeout or a person does it."""
    standby = replicas.servers[replicas.standbys[0]]
    standby.kill()
    primary = replicas.servers[replicas.primary]
    until(lambda: primary.count_standbys() == 0)
    over = threading.Event()
    canceling = threading.Thread(target=_cancel, args=(primary, over))
    canceling.start()
    try:
        yield
    finally:
        over.set()
        canceling.join()
        standby.start()
        until(lambda: primary.count_standbys() == 1)


def _cancel(primary: EmbeddedPostgres, over: threading.Event) -> None:
    while not over.wait(0.05):
        primary.cancel_waits()


def until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, f"not within {seconds} s"
        time.sleep(0.02)
