"""Browser helpers: screen sizes, tabs, touch input with a tap count, and keyboard input."""

from collections.abc import Callable
from shutil import which
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from feltwork.site.web.security.auth import COOKIE
from tests.sizes import NIGHTLY
from tests.web.house import PIN, House

__all__ = [
    "CHROMIUM",
    "COOKIE",
    "SIGN_IN_TAPS",
    "SIZES",
    "TO_PAY",
    "Hand",
    "Keys",
    "Tabs",
    "fits",
    "phase",
    "serious",
    "sign_in",
]
CHROMIUM: dict[str, Any] = {
    # It draws no window around the page, which takes a third of the time.
    "executable_path": which("chromium-headless-shell") or "/usr/bin/chromium",
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ],
}
#: A badge by reader, then one tap for each digit.
SIGN_IN_TAPS = len(PIN)
#: An award to pay, in the pit.
TO_PAY = '[aria-label="To pay"] .owe'
#: The screen sizes of a site.
SIZES: dict[str, dict[str, Any]] = {
    "table": {"viewport": {"width": 1280, "height": 800}, "has_touch": True},
    "small table": {"viewport": {"width": 1024, "height": 600}, "has_touch": True},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "wall": {"viewport": {"width": 3840, "height": 2160}},
    "1080p": {"viewport": {"width": 1920, "height": 1080}},
    "16:10": {"viewport": {"width": 1920, "height": 1200}},
    "portrait": {"viewport": {"width": 1080, "height": 1920}},
}


def serious(page: Page) -> list[str]:
    """Serious accessibility violations found by axe."""
    violations = Axe().run(page).response["violations"]
    grave = [violation for violation in violations if violation["impact"] in ("serious", "critical")]
    return [f"{violation['id']}: {node['html']}" for violation in grave for node in violation["nodes"]]


_OVERLAPS = """() => {
  const all = [...document.querySelectorAll('main :is(button, a, input:not([type=radio]))')];
  const seen = all.filter(one => one.checkVisibility());
  const boxes = seen.map(one => [one, one.getBoundingClientRect()]);
  const out = [];
  for (const [one, a] of boxes) for (const [other, b] of boxes) {
    if (one === other || one.contains(other) || other.contains(one)) continue;
    if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      out.push([one, other].map(each => each.textContent.trim() || each.outerHTML.slice(0, 99)).join(" > "));
  }
  return out;
}"""
_SMALL = """() => [...document
  .querySelectorAll('button, a.button, a.tile, a.door, a.award, .choices label, select')]
  .filter(one => one.checkVisibility())
  .filter(one => { const box = one.getBoundingClientRect(); return box.width < 44 || box.height < 44; })
  .map(one => one.outerHTML.slice(0, 120))"""


def fits(page: Page, *, accessible: bool = True, apart: bool = True) -> None:
    """Everything is within the width of the screen, apart, large enough to tap, and accessible."""
    wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    found = {
        "overlaps": page.evaluate(_OVERLAPS) if apart else [],
        "small": page.evaluate(_SMALL),
        "too wide": [wide] if wide > 0 else [],
        "not accessible": serious(page) if accessible or NIGHTLY else [],
    }
    assert not any(found.values()), f"{page.url}: {found}"


def phase(page: Page, name: str) -> None:
    """The dealer's screen is in this phase of the round."""
    expect(page.locator(f'#live[data-phase="{name}"]')).to_be_visible()


class Tabs:
    """Opens pages and collects forbidden requests and errors in ``wrong``."""

    def __init__(self, chromium: Browser, house: House) -> None:
        self._chromium = chromium
        self._house = house
        self._contexts: list[BrowserContext] = []
        self.wrong: list[str] = []

    def open(self, path: str = "", *, person: str = "", screen: str = "tablet") -> Page:
        """Open a page on a screen size, optionally signed in."""
        url = self._house.url
        context = self._chromium.new_context(base_url=url, **SIZES[screen])
        self._contexts.append(context)
        if person:
            token = self._house.of(person).headers["Authorization"].removeprefix("Bearer ")
            context.add_cookies([{"name": COOKIE, "value": token, "url": url}])
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("request", lambda sent: self._saw(sent.url, not sent.url.startswith((url, "data:"))))
        page.on("pageerror", lambda error: self._saw(str(error)))
        page.on("console", lambda message: self._saw(message.text, "Content Security Policy" in message.text))
        if path:
            page.goto(path)
        return page

    def close(self) -> None:
        for context in self._contexts:
            context.close()

    def __enter__(self) -> "Tabs":
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        """Close the pages; nothing may have gone wrong in them."""
        self.close()
        assert failure or self.wrong == []

    def _saw(self, what: str, is_wrong: bool = True) -> None:
        if is_wrong:
            self.wrong.append(what)


def wait_for_scripts(page: Page, what: str) -> None:
    """Wait for an element on a page whose scripts have run: before that, a press reaches nobody."""
    page.wait_for_selector(what, state="attached")
    page.wait_for_load_state()


class Hand:
    """Touch input that counts its taps."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: str) -> None:
        """Tap a visible, enabled element."""
        wait_for_scripts(self.page, what)
        self.page.tap(what)
        self.taps += 1

    def pin(self, pin: str = PIN) -> None:
        """Enter the PIN on the keypad, one tap per digit."""
        for digit in pin:
            self.tap(f'#badge [data-key="{digit}"]')

    def cards(self, cards: str) -> None:
        """Enter the winning cards that a confirmation asks for."""
        for card in cards.split():
            self.tap(f'#badge [data-card="{card}"]')
        self.tap('#badge [data-step="cards"] button.primary')


class Keys:
    """Keyboard input without a pointer."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def focus(self, what: str) -> None:
        """Press Tab until an element has the focus."""
        wait_for_scripts(self.page, what)
        for _ in range(150):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("what => document.activeElement?.matches(what) ?? false", what):
                return
        raise AssertionError(f"the keyboard does not reach {what}")

    def press(self, what: str) -> None:
        """Focus an element with Tab, then press Enter."""
        self.focus(what)
        self.page.keyboard.press("Enter")

    def show_badge(self, badge: str, pin: str = PIN) -> None:
        """Enter a badge like a reader, then the PIN."""
        self.page.wait_for_selector("#badge-read:focus")
        self.page.keyboard.type(badge)
        self.page.keyboard.press("Enter")
        self.page.keyboard.type(pin)

    def sign_in(self, badge: str, pin: str = PIN) -> None:
        """Sign in by keyboard."""
        self.page.wait_for_selector("[name=badge]:focus")
        self.page.keyboard.type(badge)
        self.page.keyboard.press("Enter")
        self.page.keyboard.type(pin)
        self.page.wait_for_selector("#live")


def sign_in(visit: Callable[..., Page], person: str, screen: str, path: str = "/pit") -> tuple[Page, Hand]:
    """Sign in at a screen: the badge by reader, the PIN by touch; what follows adds to the taps."""
    page = visit(f"/sign-in?next={path}", screen=screen)
    page.wait_for_selector("[name=badge]:focus")
    page.keyboard.type(f"B-{person}")
    page.keyboard.press("Enter")
    hand = Hand(page)
    for digit in PIN:
        hand.tap(f'[data-keypad] [data-key="{digit}"]')
    page.wait_for_selector("#live")
    return page, hand
