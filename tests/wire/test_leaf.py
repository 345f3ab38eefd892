"""A table with a server of its own below its site: cut and healed, with TLS and keys on every hop."""

import asyncio
import time
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import ServiceUnavailableError

from feltwork.servers import nats_permissions
from feltwork.servers.nats import EmbeddedNats, LeafUplink, NatsPlan
from feltwork.servers.nats_keys import KeyRing
from feltwork.wire.streams import AT_A_TABLE, FELT, consumer_config, consumer_name, ensure_streams
from feltwork.wire.subjects import decode_from, meters_of, subject_of
from feltwork.wire.uplink import RoundStarted, encode
from tests.wire.conftest import Begin
from tests.wire.floors import card_room

HASH = "a" * 64


def a_round(number: int) -> RoundStarted:
    return RoundStarted(
        link="sevens",
        at=1,
        table="B1",
        round=number,
        step=0,
        sign_on="s",
        wager=1_000_000,
        seats=(1, 2),
        version=HASH,
    )


@pytest.mark.requirement("GEN-07", "GEN-18", "GL-07", "GL-12")
def test_a_cut_leaf_keeps_its_rounds_and_the_books_fetch_them_within_ten_seconds_of_healing(
    begin: Begin, tmp_path: Path
) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(card_room(), ring)
    tls = ring.certificate(nats_permissions.SERVER)
    site = begin(NatsPlan(name="site", domain="site", users=users, tls=tls, leaves=True))
    above = LeafUplink(url=f"tls://127.0.0.1:{site.leaf_port}", nkey_seed=ring.seed(nats_permissions.LEAF))
    box = begin(NatsPlan(name="box", domain="box", users=users, tls=tls, leaf_of=above))
    resumed = asyncio.run(_cut_and_heal(site, box, ring))
    assert resumed < 10


async def _cut_and_heal(site: EmbeddedNats, box: EmbeddedNats, ring: KeyRing) -> float:
    books = await nats.connect(
        site.url, max_reconnect_attempts=-1, reconnect_time_wait=1, **ring.options("books")
    )
    below = await nats.connect(box.url, **ring.options("books"))
    await ensure_streams(below.jetstream(), AT_A_TABLE)
    await ensure_streams(books.jetstream())
    table = await nats.connect(box.url, **ring.options("B1"))
    subscription = await table.subscribe(meters_of("sevens"))
    await table.flush()

    async def play(first: int, last: int) -> None:
        for number in range(first, last + 1):
            await table.jetstream().publish(
                subject_of(a_round(number)),
                encode(a_round(number)),
                stream=FELT,
            )

    js = books.jetstream(domain="box")
    await play(1, 20)
    await _until(lambda: js.add_consumer(FELT, consumer_config("sevens", ack_wait=2.0)))
    reader = await js.pull_subscribe_bind(consumer_name("sevens"), FELT)
    got = await _fetch(reader, 20)
    await books.publish(meters_of("sevens"), b"before")
    assert (await subscription.next_msg(2)).data == b"before"
    site.kill()
    await play(21, 60)
    site.start()
    healed = time.monotonic()
    got += await _fetch(reader, 40)
    resumed = time.monotonic() - healed
    assert got == list(range(1, 61))
    at_site = await books.jetstream().stream_info(FELT)
    assert at_site.state.messages == 0, "rounds that are kept below are not kept twice"
    await books.publish(meters_of("sevens"), b"after")
    assert (await subscription.next_msg(5)).data == b"after"
    for connection in (table, below, books):
        await connection.close()
    return resumed


async def _until(attempt: Any) -> None:
    for _ in range(100):
        try:
            await attempt()
        except (ServiceUnavailableError, NatsTimeoutError):
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError("the leaf did not come up")


async def _fetch(reader: Any, count: int) -> list[int]:
    numbers: list[int] = []
    deadline = time.monotonic() + 30
    while len(numbers) < count and time.monotonic() < deadline:
        try:
            messages = await reader.fetch(100, timeout=1)
        except (NatsTimeoutError, ServiceUnavailableError, nats.errors.Error):
            await asyncio.sleep(0.1)
            continue
        for message in messages:
            round_message = decode_from(message.subject, message.data)
            assert isinstance(round_message, RoundStarted)
            numbers.append(round_message.round)
            await message.ack()
    return numbers


def test_a_site_does_not_tell_leaves_other_addresses(tmp_path: Path) -> None:
    configuration = EmbeddedNats(tmp_path, NatsPlan(leaves=True, advertised="10.0.0.1")).configuration()
    assert configuration["leafnodes"]["no_advertise"] is True
