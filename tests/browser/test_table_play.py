"""Table play on the dealer's screen: a divided prize, folded seats, a misdeal, and a round taken over."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.visitor import Hand, Tabs, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

FLOORS = Path(__file__).parents[2] / "examples" / "rehearsals" / "floors"
Open = Callable[[str, str], AbstractContextManager[tuple[House, Visit]]]


@pytest.fixture(scope="module")
def open_floor(server: EmbeddedPostgres, chromium: Browser) -> Open:
    """Open a floor with one link, and visit its screens."""

    @contextmanager
    def opened(floor: str, link: str) -> Iterator[tuple[House, Visit]]:
        for house in serve(server, new_books(server, f"browser_{floor}")):
            house.open_floor((FLOORS / f"{floor}.toml").read_text(encoding="utf-8"), link)
            with Tabs(chromium, house) as tabs:
                yield house, tabs.open
            house.sound()

    return opened


def phase(page: Page, name: str) -> None:
    expect(page.locator(f'#live[data-phase="{name}"]')).to_be_visible()


def start(house: House, page: Page, hand: Hand, link: str, table: str, covered: list[int]) -> None:
    house.of("dana").put(f"/api/v1/links/{link}/tables/{table}/sensors", json={"covered": covered})
    expect(page.locator(".seat.lit")).to_have_count(len(covered))
    hand.tap("text=START GAME")
    phase(page, "playing")


@pytest.mark.requirement("LT-03", "LT-08")
def test_a_dragon_split_of_nine_seats_takes_one_press_and_two_badges(open_floor: Open) -> None:
    with open_floor("baccarat", "drag") as (house, visit):
        page = visit("/dealer/drag/M1", person="dana", screen="table")
        hand = Hand(page)
        start(house, page, hand, "drag", "M1", list(range(1, 10)))
        hand.tap('[aria-label="Seat 4: 2, 3 & 4 - 0 Diamonds"]')
        expect(page.locator(".seat.claiming")).to_have_count(9)
        due = page.locator('[aria-label="To pay seat 9"]')
        expect(due).to_contain_text("winner 1")
        expect(page.locator(".deck .claim")).to_have_count(1)
        pit = visit("/pit", person="sam", screen="table")
        expect(pit.locator("article.claim")).to_have_count(1)
        expect(pit.locator("article.claim")).to_contain_text("seats 1, 2, 3, 4, 5, 6, 7, 8, 9")
        expect(pit.locator(".won")).to_have_text("$5,002.25")
        hand.cards("2d 3d 4d")
        for person in ("sam", "eve"):
            hand.tap(f'#badge [data-badge="B-{person}"]')
            hand.pin()
        expect(page.locator("#toast")).to_contain_text("confirmed")
        awards = house.get("sam", "/api/v1/links/drag/awards")["awards"]
        assert [(award["status"], award["executive"]) for award in awards] == [("confirmed", "eve")] * 9
        # 5,000 of the seed and 9 wagers of $1 at 25%: $5,002.25 divided by nine is $555.80 and 5 odd cents.
        assert sum(award["amount"] for award in awards) == 5_002_250_000
        amounts = {award["seat"]: award["amount"] for award in awards}
        assert [amounts[seat] for seat in range(9, 0, -1)] == [555_810_000] * 5 + [555_800_000] * 4
        expect(due).to_contain_text("$555.81")
        expect(due).to_contain_text("$0.81 in coin")
        expect(page.locator('[aria-label="To pay seat 1"]')).to_contain_text("$555.80")
        expect(page.locator(".owed")).to_contain_text("Pay 9 awards, $5,002.25 in all")
        expect(page.locator("[data-end]")).to_be_in_viewport(ratio=1)
        assert serious(page) == []
        hand.tap("text=END GAME")
        phase(page, "idle")


@pytest.mark.requirement("LT-08")
def test_the_winning_side_is_marked_once(open_floor: Open) -> None:
    with open_floor("baccarat_winning_side", "drag") as (house, visit):
        page = visit("/dealer/drag/M1", person="dana", screen="table")
        hand = Hand(page)
        start(house, page, hand, "drag", "M1", [1, 2, 5, 9])
        hand.tap('[aria-label="Seat 2: 2, 3 & 4 - 0 Diamonds"]')
        expect(page.locator(".seat.winner")).to_have_count(1)
        assert serious(page) == []
        hand.tap("#seat-9")
        hand.tap("#seat-5")
        hand.tap("#seat-5")
        expect(page.locator("[data-done]")).to_have_text("Winning side: 2 seats")
        hand.tap("[data-done]")
        expect(page.locator(".seat.claiming")).to_have_count(2)
        awards = house.get("sam", "/api/v1/links/drag/awards")["awards"]
        assert {award["seat"]: award["amount"] for award in awards} == {2: 2_500_500_000, 9: 2_500_500_000}
        hand.tap("#badge [data-close]")
        # The same button again clears the whole side, on the keyboard as well.
        page.locator('[aria-label="Seat 2: 2, 3 & 4 - 0 Diamonds"]').press("Enter")
        expect(page.locator(".seat.claiming")).to_have_count(0)
        hand.tap("text=END GAME")
        phase(page, "idle")


@pytest.mark.requirement("LT-02", "LT-10")
def test_folded_seats_are_marked_and_a_misdeal_takes_a_badge(open_floor: Open) -> None:
    with open_floor("crazy_4_folded", "four-aces") as (house, visit):
        sign = visit("/signs/four-aces", screen="wall")
        expect(sign.locator(".notices")).to_contain_text("Folded hands do not qualify.")
        page = visit("/dealer/four-aces/C1", person="dana", screen="table")
        hand = Hand(page)
        start(house, page, hand, "four-aces", "C1", [1, 2])
        hand.tap('[aria-label="Seat 1: folded"]')
        expect(page.locator('[aria-label="Seat 1: Four Aces"]')).to_be_disabled()
        assert house.get("dana", "/api/v1/links/four-aces/tables/C1")["folded"] == [1]
        expect(page.locator('[aria-label="Seat 2: Four Aces"]')).to_be_enabled()
        assert serious(page) == []
        hand.tap('[aria-label="Seat 1: folded"]')
        expect(page.locator('[aria-label="Seat 1: Four Aces"]')).to_be_enabled()

        hand.tap("text=MISDEAL")
        hand.tap('#misdeal [data-reason="Wrong number of cards"]')
        hand.tap('#badge [data-badge="B-sam"]')
        hand.pin()
        expect(page.locator("#toast")).to_contain_text("Return all wagers")
        phase(page, "idle")
        assert house.get("sam", "/api/v1/links/four-aces")["meters"]["jackpot"]["meter"] == 10_000_000_000
