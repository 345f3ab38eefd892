"""Notifications: who is told of what and when, exactly once, until somebody acknowledges it."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.money import DOLLAR
from feltwork.problem import ProblemsError
from feltwork.site.books.connection import connect
from feltwork.site.books.watch import notifications
from feltwork.site.books.watch.alarms import raise_alarm
from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.web.notifications import notifier
from feltwork.site.web.notifications.recipients import QuietHours, Recipient, read_recipients
from tests.support.books import new_books
from tests.web.conftest import serve
from tests.web.house import House
from tests.web.receivers import Mailbox, Webhook, wait_until

_ALL = '["claim", "hit", "alarm", "stopped_link"]'
_ZONE = ZoneInfo("America/Los_Angeles")
Start = Callable[..., House]


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    hook = Webhook()
    yield hook
    hook.close()


@pytest.fixture
def mailbox() -> Iterator[Mailbox]:
    box = Mailbox()
    yield box
    box.close()


@pytest.fixture
def start(
    server: EmbeddedPostgres,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Iterator[Start]:
    """Start a service with some recipients on new books, or again on the same ones."""
    monkeypatch.setattr(notifier, "EVERY_SECONDS", 0.1)
    monkeypatch.setattr(notifier, "FIRST_RETRY_SECONDS", 0.3)
    name = new_books(server, f"notified_{request.node.name[-40:]}")
    running: list[Iterator[House]] = []

    def begin(text: str, *, again: bool = False) -> House:
        file = tmp_path / "notifications.toml"
        file.write_text(text, encoding="utf-8")
        while running:
            next(running.pop(), None)
        people = {"everybody": ()} if again else {}
        running.append(serve(server, name, notifications=file, **people))
        return next(running[-1])

    yield begin
    while running:
        next(running.pop(), None)


def recipient(name: str, url: str, events: str = _ALL, *more: str) -> str:
    lines = ["[[recipient]]", f'name = "{name}"', f'url = "{url}"', f"events = {events}", *more]
    return "\n".join(lines) + "\n"


def told(house: House, about: str) -> dict[str, Any]:
    """The notification whose title has this text."""
    messages = house.get("eve", "/api/v1/notifications")["notifications"]
    return next((message for message in messages if about in message["title"]), {})


def claim(house: House, link: str = "alpha", table: str = "T9") -> str:
    house.start(link, table)
    return house.claim(link, table)


def test_every_event_is_told_by_mail_and_webhook_and_recorded(
    start: Start, mailbox: Mailbox, webhook: Webhook
) -> None:
    hook = recipient("Emil", webhook.url("emil"), _ALL, 'threshold = "10000.00"')
    small = recipient("Sam", webhook.url("sam"), '["hit"]', 'threshold = "10001.00"')
    house = start(recipient("Eve", mailbox.url) + hook + small)
    link = house.open("alpha")
    award = claim(house)
    with connect(house.dsn) as connection:
        details = {"what": "the tray differs", "remedy": "count the tray"}
        raise_alarm(connection, "tray difference", "table T9", details, by="test")
    wait_until(lambda: len(webhook.titles("emil")) == 2 and len(mailbox.mails) == 2)
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a test"})
    wait_until(lambda: len(webhook.titles("emil")) == 4 and len(mailbox.mails) == 4)
    # The claim of a dollar for each of three seats has added 72 cents to the seed.
    assert set(webhook.titles("emil")) == {
        "Claim at table T9: $10,000.72",
        "Alarm: Tray difference, table T9",
        "Hit at table T9: $10,000.72",
        "Link alpha is not accepting wagers",
    }
    assert {subject for _, subject, _ in mailbox.mails} == set(webhook.titles("emil"))
    assert {to for to, _, _ in mailbox.mails} == {"eve@site.example"}
    texts = {subject: text for _, subject, text in mailbox.mails}
    assert "Four Aces at seat 1" in texts["Claim at table T9: $10,000.72"]
    assert "/manager" in texts["Claim at table T9: $10,000.72"]
    assert "The tray differs. Count the tray." in texts["Alarm: Tray difference, table T9"]
    assert "suspended since" in texts["Link alpha is not accepting wagers"]
    assert webhook.titles("sam") == [], "it is below the threshold"
    recorded = told(house, "Hit at")
    assert [delivery["recipient"] for delivery in recorded["deliveries"]] == ["Eve", "Emil"]
    assert all(delivery["sent_at"] and delivery["tries"] == 1 for delivery in recorded["deliveries"])


def test_quiet_hours_hold_messages_and_some_break_through(start: Start, webhook: Webhook) -> None:
    now = datetime.now(tz=_ZONE)
    begin, end = ((now + timedelta(hours=hours)).strftime("%H:%M") for hours in (-2, 2))
    quiet = f'quiet_hours = {{ from = "{begin}", to = "{end}", except = ["stopped_link"] }}'
    text = recipient("Eve", webhook.url("eve"), _ALL, quiet) + recipient("Emil", webhook.url("emil"))
    house = start(text)
    link = house.open("alpha")
    claim(house)
    wait_until(lambda: webhook.titles("emil", "Claim"))
    house.done("sam", f"/api/v1/links/{link}/stop", {"cause": "suspended", "reason": "a test"})
    wait_until(lambda: webhook.titles("eve", "is not accepting wagers"))
    assert webhook.titles("eve", "Claim") == []
    # The hours are over: what is still open is sent.
    start(text.replace(quiet, ""), again=True)
    wait_until(lambda: webhook.titles("eve", "Claim"))


def test_what_is_over_when_quiet_hours_end_is_not_sent(start: Start, webhook: Webhook) -> None:
    quiet = 'quiet_hours = { from = "00:00", to = "23:59:59" }'
    text = recipient("Eve", webhook.url("eve"), _ALL, quiet)
    house = start(text)
    house.open("alpha")
    award = claim(house)
    wait_until(lambda: told(house, "Claim"))
    house.void("sue", "alpha", award, "wrong hand")
    house.done("sam", "/api/v1/links/alpha/stop", {"cause": "suspended", "reason": "a test"})
    start(text.replace(quiet, ""), again=True)
    wait_until(lambda: webhook.titles("eve", "is not accepting wagers"))
    assert webhook.titles("eve", "Claim") == []


def test_nobody_answers_and_the_next_is_told_until_somebody_acknowledges(
    start: Start, webhook: Webhook
) -> None:
    def escalates(minutes: float, to: str) -> str:
        return f'escalation = {{ after_minutes = {minutes}, to = "{to}" }}'

    house = start(
        recipient("Sam", webhook.url("sam"), '["claim"]', escalates(0.01, "Eve"))
        + recipient("Eve", webhook.url("eve"), "[]", escalates(0.05, "Emil"))
        + recipient("Emil", webhook.url("emil"), "[]")
    )
    house.open("alpha")
    claim(house)
    wait_until(lambda: webhook.titles("eve", "T9"))
    number = told(house, "T9")["number"]
    answer = house.done("eve", f"/api/v1/notifications/{number}/acknowledge")
    assert answer["acknowledged_by"] == "eve"
    time.sleep(4.5)
    assert (len(webhook.titles("sam")), len(webhook.titles("eve")), webhook.titles("emil")) == (1, 1, [])
    # The first who acknowledges counts.
    assert house.done("sam", f"/api/v1/notifications/{number}/acknowledge")["acknowledged_by"] == "eve"
    claim(house, table="T8")
    wait_until(lambda: webhook.titles("emil", "T8"))
    deliveries = told(house, "T8")["deliveries"]
    assert [(delivery["recipient"], delivery["escalated_from"]) for delivery in deliveries] == [
        ("Sam", ""),
        ("Eve", "Sam"),
        ("Emil", "Eve"),
    ]


def test_a_restart_sends_nothing_twice(start: Start, webhook: Webhook) -> None:
    text = recipient("Eve", webhook.url("eve"))
    house = start(text)
    house.open("alpha")
    claim(house)
    wait_until(lambda: webhook.titles("eve", "T9"))
    wait_until(lambda: told(house, "T9")["deliveries"][0]["sent_at"])
    house = start(text, again=True)
    claim(house, table="T8")
    wait_until(lambda: webhook.titles("eve", "T8"))
    time.sleep(0.5)
    assert (len(webhook.titles("eve", "T9")), len(webhook.titles("eve", "T8"))) == (1, 1)


def test_one_service_sends_a_message_and_another_takes_over_from_a_dead_one(
    start: Start, webhook: Webhook
) -> None:
    # Nobody is told in these hours, so that this test is the only one that sends.
    quiet = 'quiet_hours = { from = "00:00", to = "23:59:59" }'
    house = start(recipient("Eve", webhook.url("eve"), _ALL, quiet))
    house.open("alpha")
    claim(house)
    wait_until(lambda: told(house, "T9"))
    with connect(house.dsn) as first, connect(house.dsn) as second:
        (delivery,) = notifications.waiting_deliveries(first)
        assert notifications.begin_try(first, delivery, seconds=1.0) == 1
        assert notifications.begin_try(second, delivery, seconds=1.0) == 0
        assert not notifications.waiting_deliveries(second)[0].is_due
        time.sleep(1.1)
        assert notifications.begin_try(second, delivery, seconds=1.0) == 2, "the first one was killed"
        notifications.end_try(second, delivery, problem="", seconds=0)
        assert notifications.begin_try(first, delivery, seconds=1.0) == 0


def test_a_failed_message_is_tried_again_and_shown(start: Start, webhook: Webhook) -> None:
    webhook.refuses = 2
    house = start(recipient("Eve", webhook.url("eve")) + recipient("Emil", "json://127.0.0.1:9/x"))
    house.open("alpha")
    claim(house)
    wait_until(lambda: webhook.titles("eve"))
    wait_until(lambda: told(house, "T9")["deliveries"][0]["sent_at"])
    eve, emil = told(house, "T9")["deliveries"]
    assert (eve["tries"], eve["problem"], len(webhook.titles("eve"))) == (3, "", 1)
    wait_until(lambda: told(house, "T9")["deliveries"][1]["problem"])
    page = house.of("eve").get("/manager", headers={"Accept": "text/html"}).text
    assert "not sent" in page
    assert "Connection error" in page
    assert emil["sent_at"] is None


def test_a_notifier_that_fails_is_named_by_the_readiness_probe(
    start: Start, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("it is broken")

    house = start(recipient("Eve", webhook.url("eve")))
    monkeypatch.setattr(notifier, "current_messages", fail)
    wait_until(lambda: house.nobody.get("/readyz").json()["failed_tasks"] == ["notifier"])
    assert house.get("eve", "/manager.json")["failed_tasks"] == ["notifier"]
    monkeypatch.undo()
    wait_until(lambda: house.nobody.get("/readyz").status_code == 200)


def test_the_overview_has_the_figures_of_the_day(start: Start, webhook: Webhook) -> None:
    house = start(recipient("Eve", webhook.url("eve")))
    link = house.open("alpha")
    award = claim(house)
    assert house.confirm(link, award, "sam", "eve").status_code == 200
    house.end(link, "T9")
    claim(house, table="T8")
    overview = house.get("eve", "/manager.json")
    assert overview["drop"] == 6 * DOLLAR
    assert [hit["hit"]["amount"] for hit in overview["hits"]] == [10_000_720_000]
    assert [row["table"] for row in overview["claims"]] == ["T8"]
    assert overview["links"][0]["levels"][0]["amount"] == house.meter(link)
    assert {(entry["place"], entry["person"]) for entry in overview["on_duty"]} >= {
        ("pit 1", "eve"),
        ("pit 1", "dana"),
    }
    assert house.get("sam", "/manager.json")["drop"] is None, "a supervisor does not read the books"
    assert house.of("cara").get("/manager").status_code == 403
    # Who has signed out is not on duty.
    token = house.token("ivy")
    assert any(entry["person"] == "ivy" for entry in house.get("eve", "/manager.json")["on_duty"])
    house.nobody.post("/api/v1/sign-out", headers={"Authorization": f"Bearer {token}"})
    assert not any(entry["person"] == "ivy" for entry in house.get("eve", "/manager.json")["on_duty"])


def test_quiet_hours_may_go_over_midnight() -> None:
    night = QuietHours(
        begin=datetime(2026, 1, 1, 22).time(), end=datetime(2026, 1, 1, 6).time(), but=("alarm",)
    )
    for hour, is_quiet in (
        (21, False),
        (22, True),
        (23, True),
        (0, True),
        (5, True),
        (6, False),
        (12, False),
    ):
        assert night.hold("claim", datetime(2026, 1, 1, hour)) is is_quiet, hour
        assert not night.hold("alarm", datetime(2026, 1, 1, hour))


def test_only_hits_have_a_threshold() -> None:
    eve = Recipient(name="Eve", url="", events=("hit", "claim"), threshold=5_000 * DOLLAR)
    assert eve.hears("hit", 5_000 * DOLLAR)
    assert not eve.hears("hit", 5_000 * DOLLAR - 1)
    assert eve.hears("claim", 1)
    assert not eve.hears("alarm", 0)


WRONG = {
    "": "the file has no recipients",
    '[[recipient]]\nname = "Eve"\nurl = "nonsense"\nevents = []': "Apprise does not recognize this URL",
    '[[recipient]]\nname = "Eve"\nurl = "json://localhost"': "events is missing",
    recipient("Eve", "json://localhost", '["party"]'): "'party' is not an event",
    recipient("Eve", "json://localhost", "[]", 'threshold = "much"'): "threshold",
    recipient("Eve", "json://localhost", "[]", "colour = 1"): "'colour' is not a known key here",
    recipient("Eve", "json://localhost", "[]", 'quiet_hours = { from = "late", to = "06:00" }'): "late",
    recipient("Eve", "json://localhost", "[]", 'quiet_hours = { from = "22:00" }'): "to is missing",
    recipient("Eve", "json://localhost", "[]", 'escalation = { to = "Eve" }'): "after_minutes is missing",
    recipient("Eve", "json://localhost", "[]", 'escalation = { after_minutes = 0, to = "Eve" }'): (
        "0 minutes is out of range"
    ),
    recipient("Eve", "json://localhost", "[]", 'escalation = { after_minutes = 5, to = "Bo" }'): (
        "'Bo' is not a recipient"
    ),
    2 * recipient("Eve", "json://localhost", "[]"): "is used twice",
}


@pytest.mark.parametrize("text", WRONG, ids=WRONG.values())
def test_a_wrong_file_is_refused_with_its_place(tmp_path: Path, text: str) -> None:
    file = tmp_path / "notifications.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError) as refused:
        read_recipients(file)
    problems = refused.value.problems
    assert any(WRONG[text] in problem.what for problem in problems), problems
    assert all(problem.where.startswith("notifications.toml:") and problem.remedy for problem in problems)


def test_a_test_message_is_sent_to_everybody(tmp_path: Path, webhook: Webhook, mailbox: Mailbox) -> None:
    file = tmp_path / "notifications.toml"
    text = recipient("Eve", webhook.url("eve")) + recipient("Sam", mailbox.url, "[]")
    file.write_text(text, encoding="utf-8")
    run = CliRunner()
    sent = run.invoke(application("doctor"), ["doctor", "--notifications", str(file)])
    assert (sent.exit_code, sent.output) == (0, "Eve: sent\nSam: sent\n")
    assert webhook.titles("eve") == ["Feltwork: test message"]
    assert [subject for _, subject, _ in mailbox.mails] == ["Feltwork: test message"]
    file.write_text(text + recipient("Emil", "json://127.0.0.1:9/x"), encoding="utf-8")
    failed = run.invoke(application("doctor"), ["doctor", "--notifications", str(file)])
    assert failed.exit_code == 1
    assert "Emil: A Connection error" in failed.output
