"""A box: the two servers of a room that plays itself, in a folder that is gone with them."""

import shutil
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from feltwork.servers.nats import EmbeddedNats, NatsPlan
from feltwork.servers.postgres import EmbeddedPostgres


class TemporaryServers:
    """PostgreSQL and a log out of wheels; ``stop`` leaves no process and no file."""

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        plan: NatsPlan = NatsPlan(),  # noqa: B008 - a frozen value
        parent: Path | None = None,
    ) -> None:
        self._settings = settings
        self._plan = plan
        self.folder = Path(tempfile.mkdtemp(prefix="feltwork-demo-", dir=parent))
        # PostgreSQL does not run as root: then somebody else must get in.
        self.folder.chmod(0o755)
        self.books: EmbeddedPostgres | None = None
        self.log: EmbeddedNats | None = None

    @property
    def dsn(self) -> str:
        """How the owner of the books reaches them."""
        assert self.books is not None, "the box is not started"
        return self.books.dsn()

    @property
    def writer_dsn(self) -> str:
        """How the service and the bookkeeper reach the books."""
        assert self.books is not None, "the box is not started"
        return self.books.dsn(role="writer")

    @property
    def nats_url(self) -> str:
        """How tables and the bookkeeper reach the log."""
        assert self.log is not None, "the box is not started"
        return self.log.url

    def start(self) -> None:
        """Start both, side by side."""
        self.books = EmbeddedPostgres(self.folder / "books", self._settings)
        self.log = EmbeddedNats(self.folder / "log", self._plan)
        with ThreadPoolExecutor(2) as both:
            books, log = both.submit(self.books.start), both.submit(self.log.start)
        books.result()
        log.result()

    def stop(self) -> None:
        """End both at once and remove the folder: nobody asks for its books again."""
        if self.log is not None:
            self.log.kill()
        if self.books is not None:
            self.books.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
