"""Real servers for each module, and houses that a test may kill."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.bookkeeper.house import House


@pytest.fixture
def server() -> Iterator[EmbeddedPostgres]:
    """PostgreSQL without any books."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-empty-"))
    folder.chmod(0o755)
    carried = EmbeddedPostgres(folder).start()
    try:
        yield carried
    finally:
        carried.remove()


@pytest.fixture
def house() -> Iterator[House]:
    """A house of its own, that the test may break."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-house-"))
    house = House(folder)
    try:
        yield house.open()
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)
