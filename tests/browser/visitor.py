"""Visitors: the browser and its screens, a hand that counts its taps, and a keyboard alone."""

from typing import Any

from playwright.sync_api import Page

from feltwork.web.callers import COOKIE
from tests.web.house import PIN

__all__ = ["CHROMIUM", "COOKIE", "SIZES", "Hand", "Keys"]
CHROMIUM: dict[str, Any] = {
    "executable_path": "/usr/bin/chromium",
    "args": [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ],
}
#: The screens that the house has.
SIZES: dict[str, dict[str, Any]] = {
    "table": {"viewport": {"width": 1280, "height": 800}, "has_touch": True},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "wall": {"viewport": {"width": 3840, "height": 2160}},
}


class Hand:
    """A finger on a touch screen, which counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: str) -> None:
        """Tap what a person sees; a covered or dead button does not answer."""
        self.page.tap(what)
        self.taps += 1

    def pin(self, pin: str = PIN) -> None:
        """Each digit on the keypad is a tap."""
        for digit in pin:
            self.tap(f'#badge [data-key="{digit}"]')


class Keys:
    """A keyboard, and no pointer at all."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, what: str) -> None:
        """Go with Tab until it has the focus, then Enter."""
        for _ in range(150):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("what => document.activeElement?.matches(what) ?? false", what):
                self.page.keyboard.press("Enter")
                return
        raise AssertionError(f"the keyboard does not reach {what}")

    def show_badge(self, badge: str, pin: str = PIN) -> None:
        """A reader types the badge and Enter; then the PIN."""
        self.page.wait_for_selector("#badge-read:focus")
        self.page.keyboard.type(badge)
        self.page.keyboard.press("Enter")
        self.page.keyboard.type(pin)
