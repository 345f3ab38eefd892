"""The manager on a phone: a claim is told, escalated, and acknowledged on the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.notifications import notifier
from tests.browser.house import furnished, minor
from tests.browser.visitor import SIGN_IN_TAPS, Tabs, fits, sign_in
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
        manifest = page.context.new_cdp_session(page).send("Page.getAppManifest")
        assert manifest["errors"] == [], "it can be installed as a web app"
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
