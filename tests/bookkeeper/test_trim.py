"""A log that is half full is trimmed: the older half of what is booked goes, and tables notice nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import nats
import pytest
from nats.js import JetStreamContext

from feltwork.site.bookkeeper.stream_monitor import trim
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.wire.streams import FELT, consumer_name
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundMessage, encode
from tests.bookkeeper.house import House, ended, started

MEGABYTE = 1 << 20
#: Messages that are together more than half a megabyte.
_MESSAGES = 190


def padded(number: int) -> tuple[str, bytes]:
    """A round with a field of tomorrow that makes its message long."""
    start = started(number)
    return subject_of(start), msgspec.json.encode(msgspec.to_builtins(start) | {"camera": "x" * 3_000})


def with_log(house: House, do: Callable[[JetStreamContext], Awaitable[Any]]) -> Any:
    """As it is: streams are the bookkeeper's."""

    async def connected() -> Any:
        client = await nats.connect(house.log.url)
        try:
            return await do(client.jetstream(timeout=30))
        finally:
            await client.close()

    return asyncio.run(connected())


def say(house: House, *messages: RoundMessage | tuple[str, bytes]) -> None:
    async def publish(js: JetStreamContext) -> None:
        for message in messages:
            subject, data = message if isinstance(message, tuple) else (subject_of(message), encode(message))
            await js.publish(subject, data, stream=FELT)

    with_log(house, publish)


def held(house: House) -> dict[str, int]:
    """How many messages of each subject the log holds."""
    info = with_log(house, lambda js: js.stream_info(FELT, subjects_filter=">"))
    return dict(info.state.subjects or {})


def has_log(house: House) -> bool:
    try:
        with_log(house, lambda js: js.consumer_info(FELT, consumer_name("L1")))
    except nats.errors.Error:
        return False
    return True


def small_log(house: House) -> bool:
    try:
        info = with_log(house, lambda js: js.stream_info(FELT))
    except nats.errors.Error:
        return False
    return bool(info.config.max_bytes == MEGABYTE)


@pytest.mark.requirement("GL-12", "WA-05")
def test_what_is_booked_goes_and_everything_else_stays(house: House) -> None:
    house.keeper("--log-megabytes", "1")
    house.until(lambda: small_log(house))
    half = _MESSAGES // 2
    say(
        house,
        *map(padded, range(1, half + 1)),
        ended(1, table="T2"),  # its round has not arrived: it is not booked, nor settled
        ("felt.L9.T9.round", b"of a link that the books do not know"),
        ("felt.L9.T9.round", b"one more"),
        *map(padded, range(half + 1, _MESSAGES + 1)),
    )
    house.until(lambda: house.booked() == f"{{[1,{_MESSAGES + 1})}}", 120)
    house.until(lambda: with_log(house, lambda js: js.consumer_info(FELT, "books-L1")).num_ack_pending == 1)
    house.until(lambda: "felt.L9.T9.round" not in held(house), 30)
    waiting = {"felt.L1.T1.round": _MESSAGES - half, "felt.L1.T2.ended": 1}
    assert held(house) == waiting, "what came after a message that waits stays, too"


@pytest.mark.requirement("GL-12", "WA-05")
def test_a_table_goes_on_after_its_log_was_trimmed(house: House) -> None:
    first = house.keeper("--log-megabytes", "1")
    house.until(lambda: small_log(house))
    say(house, *map(padded, range(1, _MESSAGES + 1)))
    last = _MESSAGES
    house.until(lambda: house.booked() == f"{{[1,{last + 1})}}", 120)

    async def play() -> None:
        client = await nats.connect(house.log.url)
        line = TablePublisher(client, link="L1", table="T1")
        newest = await line.newest()
        first.terminate()
        await asyncio.to_thread(first.wait, 60)
        house.keeper("--log-megabytes", "1")  # it trims when it begins, then every five seconds
        await asyncio.to_thread(house.until, lambda: held(house) == {"felt.L1.T1.round": _MESSAGES // 2}, 90)
        # The store still knows the last message and its place: nobody else seems to play this table.
        await line.say(started(last + 1), within=60)
        assert await TablePublisher(client, link="L1", table="T1").newest() != newest
        await client.close()

    asyncio.run(play())
    house.until(lambda: house.booked() == f"{{[1,{last + 2})}}")
    house.check()


def test_a_table_that_floods_the_log_stops_itself_alone(house: House) -> None:
    house.keeper()
    house.until(lambda: has_log(house))

    async def flood(js: JetStreamContext) -> None:
        config = (await js.stream_info(FELT)).config
        assert (config.max_msgs_per_subject, config.discard_new_per_subject) == (13_421, True)
        config.max_msgs_per_subject = 100
        await js.update_stream(config)
        for number in range(1, 101):
            await js.publish("felt.L1.T1.round", encode(started(number)))
        with pytest.raises(nats.js.errors.APIError):
            await js.publish("felt.L1.T1.round", encode(started(101)))
        await js.publish("felt.L1.T2.round", encode(started(1, "T2")))

    with_log(house, flood)
    house.until(lambda: house.booked() == "{[1,101)}" and house.booked("T2") == "{[1,2)}")
    house.until(lambda: with_log(house, trimmed) <= 1)
    say(house, started(101))
    house.until(lambda: house.booked() == "{[1,102)}")


async def trimmed(js: JetStreamContext) -> int:
    await trim(js, ["L1"])
    info = await js.stream_info(FELT, subjects_filter="felt.L1.T1.round")
    return int((info.state.subjects or {}).get("felt.L1.T1.round", 0))
