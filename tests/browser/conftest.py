"""One Chromium and one furnished house for all browser tests."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from feltwork.books.carried import Carried
from tests.books.conftest import new_books, server
from tests.browser.house import furnish
from tests.browser.visitor import CHROMIUM, COOKIE, SIZES
from tests.web.conftest import serve
from tests.web.house import House

__all__ = ["server"]
Visit: TypeAlias = Callable[..., Page]
# PINs are slow to check on purpose, and slower on a machine that is busy.
expect.set_options(timeout=20_000)


@pytest.fixture(scope="session")
def house(server: Carried) -> Iterator[House]:
    for made in serve(server, new_books(server, "browser")):
        furnish(made)
        yield made


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def visit(house: House, chromium: Browser) -> Iterator[Visit]:
    """Open a page as somebody, on a screen; a request that leaves the host or an error is a failure."""
    contexts: list[BrowserContext] = []
    wrong: list[str] = []

    def opened(path: str, *, person: str = "", screen: str = "tablet") -> Page:
        context = chromium.new_context(**SIZES[screen])
        contexts.append(context)
        if person:
            token = house.of(person).headers["Authorization"].removeprefix("Bearer ")
            context.add_cookies([{"name": COOKIE, "value": token, "url": house.url}])
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("request", lambda sent: wrong.append(sent.url) if not _is_ours(sent.url, house) else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on(
            "console",
            lambda said: wrong.append(said.text) if "Content Security Policy" in said.text else None,
        )
        page.goto(f"{house.url}{path}")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert wrong == []


def _is_ours(url: str, house: House) -> bool:
    return url.startswith((house.url, "data:"))
