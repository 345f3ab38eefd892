"""A win from chips to money in another language: dealer screen, pit, cage and sign; and who chooses it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from feltwork.site.web.rendering import catalog
from tests.browser.conftest import Visit
from tests.browser.visitor import Hand, serious
from tests.web.house import House

LINK = "five-card"
TABLES = {"es": "H1", "zh": "H2"}
ROYAL = ("As", "Ks", "Qs", "Js", "Ts")


@pytest.fixture
def house(strict: House) -> House:
    """A win needs its payout record here."""
    return strict


@pytest.fixture(params=[pytest.param("es", marks=pytest.mark.whole), "zh"])
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


@pytest.mark.whole
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


def test_a_person_chooses_and_every_screen_follows(visit: Visit, language: str) -> None:
    door = visit("/sign-in?next=/pit", screen="tablet")
    door.click(f'a[hreflang="{language}"]')
    reads(door, "Sign in", "Badge")
    assert door.locator("#sign-in").get_attribute("data-to") == "/pit"
    page = visit("/me", person="eve", screen="phone")
    with page.expect_navigation():
        page.select_option("select[name=language]", language)
    reads(page, "Your language")
    for path, messages in {
        "/manager": ("On duty", "Health", "Meters"),
        "/pit": ("Sign out",),
        "/school": ("School",),
        "/school/dealer/crazy_4?seed=11": ("The table",),
    }.items():
        page.goto(path)
        reads(page, *messages)
    page.goto("/me")
    with page.expect_navigation():
        page.select_option("select[name=language]", "")
    assert page.evaluate("document.documentElement.lang") == "en"
