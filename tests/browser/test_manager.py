"""The manager on a phone: a claim is told, escalated, and acknowledged on the page."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from feltwork.site.books.connection import connect
from feltwork.site.books.watch.alarms import raise_alarm
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.notifications import notifier
from tests.browser.house import furnished, minor
from tests.browser.test_pit import fits
from tests.browser.visitor import SIGN_IN_TAPS, Tabs, sign_in
from tests.web.house import House
from tests.web.receivers import Webhook, wait_until

_FILE = """
[[recipient]]
name = "Floor phone"
url = "{floor}"
events = ["claim", "alarm"]
escalation = {{ after_minutes = 0.02, to = "Eve" }}

[[recipient]]
name = "Eve"
url = "{eve}"
events = []
"""


@pytest.fixture(scope="module")
def webhook() -> Iterator[Webhook]:
    hook = Webhook()
    yield hook
    hook.close()


@pytest.fixture(scope="module")
def notified(
    server: EmbeddedPostgres, webhook: Webhook, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A sample site that tells its manager."""
    file = tmp_path_factory.mktemp("notifications") / "notifications.toml"
    file.write_text(_FILE.format(floor=webhook.url("floor"), eve=webhook.url("eve")), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notifier, "EVERY_SECONDS", 0.2)
        yield from furnished(server, "browser_manager", notifications=file)


def test_a_claim_is_told_escalated_and_acknowledged_with_one_tap(
    notified: House, chromium: Browser, webhook: Webhook
) -> None:
    with Tabs(chromium, notified) as tabs:
        page, hand = sign_in(tabs.open, "eve", "phone", "/manager")
        expect(page.locator("#live .lead")).to_contain_text("no claims waiting")
        fits(page)
        award = minor(notified)
        wait_until(lambda: webhook.titles("eve", "C2"))
        assert len(webhook.titles("floor", "C2")) == 1
        # The page finds out by itself.
        notice = page.locator("[data-notification]", has_text="Claim at table C2")
        expect(notice).to_contain_text("because Floor phone did not acknowledge it")
        expect(page.locator(f'[data-claim="{award}"]')).to_contain_text("Table C2")
        fits(page)
        # Other tests may have left notifications of their own.
        acknowledge = '[data-notification]:has-text("Claim at table C2") [data-act$="/acknowledge"]'
        hand.tap(acknowledge)
        expect(page.locator(acknowledge)).to_have_count(0)
        assert hand.taps == SIGN_IN_TAPS + 1
        page.locator("summary").tap()
        expect(notice).to_contain_text("Eve, ")
        expect(notice.locator("button")).to_have_count(0)
        fits(page)
        told_all = notified.get("sam", "/api/v1/notifications")["notifications"]
        (notification,) = (notification for notification in told_all if "C2" in notification["title"])
        assert notification["acknowledged_by"] == "eve"
        notified.void("sue", "five-card", award, "the test is over")
        notified.end("five-card", "C2")
        expect(page.locator("[data-claim]")).to_have_count(0)


def test_alarms_stopped_links_and_people_are_on_the_page(notified: House, chromium: Browser) -> None:
    with connect(notified.dsn) as connection:
        details = {"what": "the tray differs", "remedy": "count the tray", "requirement": "LT-09"}
        raise_alarm(connection, "tray difference", "table C3", details, by="test")
    notified.done("sam", "/api/v1/links/sevens/stop", {"cause": "suspended", "reason": "a test"})
    with Tabs(chromium, notified) as tabs:
        page = tabs.open("/manager", person="eve", screen="phone")
        expect(page.locator('[data-alarm="tray difference"]')).to_contain_text("Count the tray.")
        expect(page.locator('[data-stopped="sevens"]')).to_contain_text("suspended since")
        expect(page.locator('[data-place="pit 1"]')).to_contain_text("Dana")
        expect(page.locator("[data-drop]")).to_contain_text("$")
        fits(page)


def test_the_site_can_be_installed_as_a_web_app(notified: House, chromium: Browser) -> None:
    with Tabs(chromium, notified) as tabs:
        page = tabs.open("/manager", person="eve", screen="phone")
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["url"].endswith("/static/manifest.webmanifest")
        answer = notified.nobody.get("/static/manifest.webmanifest")
        assert answer.headers["content-type"].startswith("application/manifest+json")
        app = answer.json()
        assert (app["display"], app["scope"]) == ("standalone", "/")
        for address in (app["start_url"], *(shortcut["url"] for shortcut in app["shortcuts"])):
            assert notified.of("eve").get(address, headers={"Accept": "text/html"}).status_code == 200
        assert Path(app["icons"][0]["src"]).suffix == ".svg"
        assert notified.nobody.get(app["icons"][0]["src"]).status_code == 200
