"""PostgreSQL and NATS in a temporary folder."""

import shutil
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.postgres import EmbeddedPostgres


class TemporaryServers:
    """Both servers from wheels; ``stop`` leaves no process and no file."""

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        plan: NatsPlan = NatsPlan(),  # noqa: B008 - a frozen value
        parent: Path | None = None,
    ) -> None:
        self._settings = settings
        self._plan = plan
        self.folder = Path(tempfile.mkdtemp(prefix="feltwork-demo-", dir=parent))
        # As root, PostgreSQL runs as another user who needs access.
        self.folder.chmod(0o755)
        self.books: EmbeddedPostgres | None = None
        self.log: EmbeddedNats | None = None

    @property
    def dsn(self) -> str:
        """The DSN of the owner of the books."""
        assert self.books is not None, "the servers are not started"
        return self.books.dsn()

    @property
    def writer_dsn(self) -> str:
        """The DSN of the service and the bookkeeper."""
        assert self.books is not None, "the servers are not started"
        return self.books.dsn(role="writer")

    @property
    def nats_url(self) -> str:
        """The NATS URL."""
        assert self.log is not None, "the servers are not started"
        return self.log.url

    def start(self) -> None:
        """Start both in parallel."""
        self.books = EmbeddedPostgres(self.folder / "books", self._settings)
        self.log = EmbeddedNats(self.folder / "log", self._plan)
        with ThreadPoolExecutor(2) as both:
            books, log = both.submit(self.books.start), both.submit(self.log.start)
        books.result()
        log.result()

    def stop(self) -> None:
        """Kill both and remove the folder."""
        if self.log is not None:
            self.log.kill()
        if self.books is not None:
            self.books.remove()
        shutil.rmtree(self.folder, ignore_errors=True)
