"""The tasks of a bookkeeper: an error that nobody expected in one link leaves the others alone."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from feltwork.site.bookkeeper.process import ALARM, Bookkeeper, BookkeeperSettings
from feltwork.site.bookkeeper.pull_consumer import PullConsumer
from feltwork.site.books.links import lifecycle
from feltwork.site.books.tables.deliveries import LinkDeliveries
from feltwork.site.books.watch.alarms import Alarm, last_alarms
from tests.bookkeeper.house import OTHERS, House, a_link, say, started, writer
from tests.floor_text import TABLES
from tests.progressive.room import asked


@contextmanager
def keeping(house: House) -> Iterator[None]:
    """A bookkeeper in a thread of this process, so that a test can break a part of it."""
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    keeper = Bookkeeper(BookkeeperSettings(dsn=house.dsn, url=house.log.url, name="keeper"))
    thread = threading.Thread(target=lambda: loop.run_until_complete(keeper.run(stop)))
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(30)
        loop.close()


def alarms(house: House) -> list[Alarm]:
    with writer(house) as connection:
        return [alarm for alarm in last_alarms(connection) if alarm.kind == ALARM]


@pytest.mark.requirement("GL-04")
@pytest.mark.parametrize("part", ["booking", "asking again"])
def test_a_link_that_fails_is_restarted_and_the_others_are_kept(
    house: House, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    with writer(house) as connection:
        lifecycle.register_link(connection, a_link("L2"), by="ann")
        lifecycle.open_link(connection, "L2", asked())
    house.lay({"L1": TABLES, "L2": OTHERS})
    watch, apply = PullConsumer._watch, LinkDeliveries.apply

    def failing_apply(
        link: LinkDeliveries, connection: Any, deliveries: Sequence[Any], after: Any, batch: Any
    ) -> Any:
        if link.link == "L2":
            raise LookupError("a defect of the books")
        return apply(link, connection, deliveries, after, batch)

    async def failing_watch(pull: PullConsumer) -> None:
        if "L2" in pull._ask_subject:
            raise LookupError("a defect of the books")
        await watch(pull)

    if part == "booking":
        monkeypatch.setattr(LinkDeliveries, "apply", failing_apply)
    else:
        monkeypatch.setattr(PullConsumer, "_watch", failing_watch)
    with keeping(house):
        say(house, [started(1), started(1, "U1", link="L2")])
        house.until(lambda: house.booked() == "{[1,2)}")
        house.until(lambda: alarms(house))
        (alarm,) = alarms(house)
        assert (alarm.place, alarm.cleared_at) == ("keeper, link L2", None)
        assert alarm.details["what"] == "LookupError: a defect of the books"
        say(house, [started(2)])
        house.until(lambda: house.booked() == "{[1,3)}")
        assert house.booked("U1") == "{}"
        monkeypatch.undo()
        house.until(lambda: house.booked("U1") == "{[1,2)}")
        house.until(lambda: alarms(house)[0].cleared_at)
    house.check()
