"""One Chromium and one sample site for all browser tests of a process, and another with payout records."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.house import furnished, tidy
from tests.browser.visitor import CHROMIUM, Tabs
from tests.web.house import House

Visit: TypeAlias = Callable[..., Page]
# PIN hashing is slow on purpose, and slower on a busy machine.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    yield from furnished(server, "browser")


@pytest.fixture(scope="session")
def slips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the slip printer has printed."""
    file = tmp_path_factory.mktemp("printer") / "slips"
    file.touch()
    return file


@pytest.fixture(scope="session")
def strict(server: EmbeddedPostgres, slips: Path) -> Iterator[House]:
    """A site where a win needs its payout record, with a slip printer."""
    yield from furnished(server, "strict", payout_record="required", slip_printer=f"file:{slips}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def visit(house: House, chromium: Browser) -> Iterator[Visit]:
    """Open a page as a person; a request to another host or a script error fails the test."""
    with Tabs(chromium, house) as tabs:
        yield tabs.open
    tidy(house)
