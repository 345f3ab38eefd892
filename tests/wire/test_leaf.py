"""A table with a server of its own below its site: cut and healed, with TLS and keys on every hop."""

import asyncio
import time
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.errors import ServiceUnavailableError

from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, LeafUplink, NatsPlan, NatsUser
from feltwork.site.servers.nats_keys import KeyRing, inbox_of
from feltwork.site.wire.streams import AT_A_TABLE, FELT, consumer_config, consumer_name, ensure_streams
from feltwork.site.wire.subjects import decode_from, meters_of, subject_of
from feltwork.site.wire.uplink import RoundStarted, encode
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
    users = (*nats_permissions.make_keys(card_room(), ring), store_of(ring, "box", "B1"))
    tls = ring.certificate(nats_permissions.SERVER)
    site = begin(NatsPlan(name="site", domain="site", users=users, tls=tls, leaves=True))
    above = LeafUplink(url=f"tls://127.0.0.1:{site.leaf_port}", nkey_seed=ring.seed("host:box"))
    box = begin(NatsPlan(name="box", domain="box", users=users, tls=tls, leaf_of=above))
    resumed = asyncio.run(_cut_and_heal(site, box, ring))
    assert resumed < 10


async def _cut_and_heal(site: EmbeddedNats, box: EmbeddedNats, ring: KeyRing) -> float:
    books = await nats.connect(
        site.url, max_reconnect_attempts=-1, reconnect_time_wait=1, **ring.options("books")
    )
    manages = ring.derived_options("books", nats_permissions.STREAMS)
    below = await nats.connect(box.url, **manages)
    above = await nats.connect(site.url, max_reconnect_attempts=-1, reconnect_time_wait=1, **manages)
    await ensure_streams(below.jetstream(), AT_A_TABLE)
    await ensure_streams(above.jetstream())
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
    await _until(
        lambda: above.jetstream(domain="box").add_consumer(FELT, consumer_config("sevens", ack_wait=2.0))
    )
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
    at_site = await above.jetstream().stream_info(FELT)
    assert at_site.state.messages == 0, "rounds that are kept below are not kept twice"
    await books.publish(meters_of("sevens"), b"after")
    assert (await subscription.next_msg(5)).data == b"after"
    for connection in (table, below, above, books):
        await connection.close()
    return resumed


def store_of(ring: KeyRing, pit: str, table: str) -> NatsUser:
    """The key of a pit's server, with the rights of one table."""
    links = nats_permissions.links_of_tables(card_room())
    return nats_permissions.pit_rights(ring.make(f"host:{pit}"), pit, {table: links[table]})


@pytest.mark.requirement("GEN-07")
def test_a_stolen_key_of_a_pit_speaks_for_its_tables_only(begin: Begin, tmp_path: Path) -> None:
    """Attack 5: a server of the thief's own, with the key of a pit's server."""
    ring = KeyRing(tmp_path / "keys")
    users = (*nats_permissions.make_keys(card_room(), ring), store_of(ring, "pit-1", "B1"))
    tls = ring.certificate(nats_permissions.SERVER)
    site = begin(NatsPlan(name="site", domain="site", users=users, tls=tls, leaves=True))
    above = LeafUplink(
        url=f"tls://127.0.0.1:{site.leaf_port}", nkey_seed=ring.seed("host:pit-1"), keeps_rounds=False
    )
    thief = begin(NatsPlan(name="thief", domain="pit-1", tls=tls, leaf_of=above))
    asyncio.run(_rob(site, thief, ring))


async def _rob(site: EmbeddedNats, thief: EmbeddedNats, ring: KeyRing) -> None:
    streams = await nats.connect(site.url, **ring.derived_options("books", nats_permissions.STREAMS))
    await ensure_streams(streams.jetstream())
    table, heard = await nats.connect(site.url, **ring.options("B2")), []

    async def hear(message: Any) -> None:
        heard.append(message.subject)

    await table.subscribe("told.*.B2.>", cb=hear)
    await table.subscribe(f"{inbox_of('B2')}.>", cb=hear)
    await table.subscribe(meters_of("sevens"), cb=hear)
    await table.flush()
    robber = await nats.connect(thief.url, tls=ring.options("B1")["tls"])
    overheard = await robber.subscribe("felt.sevens.B2.health")
    own = "felt.sevens.B1.sensors"
    for _ in range(100):  # until the leaf is connected
        await robber.publish(own, b"{}")
        await asyncio.sleep(0.1)
        if (await streams.jetstream().stream_info("TABLES")).state.messages:
            break
    else:
        raise AssertionError("the leaf did not come up")
    for subject in (
        "felt.sevens.B2.round",
        "felt.sevens.B2.sensors",
        "told.sevens.B2.welcome",
        meters_of("sevens"),
        f"{inbox_of('B2')}.x",
        "$JS.site.API.STREAM.DELETE.SIGN_ONS",
        "$JS.site.API.STREAM.PURGE.TABLES",
        "$JS.API.STREAM.PURGE.TABLES",
    ):
        await robber.publish(subject, b"{}")
    await robber.flush()
    await table.publish("felt.sevens.B2.health", b"{}")
    await asyncio.sleep(1)
    held = {info.config.name: info.state.messages for info in await streams.jetstream().streams_info()}
    assert held == {"FELT": 0, "TABLES": 2, "TOLD": 0, "METERS": 0, "PARKED": 0, "SIGN_ONS": 0}
    assert (heard, overheard.pending_msgs) == ([], 0)
    for client in (robber, table, streams):
        await client.close()


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
