"""The lock of an idle screen, as a person at the screen sees it."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.visitor import COOKIE, serious
from tests.web.house import PIN, House

_ASK = "fetch('/api/v1/me', {headers: {Accept: 'application/json'}}).then((answer) => answer.status)"


def own_session(house: House, visit: Callable[..., Page], person: str) -> Page:
    """A page with a session of its own: a lock must not reach the session that other tests share."""
    page = visit(screen="desk")
    page.context.add_cookies([{"name": COOKIE, "value": house.token(person), "url": house.url}])
    return page


def test_an_idle_page_is_locked_and_goes_on_where_it_was(house: House, visit: Callable[..., Page]) -> None:
    page = own_session(house, visit, "sam")
    page.clock.install()
    page.goto("/me")
    page.locator("input[name=old]").first.fill("1357")
    lock = page.locator("#lock")
    expect(lock).to_be_hidden()
    page.clock.fast_forward("15:02")
    expect(lock).to_be_visible()
    page.keyboard.press("Escape")
    expect(lock).to_be_visible()
    assert serious(page) == []
    page.wait_for_function(f"{_ASK}.then((status) => status === 401)")
    expect(lock).to_contain_text("Enter the PIN of Sam to continue")
    lock.locator("input[name=pin]").fill("0852")
    lock.locator("[data-key=enter]").click()
    expect(page.locator("#lock-problem")).to_contain_text("PIN is wrong")
    for digit in PIN:
        lock.locator(f"[data-key='{digit}']").click()
    lock.locator("[data-key=enter]").click()
    expect(lock).to_be_hidden()
    expect(page.locator("input[name=old]").first).to_have_value("1357")
    assert page.evaluate(_ASK) == 200


def test_whoever_uses_a_screen_is_not_locked_out(house: House, visit: Callable[..., Page]) -> None:
    page = own_session(house, visit, "sue")
    page.clock.install()
    page.goto("/me")
    for step in range(4):
        with page.expect_response("**/active"):
            page.mouse.move(100 + step, 100)
            page.clock.fast_forward("05:00")
    expect(page.locator("#lock")).to_be_hidden()
    page.clock.fast_forward("15:02")
    expect(page.locator("#lock")).to_be_visible()
    dealer = visit("/me", person="dana", screen="table")
    assert dealer.locator("#lock").get_attribute("data-idle-seconds") == "1800"
