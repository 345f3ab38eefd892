"""Streams on a server with less room than they ask for."""

import asyncio
from pathlib import Path

import nats
import pytest
from nats.js.errors import APIError

from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.wire.streams import FELT, PARKED, ensure_streams

GIGABYTE = 1 << 30


def small(folder: Path, room: int) -> EmbeddedNats:
    """A server whose disk has this much room."""
    store = {"store_dir": str(folder / "jetstream"), "max_file_store": room}
    return EmbeddedNats(folder, NatsPlan(extra={"jetstream": store}))


def test_streams_follow_the_room_of_the_server_and_grow_with_it(tmp_path: Path) -> None:
    asyncio.run(_grow(tmp_path))


async def _grow(tmp_path: Path) -> None:
    server = small(tmp_path, 3 * GIGABYTE).start()
    try:
        client = await nats.connect(server.url)
        js = client.jetstream()
        for _ in range(2):
            await ensure_streams(js)
            sizes = {name: (await js.stream_info(name)).config.max_bytes for name in (FELT, PARKED)}
            assert sizes == {FELT: 2 * GIGABYTE, PARKED: GIGABYTE}, "8 GB is asked for"
        await js.publish("felt.link.C1.round", b"x")
        await js.publish("felt.link.C1.health", b"x")
        await client.close()
        server.stop()
        server = small(tmp_path, 20 * GIGABYTE).start()
        client = await nats.connect(server.url)
        js = client.jetstream()
        await ensure_streams(js)
        grown = await js.stream_info(FELT)
        assert (grown.config.max_bytes, grown.state.messages) == (8 * GIGABYTE, 1)
        await client.close()
    finally:
        server.kill()


def test_a_server_without_any_room_is_refused(tmp_path: Path) -> None:
    async def ensure() -> None:
        client = await nats.connect(server.url)
        try:
            await ensure_streams(client.jetstream())
        finally:
            await client.close()

    server = small(tmp_path, 1 << 20).start()
    try:
        with pytest.raises(APIError, match="insufficient storage"):
            asyncio.run(ensure())
    finally:
        server.kill()
