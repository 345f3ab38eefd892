"""Two jackpots on one layout, as the dealer, the supervisor and the room see them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.visitor import Hand, Tabs, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

EXAMPLES = Path(__file__).parents[2] / "examples"
FLOOR = EXAMPLES / "rehearsals" / "floors" / "dual_progressives.toml"
RESORT = EXAMPLES / "resort.toml"


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

    layout.sound()


@pytest.fixture(scope="module")
def resort(server: EmbeddedPostgres) -> Iterator[House]:
    for house in serve(server, new_books(server, "browser_resort")):
        house.open_floor(RESORT.read_text(encoding="utf-8"), "resort", "royals")
        yield house


@pytest.mark.requirement("LT-02", "LT-03")
def test_a_hit_on_both_takes_its_cards_and_one_visit(resort: House, chromium: Browser) -> None:
    with Tabs(chromium, resort) as tabs:
        page = tabs.open("/dealer/royals/TH-1", person="dana", screen="table")
        for link in ("resort", "royals"):
            path = f"/api/v1/links/{link}/tables/TH-1/sensors"
            resort.of("dana").put(path, json={"covered": [1, 2]})
        expect(page.locator(".seat.lit")).to_have_count(4)
        hand = Hand(page)
        hand.tap("text=START GAME")
        phase(page, "playing")
        hand.tap('[aria-label="Seat 2: Royal After 7, Texas Hold\'em Progressive"]')
        hand.tap("#badge [data-close]")
        hand.tap('[aria-label="Seat 1: Royal After 5, Texas Hold\'em Progressive"]')
        expect(page.locator("#refusal-what")).to_contain_text("Royal After 7 of seat 2")
        assert serious(page) == []
        hand.tap("#refusal-act")
        expect(page.locator('[data-hand="royal_after_7"].on')).to_have_count(0)
        hand.tap('[aria-label="Seat 1: Royal After 5, Texas Hold\'em Progressive"]')
        hand.tap("#badge [data-close]")
        hand.tap('[aria-label="Seat 1: Royal Flush, Five Card Link Progressive"]')
        hand.tap("#badge .primary >> visible=true")
        expect(page.locator("#badge-problem")).to_have_text("Tap the cards of the winning hand.")
        for cards in ("As Ks Qs Js Ts", "As Ks Qs Js Ts 4d 2c"):
            for card in cards.split():
                hand.tap(f'#badge [data-card="{card}"]')
            assert serious(page) == []
            hand.tap("#badge .primary >> visible=true")
        for person in ("sam", "eve"):
            hand.tap(f'#badge [data-badge="B-{person}"]')
            hand.pin()
        expect(page.locator("#toast")).to_contain_text("confirmed")
        for link, cards in (("resort", "As Ks Qs Js Ts"), ("royals", "As Ks Qs Js Ts 4d 2c")):
            award = resort.get("sam", f"/api/v1/links/{link}/awards")["awards"][-1]
            assert (award["status"], award["supervisor"], award["cards"]) == ("confirmed", "sam", cards)
        hand.tap("text=END GAME")
        phase(page, "idle")
        resort.sound()
