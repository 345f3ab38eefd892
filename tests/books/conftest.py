"""One real PostgreSQL for a run of the tests, and a fresh set of books for each module."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from feltwork.books.connection import Connection, connect
from feltwork.books.migrate import migrate
from feltwork.servers.postgres import EmbeddedPostgres

_TEMPLATE = "books_template"
#: No test takes the power from this server, and with every write on the disk, making and dropping a database
#: takes seconds. Tests that kill a server or look at its settings have their own. Nothing here lasts a month.
_SETTINGS = {"fsync": "off", "full_page_writes": "off", "feltwork.months_ahead": "2"}


@pytest.fixture(scope="module")
def durable_server() -> Iterator[EmbeddedPostgres]:
    """PostgreSQL as it comes, with empty books: the doctor looks at its settings."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-durable-"))
    folder.chmod(0o755)
    running = EmbeddedPostgres(folder).start()
    try:
        yield running
    finally:
        running.remove()


@contextmanager
def running_server() -> Iterator[EmbeddedPostgres]:
    """A server with a template of empty books."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-books-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder, _SETTINGS).start()
    try:
        with psycopg.connect(carried.dsn(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {_TEMPLATE}")
        migrate(carried.dsn(_TEMPLATE))
        yield carried
    finally:
        carried.remove()


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedPostgres]:
    with running_server() as running:
        yield running


@pytest.fixture(scope="module")
def database(server: EmbeddedPostgres, request: pytest.FixtureRequest) -> str:
    """The name of a database with empty books, for all tests of a module."""
    return new_books(server, f"books_{request.module.__name__.rpartition('.')[2]}")


@pytest.fixture
def fresh(server: EmbeddedPostgres) -> Iterator[Connection]:
    """The writer of books that no other test has seen."""
    name = new_books(server, "books_fresh")
    with connect(server.dsn(name, role="writer")) as connection:
        yield connection


def new_books(server: EmbeddedPostgres, name: str) -> str:
    server.drop_database(name)
    server.create_database(name, _TEMPLATE)
    return name


@pytest.fixture
def writer(server: EmbeddedPostgres, database: str) -> Iterator[Connection]:
    with connect(server.dsn(database, role="writer")) as connection:
        yield connection


@pytest.fixture
def reader(server: EmbeddedPostgres, database: str) -> Iterator[Connection]:
    with connect(server.dsn(database, role="reader")) as connection:
        yield connection


@pytest.fixture
def superuser(server: EmbeddedPostgres, database: str) -> Iterator[Connection]:
    with connect(server.dsn(database)) as connection:
        yield connection
