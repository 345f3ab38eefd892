"""Books of their own for tests that look at all of them."""

from collections.abc import Iterator

import pytest

from feltwork.site.books.connection import Connection, connect
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.support.books import new_books


@pytest.fixture
def fresh(server: EmbeddedPostgres) -> Iterator[Connection]:
    """The writer of books that no other test has seen."""
    name = new_books(server, "books_fresh")
    with connect(server.dsn(name, role="writer")) as connection:
        yield connection
