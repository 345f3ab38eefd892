"""PostgreSQL and NATS in a temporary folder, for one site or for a hub and its sites."""

import shutil
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from feltwork.servers.nats import EmbeddedNats, NatsPlan
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys
from feltwork.servers.postgres import EmbeddedPostgres


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


class TemporaryNetwork(TemporaryServers):
    """The servers of a hub, with keys as in production, and a NATS server for each of its sites."""

    def __init__(self, sites: Iterable[str]) -> None:
        super().__init__()
        self.keys = KeyRing(self.folder / "hub-keys")
        self._plan = hub_plan(make_hub_keys(sites, self.keys), self.keys.certificate(SERVER))
        self.site_logs = {site: EmbeddedNats(self.folder / site / "log") for site in sites}

    def start(self) -> None:
        """Start all in parallel."""
        with ThreadPoolExecutor() as every:
            hub = every.submit(super().start)
            sites = [every.submit(log.start) for log in self.site_logs.values()]
        hub.result()
        for site in sites:
            site.result()

    def stop(self) -> None:
        """Kill all and remove the folder."""
        for log in self.site_logs.values():
            log.kill()
        super().stop()
