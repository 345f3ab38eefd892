"""Two jackpots on one layout, as the dealer, the supervisor and the room see them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.servers.postgres import EmbeddedPostgres
from tests.books.conftest import new_books
from tests.browser.conftest import Visit
from tests.browser.visitor import Hand, Tabs, serious
from tests.web.conftest import serve
from tests.web.house import House

FLOOR = Path(__file__).parents[2] / "examples" / "rehearsals" / "floors" / "dual_progressives.toml"


@pytest.fixture(scope="module")
def layout(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, "browser_two_jackpots")):
        house.open_floor(FLOOR.read_text(encoding="utf-8"), "sevens", "trilux")
        yield house


@pytest.fixture
def visit(layout: House, chromium: Browser) -> Iterator[Visit]:
    with Tabs(chromium, layout) as tabs:
        yield tabs.open


def phase(page: Page, name: str) -> None:
    expect(page.locator(f'#live[data-phase="{name}"]')).to_be_visible()


@pytest.mark.requirement("LT-01", "LT-03", "LT-12")
def test_one_start_one_visit_and_one_end_for_both_jackpots(layout: House, visit: Visit) -> None:
    sign = visit("/signs/tables/B1", screen="wall")
    for amount in ("$2,000.00", "$1,000.00", "$500.00", "$5,000.00"):
        expect(sign.locator(".meters")).to_contain_text(amount)
    page = visit("/dealer/sevens/B1", person="dana", screen="table")
    assert serious(page) == []
    for link, covered in (("sevens", [1, 2]), ("trilux", [1, 3])):
        layout.of("dana").put(f"/api/v1/links/{link}/tables/B1/sensors", json={"covered": covered})
    expect(page.locator(".seat.lit")).to_have_count(4)
    hand = Hand(page)
    hand.tap("text=START GAME")
    phase(page, "playing")
    links = layout.get("dana", "/api/v1/tables/B1")["links"]
    assert {link: view["seats"] for link, view in links.items()} == {"sevens": [1, 2], "trilux": [1, 3]}
    expect(sign.locator('[data-meter="trilux/jackpot"]')).to_contain_text("$5,000.40")
    hand.tap("text=END GAME")
    phase(page, "idle")
    assert hand.taps == 2

    hand.tap("text=START GAME")
    phase(page, "playing")
    hand.tap("[aria-label=\"Seat 1: Three 7's - Suited (Other), Blazing 7's Jackpot\"]")
    hand.tap("#badge [data-close]")
    hand.tap('[aria-label="Seat 1: Three Aces (Suited), TriLux Blackjack Jackpot"]')
    expect(page.locator("#badge-about")).to_contain_text("Three 7's - Suited (Other)")
    expect(page.locator("#badge-about")).to_contain_text("Three Aces (Suited)")
    expect(page.locator("[data-end]")).to_be_disabled()
    for person in ("sam", "eve"):
        hand.tap(f'#badge [data-badge="B-{person}"]')
        hand.pin()
    expect(page.locator("#toast")).to_contain_text("confirmed")
    awards = [
        layout.get("sam", f"/api/v1/links/{link}/awards")["awards"][-1] for link in ("sevens", "trilux")
    ]
    assert [(award["status"], award["supervisor"]) for award in awards] == [("confirmed", "sam")] * 2
    hand.tap("text=END GAME")
    phase(page, "idle")
    layout.sound()
