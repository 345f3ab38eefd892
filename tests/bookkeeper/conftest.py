"""Houses of a log and bookkeepers, with books on the server of all tests or on one that a test may break."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.bookkeeper.house import House
from tests.support.books import Books, new_books


@pytest.fixture
def house(server: EmbeddedPostgres) -> Iterator[House]:
    """A house with books of its own; PostgreSQL stays as it is."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-house-"))
    yield from _opened(House(folder, books=Books(server, new_books(server, "house"))))


@pytest.fixture
def house_alone() -> Iterator[House]:
    """A house whose PostgreSQL a test may kill, too."""
    yield from _opened(House(Path(tempfile.mkdtemp(prefix="feltwork-house-"))))


def _opened(house: House) -> Iterator[House]:
    try:
        yield house.open()
    finally:
        house.close()
        shutil.rmtree(house.folder, ignore_errors=True)
