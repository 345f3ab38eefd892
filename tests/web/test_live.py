"""Live channels and background tasks: what fails is told and tried again, and everything else goes on."""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import httpx
import nats
import pytest
from structlog.testing import capture_logs

from feltwork.site.books.connection import connect
from feltwork.site.books.links import signs
from feltwork.site.books.watch.alarms import Alarm, last_alarms
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.web.settings import Settings
from feltwork.site.web.streaming import live_updates
from feltwork.site.web.streaming.live_updates import LiveUpdates
from feltwork.site.web.streaming.sensor_cache import SensorCache
from feltwork.site.web.streaming.sensor_feed import SensorFeed
from feltwork.site.wire import uplink as wire
from feltwork.site.wire.subjects import subject_of
from tests.web.house import House


def until(true: Callable[[], bool], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"not within {seconds:g} seconds"
        time.sleep(0.05)


def events(stream: httpx.Response) -> Iterator[dict[str, Any]]:
    """What a sign hears, until its stream ends."""
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def amount(event: dict[str, Any]) -> int:
    level: int = event["levels"][0]["amount"]
    return level


def alarms(house: House, kind: str, place: str) -> list[Alarm]:
    with connect(house.dsn) as connection:
        return [alarm for alarm in last_alarms(connection) if (alarm.kind, alarm.place) == (kind, place)]


def ready(house: House) -> tuple[int, list[str], list[str]]:
    answer = house.nobody.get("/readyz")
    body = answer.json()
    return answer.status_code, body["failed_tasks"], body["failed_channels"]


@pytest.mark.requirement("GL-04")
def test_a_channel_that_cannot_be_read_ends_alone_and_recovers(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open("whole")
    house.open("broken")
    read = signs.sign

    def failing(connection: Any, link: str) -> Any:
        if link == "broken":
            raise LookupError("a row of another shape")
        return read(connection, link)

    with (
        house.nobody.stream("GET", "/signs/whole/live") as whole,
        house.nobody.stream("GET", "/signs/broken/live") as broken,
        house.of("dana").stream("GET", "/api/v1/links/broken/live") as screen,
    ):
        whole_events, lost, screen_events = events(whole), events(broken), events(screen)
        before = next(whole_events)
        next(lost)
        entry = next(screen_events)["entry"]
        monkeypatch.setattr(live_updates, "sign", failing)
        list(lost)  # its stream ends, so that browsers ask again
        house.start("whole", "A1")
        assert amount(next(event for event in whole_events if event["entry"] > before["entry"])) > amount(
            before
        )
        house.start("broken", "D1")
        assert next(event for event in screen_events if event["entry"] > entry), (
            "screens of the same link go on"
        )
        place = "signs of link broken"
        assert ready(house) == (200, [], [place])
        until(lambda: bool(alarms(house, "live reader", place)))
        (alarm,) = alarms(house, "live reader", place)
        assert alarm.cleared_at is None
        assert alarm.details == {"what": "LookupError: a row of another shape"}
        with house.nobody.stream("GET", "/signs/broken/live") as again:
            assert again.status_code == 200
            assert list(events(again)) == [], "whoever asks again is closed again"
        monkeypatch.undo()
        with house.nobody.stream("GET", "/signs/broken/live") as again:
            assert next(events(again))["link"] == "broken"
    assert ready(house) == (200, [], [])
    until(lambda: alarms(house, "live reader", place)[0].cleared_at is not None)
    assert alarms(house, "live reader", place)[0].cleared_by == "service"


@pytest.mark.requirement("GL-04")
def test_a_channel_recovers_while_nobody_listens(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.open("alone")

    def failing(connection: Any, link: str) -> Any:
        raise LookupError(link)

    monkeypatch.setattr(live_updates, "sign", failing)
    with house.nobody.stream("GET", "/signs/alone/live") as stream:
        assert list(events(stream)) == []
    assert ready(house) == (200, [], ["signs of link alone"])
    monkeypatch.undo()
    until(lambda: ready(house) == (200, [], []))


@pytest.mark.requirement("GL-04")
def test_a_reader_that_falls_over_is_restarted_and_signs_go_on(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.open("falls")

    def failing(*_: object) -> None:
        raise RuntimeError("a defect of the reader")

    with house.nobody.stream("GET", "/signs/falls/live") as stream:
        sign_events = events(stream)
        before = next(sign_events)
        monkeypatch.setattr(LiveUpdates, "_publish", failing)
        until(lambda: ready(house) == (503, ["live reader"], []))
        assert house.nobody.get("/readyz").json()["status"] == "not ready"
        until(lambda: bool(alarms(house, "service task", "live reader")))
        monkeypatch.undo()
        house.start("falls", "H1")
        assert amount(next(event for event in sign_events if event["entry"] > before["entry"])) > amount(
            before
        )
    until(lambda: ready(house) == (200, [], []))
    until(lambda: alarms(house, "service task", "live reader")[0].cleared_at is not None)


class Fragile(SensorCache):
    """Sensors of which one table's cannot be shown."""

    failed = False

    def see(self, link: str, table: str, covered: Iterable[int]) -> None:
        if table == "T1":
            self.failed = True
            raise RuntimeError("a defect of the screen")
        super().see(link, table, covered)


@pytest.mark.requirement("GL-04")
def test_a_message_that_cannot_be_shown_is_logged_and_the_next_is_heard(tmp_path: Path) -> None:
    log = EmbeddedNats(tmp_path, NatsPlan(sync_always=False)).start()
    sensors = Fragile()

    shown: list[int] | None = None

    async def scenario() -> None:
        nonlocal shown
        async with asyncio.TaskGroup() as tasks, asyncio.timeout(30):
            hearing = tasks.create_task(SensorFeed(Settings(dsn="", nats=log.url), sensors).run())
            client = await nats.connect(log.url)
            # The subscription may begin between two messages, so that the first pair can be half heard.
            while not sensors.failed or sensors.covered("L1", "T2") is None:
                for table in ("T1", "T2"):
                    message = wire.Sensors(link="L1", table=table, at=1, covered=(2,), players=(2,))
                    await client.publish(subject_of(message), wire.encode(message))
                await asyncio.sleep(0.05)
            shown = sensors.covered("L1", "T2")
            closed = wire.Health(link="L1", table="T2", at=2, controller="c", phase="closed", last_round=0)
            await client.publish(subject_of(closed), wire.encode(closed))
            async with asyncio.timeout(5):
                while sensors.covered("L1", "T2") is not None:
                    await asyncio.sleep(0.05)
            await client.close()
            hearing.cancel()

    try:
        with capture_logs() as logged:
            asyncio.run(scenario())
    finally:
        log.remove()
    # The last reading of a controller that shuts down counts no more.
    assert (shown, sensors.covered("L1", "T2")) == ([2], None)
    errors = [(entry["event"], entry["subject"]) for entry in logged if entry["log_level"] == "error"]
    assert errors[0] == ("table message dropped", "felt.L1.T1.sensors")
