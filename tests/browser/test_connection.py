"""A service that does not answer: every screen says so within three seconds."""

import os
import re
import signal
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from feltwork.simulation.stage import light_hash
from feltwork.site.books.connection import connect
from feltwork.site.books.people import staff
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.browser.visitor import Hand, Tabs, serious
from tests.support.books import new_books
from tests.web.house import PEOPLE, PIN, House
from tests.web.test_kills import Nursery

#: One screen of each layout.
SCREENS = (
    ("/", ""),
    ("/sign-in", ""),
    ("/workbench", ""),
    ("/dealer/mortal/M1", "dana"),
    ("/pit", "sam"),
    ("/cage", "cara"),
    ("/office", "ann"),
)
WATCH = """() => {
  globalThis.lostAt = new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!document.querySelector(".wall.stale, .lost:popover-open")) return;
      clearInterval(timer);
      resolve(Date.now());
    }, 20);
  });
}"""
#: The time of the site, whatever the clock of the device.
SITE_TIME = r"since \d+:\d\d:\d\d\s[AP]M P[SD]T"


@pytest.fixture(scope="module")
def mortal(server: EmbeddedPostgres) -> Iterator[tuple[Nursery, House]]:
    """A service that can be killed."""
    dsn = server.dsn(new_books(server, "browser_mortal"), role="writer")
    with connect(dsn) as connection:
        staff.register_people(connection, PEOPLE, pin=PIN, by="setup", hasher=light_hash)
    nursery = Nursery(dsn)
    nursery.bear()
    house = House(f"http://127.0.0.1:{nursery.port}", dsn)
    house.open("mortal")
    yield nursery, house
    house.close()
    nursery.close()


@pytest.mark.requirement("GEN-07")
def test_every_screen_shows_a_lost_service_within_three_seconds(
    mortal: tuple[Nursery, House], chromium: Browser
) -> None:
    nursery, house = mortal
    tabs = Tabs(chromium, house)
    pages = [tabs.open(path, person=person, screen="small table") for path, person in SCREENS]
    dealer = pages[3]
    sign = tabs.open("/signs/mortal", screen="1080p")
    for hangs in (True, False):
        for page in pages:
            expect(page.locator(".lost")).to_be_hidden()
        expect(sign.locator("#state")).to_have_text("")
        for page in (*pages, sign):
            page.evaluate(WATCH)
        since = time.time()
        os.kill(nursery.pid, signal.SIGSTOP if hangs else signal.SIGKILL)
        # Each page notes the time itself: asking them all takes the test a second.
        lost_at = [page.evaluate("lostAt") / 1_000 for page in (*pages, sign)]
        assert max(lost_at) - since < 3
        expect(sign.locator("#state")).to_have_text(re.compile(f"Not updated {SITE_TIME}"))
        for (path, _), page in zip(SCREENS, pages, strict=True):
            expect(page.locator(".lost"), path).to_have_text(re.compile(f"No connection {SITE_TIME}"))
        if hangs:
            os.kill(nursery.pid, signal.SIGCONT)
        else:
            assert serious(dealer) == []
            nursery.bear()
    for page in pages:
        expect(page.locator(".lost")).to_be_hidden()
    # The dealer goes on where the service was lost: a seat, START GAME, END GAME.
    hand = Hand(dealer)
    hand.tap("#seat-2")
    hand.tap("text=START GAME")
    expect(dealer.locator('#live[data-phase="playing"]')).to_be_visible()
    hand.tap("text=END GAME")
    expect(dealer.locator('#live[data-phase="idle"]')).to_be_visible()
    assert hand.taps == 3
    tabs.close()
