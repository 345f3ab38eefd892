"""The office signs in with password and security key: Chromium's own virtual keys, by keyboard alone."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.conftest import Visit
from tests.browser.visitor import COOKIE, Keys, serious
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import PASSWORD, House

SIGN_IN = "/sign-in/office?next=/people"


@pytest.fixture(scope="module")
def house(server: EmbeddedPostgres) -> Iterator[House]:
    """A house whose office takes security keys; browsers use them on localhost without TLS."""
    books = new_books(server, "browser_keys")
    for house in serve(server, books, security_key="required", origin="http://localhost:{port}"):
        house.url = house.url.replace("127.0.0.1", "localhost")
        yield house


class VirtualKey:
    """A security key that Chromium itself plays, in one page."""

    def __init__(self, page: Page, *, touched: bool = True) -> None:
        self._cdp = page.context.new_cdp_session(page)
        self._cdp.send("WebAuthn.enable")
        kind = {"protocol": "ctap2", "transport": "usb", "automaticPresenceSimulation": touched}
        authenticator = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": kind})
        self._one = {"authenticatorId": authenticator["authenticatorId"]}

    def lay_aside(self) -> dict[str, Any]:
        """What it holds; it is another key after that."""
        held: dict[str, Any]
        (held,) = self._cdp.send("WebAuthn.getCredentials", self._one)["credentials"]
        self._cdp.send("WebAuthn.removeCredential", {**self._one, "credentialId": held["credentialId"]})
        return held

    def take(self, held: dict[str, Any]) -> None:
        """Be the key that holds this."""
        self._cdp.send("WebAuthn.addCredential", {**self._one, "credential": held})


def give(page: Page, person: str, password: str = PASSWORD) -> None:
    """Badge and password, typed."""
    page.wait_for_selector("[name=badge]:focus")
    page.keyboard.type(f"B-{person}")
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")


def register(page: Page, house: House, person: str, name: str = "first") -> None:
    house.grant_key(person, name)
    page.goto(SIGN_IN)
    give(page, person)
    page.wait_for_selector("#key-use:focus")
    page.keyboard.press("Enter")


def says(page: Page, what: str) -> None:
    expect(page.locator("#sign-in-problem")).to_contain_text(what)


def propose(house: House, token: str) -> httpx.Response:
    """A command of the office, from a session."""
    body = {
        "command": "manage_people",
        "act": "give_badge",
        "person": "sam",
        "badge": "B-x",
        "reason": "lost",
    }
    headers = {"Idempotency-Key": house.key(), "Authorization": f"Bearer {token}"}
    return httpx.post(f"{house.url}/api/v1/proposals", json=body, headers=headers, timeout=60)


def token_of(page: Page) -> str:
    return next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == COOKIE)


@pytest.mark.requirement("GL-10")
def test_a_key_is_registered_and_then_opens_the_office_by_keyboard_alone(house: House, visit: Visit) -> None:
    page = visit(SIGN_IN, screen="desk")
    VirtualKey(page)
    assert serious(page) == []
    house.grant_key("eve")
    give(page, "eve")
    page.wait_for_selector("#key-use:focus")
    expect(page.get_by_role("heading", name="New security key")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("Two people approved a key for you.")
    assert serious(page) == []
    assert not page.context.cookies(), "the password alone opens nothing"
    page.keyboard.press("Enter")
    page.wait_for_url(f"{house.url}/people")
    assert propose(house, token_of(page)).status_code == 200
    Keys(page).press("button[data-act='/api/v1/sign-out']")
    page.wait_for_url(f"{house.url}/sign-in")
    Keys(page).press("a[href^='/sign-in/office']")
    give(page, "eve")
    page.wait_for_url(f"{house.url}/")
    assert propose(house, token_of(page)).status_code == 200
    weak = propose(house, house.token("eve"))
    assert (weak.status_code, weak.json()["rule"]) == (403, "security-key"), "a PIN does not open the office"


def test_who_has_no_key_or_uses_it_elsewhere_is_told_so(
    house: House, visit: Visit, chromium: Browser
) -> None:
    page = visit(SIGN_IN)
    give(page, "cara", "not the password")
    says(page, "Badge or password is wrong. Try again, or ask the office to give a new password.")
    page.wait_for_selector("[name=password]:focus")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    says(page, "you have none registered. Ask two managers to authorize a security key for you.")
    assert serious(page) == []
    house.grant_key("bob")
    elsewhere = chromium.new_page(base_url=house.url.replace("localhost", "127.0.0.1"))
    elsewhere.goto(SIGN_IN)
    give(elsewhere, "bob")
    says(elsewhere, f"Security keys work at one address only. Open {house.url} and sign in there.")
    elsewhere.close()


@pytest.mark.requirement("GL-10")
def test_a_key_that_does_not_answer_is_tried_again_and_a_copy_opens_nothing(
    house: House, visit: Visit
) -> None:
    page = visit(screen="desk")
    key = VirtualKey(page)
    register(page, house, "ann")
    page.wait_for_url(f"{house.url}/people")
    page.context.clear_cookies()
    page.goto(SIGN_IN)
    credential = key.lay_aside()
    give(page, "ann")
    says(page, "The key didn't respond. Insert it, press the button, and touch it when it blinks.")
    assert serious(page) == []
    page.wait_for_selector("#key-use:focus")
    key.take(credential)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{house.url}/people")
    page.context.clear_cookies()
    page.goto(SIGN_IN)
    key.take({**key.lay_aside(), "signCount": 0})
    give(page, "ann")
    says(page, "the key may have been copied. Revoke this key, and ask two managers to authorize another.")
    page.wait_for_selector("[name=password]:focus")
    assert not page.context.cookies()


@pytest.mark.requirement("GL-10")
def test_a_second_key_is_another_key(house: House, visit: Visit) -> None:
    page = visit(screen="desk")
    key = VirtualKey(page)
    register(page, house, "ivy")
    page.wait_for_url(f"{house.url}/people")
    register(page, house, "ivy", "second")
    says(page, "This key is already registered. Use another key.")
    key.lay_aside()
    page.wait_for_selector("#key-use:focus")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{house.url}/people")
    assert len(house.get("otto", "/api/v1/people/B-ivy")["keys"]) == 2


def test_who_waits_for_a_key_can_start_again(house: House, visit: Visit) -> None:
    page = visit(screen="desk")
    VirtualKey(page, touched=False)
    register(page, house, "sue")
    expect(page.locator("#key-use")).to_have_attribute("aria-busy", "true")
    Keys(page).press("#key-leave")
    expect(page.locator("[name=password]")).to_be_focused()
    expect(page.locator("#key")).to_be_hidden()
    expect(page.locator("#sign-in-problem")).to_be_hidden()
