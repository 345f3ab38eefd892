"""A site and a pit that both keep rounds: nothing of one is stored, or acknowledged, in the other."""

import asyncio

import nats
import pytest
from nats.aio.client import Client
from nats.errors import Error as NatsError

from feltwork.site.servers.nats import EmbeddedNats, LeafUplink, NatsPlan
from feltwork.site.wire.streams import AT_A_TABLE, FELT, consumer_config, consumer_name, ensure_streams
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import RoundStarted, encode
from tests.wire.conftest import Begin


def a_round(table: str, number: int) -> RoundStarted:
    return RoundStarted(
        link="sevens",
        at=1,
        table=table,
        round=number,
        step=0,
        sign_on="s",
        wager=1_000_000,
        seats=(1,),
        version="a" * 64,
    )


@pytest.mark.requirement("GEN-07", "GEN-09")
def test_what_is_acknowledged_at_the_site_is_not_acknowledged_at_the_pit(begin: Begin) -> None:
    site = begin(NatsPlan(name="site", domain="site", leaves=True))
    pit = begin(
        NatsPlan(name="pit", domain="pit", leaf_of=LeafUplink(url=f"nats://127.0.0.1:{site.leaf_port}"))
    )
    asyncio.run(_acknowledge_at_the_site(site, pit))


async def _acknowledge_at_the_site(site: EmbeddedNats, pit: EmbeddedNats) -> None:
    books, below = await nats.connect(site.url), await nats.connect(pit.url)
    await ensure_streams(books.jetstream())
    await ensure_streams(below.jetstream(), AT_A_TABLE)
    for number in range(1, 11):
        await _say(books, a_round("B1", number))
        await _say(below, a_round("B2", number))
    assert (await books.jetstream().stream_info(FELT)).state.messages == 10
    assert (await below.jetstream().stream_info(FELT)).state.messages == 10, "each keeps its own, once"
    await _until_reached(books)
    for domain, acknowledge in (("pit", False), ("", True)):
        js = books.jetstream(domain=domain or None)
        await js.add_consumer(FELT, consumer_config("sevens", domain))
        reader = await js.pull_subscribe_bind(consumer_name("sevens", domain), FELT)
        messages = await reader.fetch(10, timeout=60)
        assert len(messages) == 10
        for message in messages:
            if acknowledge:
                await message.ack_sync()
    at_site = await books.jetstream().consumer_info(FELT, consumer_name("sevens"))
    at_pit = await books.jetstream(domain="pit").consumer_info(FELT, consumer_name("sevens", "pit"))
    assert (at_site.num_ack_pending, at_pit.num_ack_pending) == (0, 10)
    await books.close()
    await below.close()


async def _say(client: Client, message: RoundStarted) -> None:
    await client.jetstream().publish(subject_of(message), encode(message), stream=FELT)


async def _until_reached(books: Client) -> None:
    for _ in range(100):
        try:
            await books.jetstream(domain="pit").stream_info(FELT)
        except NatsError:
            await asyncio.sleep(0.1)
        else:
            return
    raise AssertionError("the pit was not reached")
