"""The system under rehearsal: PostgreSQL and NATS started once, a fresh database for every run."""

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nats
import structlog
from fastapi import FastAPI
from nats.errors import Error as NatsError
from nats.js.errors import NotFoundError

from feltwork.rehearsal.preparation import OBSERVER, prepare_floor, prepare_run
from feltwork.rehearsal.script import Script
from feltwork.rehearsal.service_client import ServiceClient
from feltwork.site.bookkeeper.process import Bookkeeper, BookkeeperSettings
from feltwork.site.books.audit.audit import export_books
from feltwork.site.books.connection import connect
from feltwork.site.books.people.pin_key import NO_KEY
from feltwork.site.books.schema import migrate
from feltwork.site.servers.ports import listen
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.servers.temporary import TemporaryServers
from feltwork.site.web.app import application
from feltwork.site.web.http_server import HttpThread
from feltwork.site.web.settings import Settings
from feltwork.site.wire.streams import AT_A_SITE, FELT, consumer_name

_SCHEMA = "rehearsal_schema"
_POLL_SECONDS = 0.005
_TIMEOUT_SECONDS = 20.0


#: Idle applications. FastAPI prepares each route at its first request, which costs more than a
#: rehearsal, so the next run reuses the application.
_idle: list[FastAPI] = []


class Service:
    """The real application, served over HTTP from its own thread."""

    def __init__(self, dsn: str) -> None:
        listener = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        settings = Settings(
            dsn=dsn, secure_cookie=False, origin=self.url, live_seconds=30, connections=2, pin_key=NO_KEY
        )
        self._app = _idle.pop() if _idle else application(settings)
        self._app.state.settings = settings
        self._thread = HttpThread(self._app, listener)

    async def start(self) -> "Service":
        """Start, and wait until it accepts requests."""
        await self._thread.start()
        # Requests come one after the other; a second connection would have to plan every statement again.
        self._app.state.pool.resize(1, 1)
        return self

    async def stop(self) -> None:
        """Stop, and wait until its connections to the database are closed."""
        if await self._thread.stop():
            _idle.append(self._app)


@dataclass(frozen=True, slots=True)
class RunBooks:
    """A database that is ready for a run, and the tokens of the people who act in it."""

    database: str
    tokens: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class OpenSite:
    """A service on a database of its own, with its floor open for play."""

    client: ServiceClient
    database: str
    url: str


class Site:
    """The servers, and the databases cloned on them."""

    def __init__(self, servers: TemporaryServers) -> None:
        self._servers = servers
        self._templates: dict[str, str] = {}
        self._databases = 0
        self._cleaning: set[asyncio.Task[None]] = set()
        self._logging: dict[str, Any] = {}

    @property
    def nats_url(self) -> str:
        """The NATS URL for table controllers."""
        return self._servers.nats_url

    async def start(self) -> None:
        """Create the schema once, on servers that are running."""
        self._logging = structlog.get_config()
        structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
        await asyncio.to_thread(self._books.create_database, _SCHEMA, "template1")
        await asyncio.to_thread(migrate, self._dsn(_SCHEMA))

    async def finish(self) -> None:
        """Wait until every service is stopped, and restore logging."""
        await asyncio.gather(*self._cleaning, return_exceptions=True)
        structlog.configure(**self._logging)

    async def databases(self, script: Script, count: int) -> list[RunBooks]:
        """Create a fresh database, ready for the first step, for each of ``count`` runs."""
        first = await self._clone(await self._template(script))
        tokens = await asyncio.to_thread(prepare_run, self._dsn(first), script)
        others = [await self._clone(first) for _ in range(count - 1)]
        return [RunBooks(database, tokens) for database in (first, *others)]

    @asynccontextmanager
    async def service(self, books: RunBooks) -> AsyncIterator[OpenSite]:
        """Run a service on its own database, which is dropped afterward."""
        database = books.database
        running = await Service(self._dsn(database, role="writer")).start()
        client = ServiceClient(running.url, OBSERVER, books.tokens)
        try:
            yield OpenSite(client, database, running.url)
        finally:
            await client.close()
            task = asyncio.create_task(self._clean(running, database))
            self._cleaning.add(task)
            task.add_done_callback(self._cleaning.discard)

    async def _clean(self, running: Service, database: str) -> None:
        await running.stop()
        await asyncio.to_thread(self._books.drop_database, database)

    @asynccontextmanager
    async def bookkeeper(self, database: str, links: Iterable[str]) -> AsyncIterator[None]:
        """Run the bookkeeper on this database, with an empty log."""
        client = await nats.connect(self.nats_url)
        jetstream = client.jetstream()
        for stream in AT_A_SITE:
            with suppress(NotFoundError):
                await jetstream.delete_stream(stream)
        settings = BookkeeperSettings(dsn=self._dsn(database, role="writer"), url=self.nats_url)
        stop = asyncio.Event()
        keeping = asyncio.create_task(Bookkeeper(settings).run(stop))
        try:
            for link in links:
                await _consumer(client.jetstream(), link, keeping)
            yield
        finally:
            await client.close()
            stop.set()
            await asyncio.gather(keeping, return_exceptions=True)

    async def verify(self, database: str) -> list[str]:
        """Export the books and run the independent verifier; return the problems it finds."""
        return await asyncio.to_thread(self._verify, database)

    def _verify(self, database: str) -> list[str]:
        with TemporaryDirectory(prefix="feltwork-rehearsal-") as folder:
            bundle = Path(folder) / "bundle"
            with connect(self._dsn(database, role="writer")) as connection:
                export_books(connection, bundle)
            _, problems = _verify_bundle()(bundle)
        return problems

    async def _template(self, script: Script) -> str:
        """Return the template database in which this floor is open."""
        key = hashlib.sha256(script.floor_text.encode()).hexdigest()
        if key not in self._templates:
            database = await self._clone(_SCHEMA)
            await asyncio.to_thread(prepare_floor, self._dsn(database), script)
            self._templates[key] = database
        return self._templates[key]

    async def _clone(self, template: str) -> str:
        """Create a database from a template."""
        self._databases += 1
        name = f"rehearsal_{self._databases}"
        await asyncio.to_thread(self._books.create_database, name, template)
        return name

    @property
    def _books(self) -> EmbeddedPostgres:
        assert self._servers.books is not None, "the servers are not started"
        return self._servers.books

    def _dsn(self, database: str, *, role: str = "") -> str:
        return self._books.dsn(database, role=role)


@cache
def _verify_bundle() -> Callable[..., tuple[int, list[str]]]:
    """Load the independent verifier's check; a process for each run would take longer than the check."""
    carried = Path(__file__).with_name("verify_books.py")
    path = carried if carried.exists() else Path(__file__).parents[3] / "tools" / carried.name
    spec = spec_from_file_location("verify_books", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    check: Callable[..., tuple[int, list[str]]] = module.verify
    return check


async def _consumer(jetstream: nats.js.JetStreamContext, link: str, keeping: asyncio.Task[None]) -> None:
    """Wait until the bookkeeper reads a link."""
    deadline = asyncio.get_running_loop().time() + _TIMEOUT_SECONDS
    while asyncio.get_running_loop().time() < deadline:
        if keeping.done():
            keeping.result()
        with suppress(NotFoundError, NatsError, TimeoutError):
            await jetstream.consumer_info(FELT, consumer_name(link))
            return
        await asyncio.sleep(_POLL_SECONDS)
    raise RuntimeError(f"the bookkeeper did not read link {link} within {_TIMEOUT_SECONDS:.0f} s")
