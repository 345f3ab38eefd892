"""A gambling day is closed in the office: a difference is found, explained, and signed."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.books.audit.site_key import make_site_key
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.visitor import Tabs, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    keys = tmp_path_factory.mktemp("keys")
    make_site_key(keys)
    for house in serve(server, new_books(server, "browser_day_close"), site_key=keys):
        for link in ("sheets", "nights"):
            house.open(link)
            house.start(link, "T9")
            house.end(link, "T9")
        yield house


def count(page: Page, house: House, link: str, over: int) -> None:
    """Count the bank from the checklist; it holds so much more than the books, in micros."""
    page.goto("/office/days")
    page.locator('[data-item="bank"]').get_by_role("link", name=link).click()
    held = house.get("ann", f"/api/v1/links/{link}")["player_funds"] + over
    page.fill("input[name=bank_balance]", f"{held // 1_000_000}.{held % 1_000_000:06}")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("#difference")).to_have_text(f"${over // 1_000_000}.{over % 1_000_000 // 10_000:02}")
    house.start(link, "T9")  # play goes on: the count is of the moment when it was compared
    house.end(link, "T9")
    page.get_by_role("button", name="Record the count", exact=True).click()
    page.wait_for_url(f"**/office/links/{link}")


@pytest.mark.requirement("WA-25", "WA-23")
def test_a_day_is_closed_with_a_difference_found_and_explained(house: House, chromium: Browser) -> None:
    with Tabs(chromium, house) as tabs:
        page = tabs.open("/office", person="ann", screen="desk")
        page.get_by_role("link", name="Close the day", exact=True).click()
        expect(page.get_by_text("not closed")).to_be_visible()
        assert serious(page) == []
        count(page, house, "sheets", 0)
        count(page, house, "nights", 2_500_000)
        page.goto("/office/days")
        expect(page.locator('[data-item="bank"]').get_by_text("done")).to_be_visible()
        difference = page.locator('[data-item="reconciliation"]')
        expect(difference).to_contain_text("nights: the bank holds beyond the books: $2.50")
        page.fill('[name="explanations.over"]', "The room closed at two.")
        page.get_by_role("button", name="Close the day", exact=True).click()
        expect(page.locator("#refusal")).to_contain_text(
            "this item is missing and has no explanation", ignore_case=True
        )
        page.keyboard.press("Escape")
        page.fill('[name="explanations.reconciliation"]', "A tip that was dropped by mistake")
        page.get_by_role("button", name="Close the day", exact=True).click()
        sheet = page.locator("section:has(#sheet)")
        expect(sheet).to_contain_text("Ann")
        expect(sheet).to_contain_text("A tip that was dropped by mistake")
        assert re.search(r"\b[0-9a-f]{64}\b", sheet.inner_text()), "the whole hash"
        assert serious(page) == []
        auditor = tabs.open("/office/days", person="otto", screen="phone")
        expect(auditor.locator("section:has(#sheet)")).to_contain_text("A tip that was dropped by mistake")
        expect(auditor.get_by_role("button", name="Close the day")).to_have_count(0)
        width = auditor.evaluate("document.documentElement.scrollWidth")
        assert width <= 390, "nothing is cut off on a phone"
