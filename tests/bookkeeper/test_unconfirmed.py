"""A batch whose commit no standby has confirmed is not acknowledged, and no sign hears of it."""

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import nats
import pytest
from nats.aio.msg import Msg
from nats.js.errors import NotFoundError

from feltwork.site.servers.postgres import EmbeddedPostgres
from feltwork.site.servers.replicas import Replicas
from feltwork.site.wire.downlink import MeterSnapshot, decode_downlink
from feltwork.site.wire.streams import FELT, consumer_name
from feltwork.site.wire.subjects import meters_of
from tests.bookkeeper.house import House, claim, ended, say, started, with_log
from tests.support.standby import standby_away

#: Longer than the log waits before it delivers a message again, to any bookkeeper.
_AGAIN_SECONDS = 7.0


@contextmanager
def shown_entries(house: House) -> Iterator[list[int]]:
    """The entries whose meters a sign has heard of."""
    entries: list[int] = []
    over = threading.Event()

    async def hear(message: Msg) -> None:
        snapshot = decode_downlink(message.data)
        assert isinstance(snapshot, MeterSnapshot)
        entries.append(snapshot.entry)

    async def listen() -> None:
        client = await nats.connect(house.log.url)
        await client.subscribe(meters_of("L1"), cb=hear)
        while not over.is_set():
            await asyncio.sleep(0.05)
        await client.close()

    sign = threading.Thread(target=asyncio.run, args=(listen(),))
    sign.start()
    try:
        yield entries
    finally:
        over.set()
        sign.join()


def unanswered(house: House) -> int:
    try:
        consumer = with_log(house, lambda js: js.consumer_info(FELT, consumer_name("L1")))
    except NotFoundError:
        return 1  # the bookkeeper replaces it, to read again what no standby has
    return int(consumer.num_pending + consumer.num_ack_pending)


def last_entry(house: House) -> int:
    return int(house.ask("SELECT max(number) FROM books.entry WHERE link = 'L1'"))


@pytest.mark.requirement("GEN-09", "GL-03")
@pytest.mark.timeout(300)
def test_a_round_is_acknowledged_and_shown_once_a_standby_has_it(house_alone: House) -> None:
    house = house_alone
    replicas = Replicas({"n1": house.postgres, "n2": EmbeddedPostgres(house.folder / "n2")})
    try:
        for _ in range(2):
            house.keeper()
        with shown_entries(house) as entries:
            say(house, [started(1)])
            house.until(lambda: house.wagers() == 3 and not unanswered(house))
            before = last_entry(house)
            house.until(lambda: before in entries)
            with standby_away(replicas):
                say(house, [started(2), claim(2), started(3), ended(3)])
                house.until(lambda: house.wagers() == 6)
                after = last_entry(house)
                time.sleep(_AGAIN_SECONDS)
                assert after > before, "it is booked here"
                assert (unanswered(house), max(entries)) == (4, before)
            house.until(lambda: not unanswered(house))
            house.until(lambda: max(entries) >= after)
        assert house.wagers() == 9
        assert house.ask("SELECT count(*) FROM books.award") == 1
        assert house.booked() == "{[1,4)}"
        house.check()
    finally:
        replicas.servers["n2"].remove()
