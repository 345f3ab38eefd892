"""A win from chips to money in Spanish and in Chinese: dealer screen, pit, cage and sign; and the school."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from feltwork.site.school.exercise import deal
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.rendering import catalog
from tests.browser.conftest import Visit
from tests.browser.house import furnished
from tests.browser.visitor import Hand, serious
from tests.web.house import House

LINK = "five-card"
TABLES = {"es": "H1", "zh": "H2"}
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    yield from furnished(server, "languages", payout_record="required")


@pytest.fixture(params=TABLES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language, in which the expected texts are looked up."""
    catalog.select_language(request.param)
    yield str(request.param)
    catalog.select_language("en")


def reads(page: Page, *messages: str) -> None:
    """The page shows these messages in its language, is accessible, and is not wider than its screen."""
    for message in messages:
        translation = catalog.gettext(message)
        assert translation != message
        expect(page.locator("body")).to_contain_text(translation, ignore_case=True)
    assert page.evaluate("document.documentElement.lang") == catalog.tag()
    assert serious(page) == []
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], page.url


@pytest.mark.parametrize("language", [pytest.param("es", marks=pytest.mark.whole), "zh"], indirect=True)
def test_a_win_from_chips_to_money(house: House, visit: Visit, language: str) -> None:
    table = TABLES[language]
    sign = visit(f"/signs/{LINK}?language={language}", screen="wall")
    reads(sign, "How to play")
    dealer = visit(f"/dealer/{LINK}/{table}?language={language}", person="dana", screen="table")
    reads(dealer, "START GAME")
    hand = Hand(dealer)
    hand.tap("#seat-2")
    hand.tap("#main-key")
    expect(dealer.locator('#live[data-phase="playing"]')).to_be_visible()
    reads(dealer, "END GAME")
    hand.tap('[data-seat="2"] [data-hand="royal_flush"]')
    reads(dealer, "Cancel")
    hand.tap("#badge [data-close]")

    pit = visit(f"/pit?language={language}", person="sam", screen="tablet")
    walking = Hand(pit)
    reads(pit, "Void")
    walking.tap("[data-confirm]")
    walking.cards(" ".join(ROYAL))
    walking.pin()
    walking.tap('#badge [data-badge="B-eve"]')
    walking.pin()
    expect(pit.locator("[data-confirm]")).to_have_count(0)
    expect(sign.locator("#win-flag")).to_have_text(catalog.gettext("Winner"))

    cage = visit(f"/cage?language={language}", person="cara", screen="desk")
    cage.click(f'a.award[id^="{LINK}-{table}:"]')
    reads(cage, "Winning cards", "Tax withheld")
    cage.fill("[name=payee]", "Pat Patron")
    cage.check('[name=documents][value="2"]', force=True)
    cage.check("[name=photo]")
    cage.fill("[name=address]", "1 Main St, Olympia")
    cage.fill("[name=taxpayer]", "900-00-1234")
    cage.click("#record-form button:not([type=button])")
    for left in (3, 2, 1):
        expect(cage.locator(".step button")).to_have_count(left)
        if left == 1:
            cage.fill("[name=note]", "state system")
        cage.locator(".step button").first.click()
    cage.click(".pays button")
    reads(cage, "Print the jackpot slip")
    hand.tap("#main-key")
    expect(dealer.locator('#live[data-phase="idle"]')).to_be_visible()
    house.sound()


def test_the_bank_is_counted_during_play(house: House, visit: Visit, language: str) -> None:
    page = visit(f"/office/links/{LINK}/count?language={language}", person="ann", screen="desk")
    reads(page, "Count the bank", "Cutoff and balance")
    required = page.locator("tr.total td").first.inner_text()
    page.fill("input[name=bank_balance]", required)
    page.get_by_role("button", name=catalog.gettext("Compare")).click()
    expect(page.locator("#difference")).to_have_text("$0.00")
    reads(page, "The bank holds exactly what the books say. The count is recorded; play goes on.")
    house.start(LINK, "H4")
    house.end(LINK, "H4")
    page.get_by_role("button", name=catalog.gettext("Record the count"), exact=True).click()
    page.wait_for_url(f"**/office/links/{LINK}")
    reads(page, "Count the bank", "All days")
    assert house.get("ann", f"/api/v1/links/{LINK}")["takes_wagers"] is True


def test_the_manager_looks_at_the_floor_on_a_phone(visit: Visit, language: str) -> None:
    page = visit(f"/manager?language={language}", person="eve", screen="phone")
    reads(page, "On duty", "Health", "Meters")


def test_a_lesson_in_the_school(visit: Visit, language: str) -> None:
    page = visit(f"/school?language={language}", screen="desk")
    reads(page, "School")
    exercise = deal("crazy_4", 11)
    page.goto("/school/dealer/crazy_4?seed=11")
    first = exercise.questions[0]
    page.click(f'.chip[data-seat="{first.seat}"][data-bet="{first.bet}"]')
    page.fill("input[name=returned]", f"{exercise.result(first).returned / 1_000_000:.2f}")
    page.click("#pay button")
    expect(page.locator("#done")).to_have_text(f"1 / {len(exercise.questions)}")
    reads(page, "The table")


def test_a_person_chooses_and_every_screen_follows(visit: Visit, language: str) -> None:
    page = visit("/me", person="sue", screen="tablet")
    with page.expect_navigation():
        page.select_option("select[name=language]", language)
    reads(page, "Your language")
    page.goto("/pit")
    reads(page, "Sign out")
    page.goto("/me")
    with page.expect_navigation():
        page.select_option("select[name=language]", "")
    assert page.evaluate("document.documentElement.lang") == "en"


def test_the_sign_in_page_offers_every_language(visit: Visit, language: str) -> None:
    page = visit("/sign-in?next=/pit", screen="tablet")
    page.click(f'a[hreflang="{language}"]')
    reads(page, "Sign in", "Badge")
    assert page.locator("#sign-in").get_attribute("data-to") == "/pit"
