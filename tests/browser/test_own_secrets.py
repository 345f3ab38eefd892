"""A dealer changes the PIN by touch, a clerk the password by keyboard; both sign in with the new one."""

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.visitor import Hand, Keys, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PASSWORD, PIN, House


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    """A house of its own: PINs change here."""
    yield from serve(server, new_books(server, "browser_secrets"))


def typed(page: Page, form: str, *secrets: str) -> None:
    """Each secret on the keypad; the page goes on to the next field by itself."""
    hand = Hand(page)
    for secret in secrets:
        for digit in secret:
            hand.tap(f'{form} [data-key="{digit}"]')


@pytest.mark.requirement("GL-10")
def test_a_dealer_changes_the_pin_by_touch(house: House, visit: Visit) -> None:
    page = visit("/", person="dana", screen="table")
    page.tap(".who a[href='/me']")
    page.wait_for_url(f"{house.url}/me")
    form = "form[aria-labelledby=change-pin]"
    typed(page, form, PIN, "4444", "4444")
    page.tap(f'{form} [data-key="enter"]')
    expect(page.locator("#refusal")).to_contain_text("PIN is easily guessed")
    page.tap("#refusal button.primary")
    expect(page.locator(f"{form} [name=old]")).to_be_focused()
    typed(page, form, PIN, "8406", "8407")
    assert page.evaluate(f"() => !document.querySelector('{form}').checkValidity()"), "typed twice, not alike"
    page.tap(f'{form} [data-key="clear"]')
    typed(page, form, "8406")
    page.tap(f"{form} button.primary")
    expect(page.locator("#changed")).to_have_text("PIN changed. You are signed out everywhere else.")
    assert serious(page) == []
    for pin, status in ((PIN, 401), ("8406", 200)):
        credentials = {"badge": "B-dana", "pin": pin}
        assert httpx.post(f"{house.url}/api/v1/sign-in", json=credentials, timeout=60).status_code == status


@pytest.mark.requirement("GL-10")
def test_a_clerk_changes_the_password_by_keyboard(house: House, visit: Visit) -> None:
    page = visit("/me", person="ann", screen="desk")
    keys = Keys(page)
    keys.focus("form[aria-labelledby=change-password] [name=old]")
    for secret in (PASSWORD, "another walk by the sea", "another walk by the sea"):
        page.keyboard.type(secret)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#changed")).to_have_text("Password changed. You are signed out everywhere else.")
    credentials = {"badge": "B-ann", "password": "another walk by the sea"}
    assert httpx.post(f"{house.url}/api/v1/sign-in/office", json=credentials, timeout=60).status_code == 200
