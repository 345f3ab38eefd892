"""The dealer's screen: a divided prize, a marked side, folded seats, a misdeal, and two jackpots."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.visitor import Hand, Tabs, phase, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House

EXAMPLES = Path(__file__).parents[2] / "examples"
FLOORS = EXAMPLES / "rehearsals" / "floors"
Open = Callable[..., AbstractContextManager[tuple[House, Visit]]]


@pytest.fixture(scope="module")
def open_floor(server: EmbeddedPostgres, chromium: Browser) -> Open:
    """Open a floor with some links, and visit its screens."""

    @contextmanager
    def opened(floor: str, *links: str, folder: Path = FLOORS) -> Iterator[tuple[House, Visit]]:
        for house in serve(server, new_books(server, f"browser_{floor}")):
            house.open_floor((folder / f"{floor}.toml").read_text(encoding="utf-8"), *links)
            with Tabs(chromium, house) as tabs:
                yield house, tabs.open
            house.sound()

    return opened


def start(house: House, page: Page, hand: Hand, table: str, covered: dict[str, list[int]]) -> None:
    for link, seats in covered.items():
        house.of("dana").put(f"/api/v1/links/{link}/tables/{table}/sensors", json={"covered": seats})
    expect(page.locator(".seat.lit")).to_have_count(sum(map(len, covered.values())))
    hand.tap("text=START GAME")
    phase(page, "playing")


@pytest.mark.requirement("LT-03", "LT-08")
def test_a_dragon_split_of_nine_seats_takes_one_press_and_two_badges(open_floor: Open) -> None:
    with open_floor("baccarat", "drag") as (house, visit):
        page = visit("/dealer/drag/M1", person="dana", screen="table")
        hand = Hand(page)
        start(house, page, hand, "M1", {"drag": list(range(1, 10))})
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
        # 5,000 of the seed and 9 wagers of $1 at 25%: $5,002.25 divided by nine is $555.80 and 5 odd cents.
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
        start(house, page, hand, "M1", {"drag": [1, 2, 5, 9]})
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
        start(house, page, hand, "C1", {"four-aces": [1, 2]})
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


@pytest.mark.requirement("LT-01", "LT-03", "LT-12")
def test_one_start_one_visit_and_one_end_for_both_jackpots(open_floor: Open) -> None:
    with open_floor("dual_progressives", "sevens", "trilux") as (house, visit):
        sign = visit("/signs/tables/B1", screen="wall")
        page = visit("/dealer/sevens/B1", person="dana", screen="table")
        assert serious(page) == []
        hand = Hand(page)
        start(house, page, hand, "B1", {"sevens": [1, 2], "trilux": [1, 3]})
        links = house.get("dana", "/api/v1/tables/B1")["links"]
        assert {link: view["seats"] for link, view in links.items()} == {"sevens": [1, 2], "trilux": [1, 3]}
        expect(sign.locator('[data-meter="trilux/jackpot"]')).to_contain_text("$5,000.40")
        hand.tap("text=END GAME")
        phase(page, "idle")
        assert hand.taps == 2


@pytest.mark.requirement("LT-02", "LT-03")
def test_a_hit_on_both_takes_its_cards_and_one_visit(open_floor: Open) -> None:
    with open_floor("resort", "resort", "royals", folder=EXAMPLES) as (house, visit):
        page = visit("/dealer/royals/TH-1", person="dana", screen="table")
        hand = Hand(page)
        start(house, page, hand, "TH-1", {"resort": [1, 2], "royals": [1, 2]})
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
            hand.cards(cards)
        for person in ("sam", "eve"):
            hand.tap(f'#badge [data-badge="B-{person}"]')
            hand.pin()
        expect(page.locator("#toast")).to_contain_text("confirmed")
        for link, cards in (("resort", "As Ks Qs Js Ts"), ("royals", "As Ks Qs Js Ts 4d 2c")):
            award = house.get("sam", f"/api/v1/links/{link}/awards")["awards"][-1]
            assert (award["status"], award["supervisor"], award["cards"]) == ("confirmed", "sam", cards)
        hand.tap("text=END GAME")
        phase(page, "idle")
