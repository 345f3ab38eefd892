"""One server for each process, the longest tests first, and properties that are judged by what they find."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import certifi
import pytest
from hypothesis import HealthCheck, settings

# Tests of the pure core import neither a driver nor a server.
if TYPE_CHECKING:
    from feltwork.site.books.connection import Connection
    from feltwork.site.servers.postgres import EmbeddedPostgres

# Each HTTP client reads all public authorities, 40 ms of processor time; no test needs any of them.
certifi.where = lambda: str(Path(__file__).parent / "support/no_authority.pem")

# PINs of tests protect nothing, here and in the programs that tests start; argon2 takes 0.3 s each.
os.environ["FELTWORK_TEST_HASHES"] = "1"

# Not by how busy the machine is.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# With each commit; nights and mutants draw as many examples as Hypothesis does by itself.
settings.register_profile("commit", settings.get_profile("unhurried"), max_examples=30)
settings.load_profile("unhurried")

#: Files with tests of half a minute and more, the longest first: no worker waits for one that began last.
_LONG = (
    "rehearsal/test_rehearse.py",
    "table/test_raspberry_pi.py",
    "web/test_crawl.py",
    "table/test_wrong_devices.py",
    "table/test_conformance.py",
    "web/test_openapi.py",
    "properties/test_histories.py",
    "web/test_kills.py",
)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest; the others keep their random order."""
    ranks = {name: rank for rank, name in enumerate(_LONG)}
    items.sort(key=lambda item: ranks.get("/".join(item.path.parts[-2:]), len(_LONG)))


@pytest.fixture(scope="session")
def server() -> Iterator["EmbeddedPostgres"]:
    """One real PostgreSQL for all tests of a process."""
    from tests.support.books import kept_server, running_server

    if kept := kept_server():
        yield kept
    else:
        with running_server() as running:
            yield running


@pytest.fixture(scope="module")
def durable_server() -> Iterator["EmbeddedPostgres"]:
    """PostgreSQL as it comes, with empty books: the doctor looks at its settings."""
    from feltwork.site.servers.postgres import EmbeddedPostgres

    folder = Path(tempfile.mkdtemp(prefix="feltwork-durable-"))
    folder.chmod(0o755)
    running = EmbeddedPostgres(folder).start()
    try:
        yield running
    finally:
        running.remove()


@pytest.fixture(scope="module")
def database(server: "EmbeddedPostgres", request: pytest.FixtureRequest) -> str:
    """The name of a database with empty books, for all tests of a module."""
    from tests.support.books import new_books

    return new_books(server, f"books_{request.module.__name__.rpartition('.')[2]}")


@pytest.fixture
def writer(server: "EmbeddedPostgres", database: str) -> Iterator["Connection"]:
    from feltwork.site.books.connection import connect

    with connect(server.dsn(database, role="writer")) as connection:
        yield connection


@pytest.fixture
def reader(server: "EmbeddedPostgres", database: str) -> Iterator["Connection"]:
    from feltwork.site.books.connection import connect

    with connect(server.dsn(database, role="reader")) as connection:
        yield connection


@pytest.fixture
def superuser(server: "EmbeddedPostgres", database: str) -> Iterator["Connection"]:
    from feltwork.site.books.connection import connect

    with connect(server.dsn(database)) as connection:
        yield connection
