"""Every page can be used by everybody and fits its screens; help, keys, colors, and the sign-in."""

from itertools import chain

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.house import AQUARIUS, POSTED, minor
from tests.browser.visitor import fits, serious
from tests.web.house import House

_BOTH = ("tablet", "desk")
_TABLE = ("table", "small table")
#: The pages that each person looks at, and the screens they are made for.
PAGES: dict[str, dict[str, tuple[str, ...]]] = {
    "": {
        "/": _BOTH,
        "/sign-in": ("table", *_BOTH),
        "/sign-in/office": _BOTH,
        "/signs": _BOTH,
        "/signs/five-card": ("desk", "wall"),
        f"/signs/{POSTED}": ("desk", "wall"),
        "/rules/WA-24": _BOTH,
    },
    "dana": {
        "/me": ("table", *_BOTH),
        "/dealer": ("tablet",),
        "/dealer/five-card/C2": _TABLE,
        "/dealer/dragon-1/M1": _TABLE,
        f"/dealer/{AQUARIUS}/X1": ("table",),
    },
    "sam": {
        "/pit": (*_BOTH, *_TABLE, "phone"),
        "/meters/five-card": _BOTH,
        "/awards/{award}/win-page": _BOTH,
        "/nowhere": ("tablet",),
    },
    "cara": {"/cage": (*_TABLE, "phone")},
    "eve": {
        "/floor": (*_BOTH, "wall"),
        "/manager": ("phone", *_BOTH),
        "/people": _BOTH,
        "/people/B-sam": _BOTH,
        "/service-accounts": _BOTH,
    },
}
#: Pages of dense figures, read at a desk, and of the workbench and the school, which are for phones as well.
READ = {
    "ann": (
        "/office",
        "/office/proposals",
        "/office/days",
        "/office/charts?group=table",
        "/office/links/five-card?day=ALL",
        "/office/reports/drop_and_hold?day=ALL",
        "/office/reports/funds",
        "/office/reports/reconciliation?day=ALL",
        "/office/reports/daily_lines",
        "/office/reports/adjustments?day=ALL",
        "/office/reports/hits",
        "/office/reports/counters",
        "/office/reports/gaps",
        "/office/reports/audit_log?day=ALL",
        "/access-reviews",
        "/audit",
        "/audit/verdict",
        "/audit/links/five-card",
        "/audit/awards/five-card/{award}",
    ),
    "": (
        "/workbench",
        "/workbench?paytable=crazy_4/super_bonus/C4P-09",
        "/workbench?paytable=blazing_7s/jackpot/ML03&pays.one_7=3 for 1",
        "/workbench/advise?title=blackjack&cards=Ts 6d&sees.dealer=9h",
        "/verdicts",
        "/school",
        "/school/dealer/crazy_4?seed=5",
        "/school/player/crazy_4?seed=5",
    ),
}
#: Pages on which a table may not be wider than the screen.
_WHOLE = ("/office/reports/reconciliation?day=ALL", "/office/charts?group=table", "/office/days")
_WIDER = "() => document.documentElement.scrollWidth - innerWidth"
_DRAWN = "images => Promise.all(images.map(async one => (await one.decode(), one.naturalWidth)))"
_CUT = "[...document.querySelectorAll('.wide')].some(one => one.scrollWidth > one.clientWidth)"


@pytest.fixture
def claim(house: House) -> str:
    return minor(house)


@pytest.mark.parametrize("person", PAGES)
def test_a_page_is_accessible_and_fits(visit: Visit, claim: str, person: str) -> None:
    pages = {
        screen: visit(person=person, screen=screen)
        for screen in {*chain.from_iterable(PAGES[person].values())}
    }
    for path, screens in PAGES[person].items():
        for screen in screens:
            page = pages[screen]
            page.goto(path.format(award=claim))
            page.wait_for_timeout(150)
            # What axe finds is in the page, and seldom in its size.
            fits(page, accessible=screen == screens[0])


@pytest.mark.parametrize("person", READ)
def test_a_page_of_figures_is_accessible_and_fits(visit: Visit, claim: str, person: str) -> None:
    page = visit(person=person, screen="desk")
    for path in READ[person]:
        answer = page.goto(path.format(award=claim))
        assert answer is not None
        assert answer.status == 200, path
        if path.startswith("/workbench") and "advise" not in path:
            expect(page.locator(".charts img").first).to_be_visible(timeout=60_000)
        assert serious(page) == [], path
        assert page.evaluate(_WIDER) <= 0, path
        assert not (path in _WHOLE and page.evaluate(_CUT)), path
        assert all(width > 300 for width in page.locator(".chart img").evaluate_all(_DRAWN)), path
        if not person:
            page.set_viewport_size({"width": 390, "height": 844})
            assert page.evaluate(_WIDER) <= 0, path
            page.set_viewport_size({"width": 1440, "height": 900})


def test_help_and_keys_open_by_touch_and_keyboard_and_give_the_focus_back(visit: Visit) -> None:
    page = visit("/pit", person="sam")
    page.tap("[data-help]")
    expect(page.locator("#help h2")).to_have_text(
        "Claims waiting for a badge, and the status of every table."
    )
    assert serious(page) == []
    page.tap("#help button")
    expect(page.locator("#help")).not_to_be_visible()
    page.locator("[data-help]").focus()
    page.keyboard.press("?")
    keys = page.locator("#help .keys")
    expect(keys.locator("kbd")).to_have_text(["Arrow keys", "Enter", "?", "Esc"])
    expect(keys).to_contain_text("Move through the deck where you choose the winning cards.")
    expect(page.locator("#help button")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#help")).not_to_be_visible()
    expect(page.locator("[data-help]")).to_be_focused()
    typing = visit("/office/reports/audit_log?day=ALL", person="ann", screen="desk")
    typing.locator("input[type=search]").press("?")
    expect(typing.locator("#help")).not_to_be_visible()
    expect(typing.locator("input[type=search]")).to_have_value("?")


def test_light_or_dark_is_chosen_for_a_device(visit: Visit) -> None:
    page = visit("/me", person="sam")
    for theme, paths in (("light", ("/pit", "/", "/floor")), ("dark", ("/workbench", "/verdicts"))):
        page.goto("/me")
        page.select_option("[name=theme]", theme)
        for path in paths:
            page.goto(path)
            assert page.evaluate("getComputedStyle(document.body).colorScheme") == theme
            assert serious(page) == [], path
    page.goto("/me")
    page.select_option("[name=theme]", "light")
    page.goto("/signs/five-card")
    assert page.evaluate("getComputedStyle(document.body).colorScheme") == "dark"


def test_who_is_not_signed_in_is_asked_to_and_comes_back(house: House, visit: Visit) -> None:
    page = visit("/pit")
    assert page.url == f"{house.url}/sign-in?next=/pit"
    for digit in "42":
        page.tap(f'[data-key="{digit}"]')
    expect(page.locator('[data-form="floor"] [name=badge]')).to_have_value("42")
    page.fill('[data-form="floor"] [name=badge]', "B-sam")
    page.tap('[data-form="floor"] [name=pin]')
    for digit in "2580":
        page.tap(f'[data-key="{digit}"]')
    page.wait_for_url(f"{house.url}/pit")
    page.tap("text=Sign out")
    page.wait_for_url(f"{house.url}/sign-in")
    page = visit("/sign-in?next=//evil.example/", screen="desk")
    page.click("text=Office")
    page.fill('[data-form="office"] [name=badge]', "B-ann")
    page.fill('[data-form="office"] [name=password]', "a long walk by the river")
    page.click('[data-form="office"] button')
    page.wait_for_url(f"{house.url}/")
