"""A program connects to NATS however its first attempts end."""

import asyncio
import json
import socket
import struct
from pathlib import Path

import pytest

from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.nats_config import make_site, server_with_keys
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.servers.nats_permissions import BOOKS, GUARD
from feltwork.site.servers.ports import free_port
from feltwork.site.wire import connection
from feltwork.site.wire.connection import connect_to, disconnect
from tests.docs.console import ROOT

_INFO = {"server_id": "N", "version": "2.10.0", "max_payload": 1 << 20, "tls_required": True, "nonce": "n"}


async def _reset(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Greet, and reset the connection in the middle of the TLS handshake, as a busy server does."""
    writer.write(f"INFO {json.dumps(_INFO)}\r\n".encode())
    await reader.read(1)
    accepted = writer.get_extra_info("socket")
    accepted.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def _ignore(error: Exception) -> None:
    """Let the client try again."""


def test_a_reset_handshake_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ATTEMPT_SECONDS", 1.0)
    ring = KeyRing(tmp_path)
    ring.make_authority("Test Room")
    ring.make("service")

    async def attempts() -> None:
        again = asyncio.Event()
        connections = 0

        async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            if connections == 2:
                again.set()
            await _reset(reader, writer)

        server = await asyncio.start_server(greet, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        options = {**ring.options("service"), "reconnect_time_wait": 0.1, "error_cb": _ignore}
        connecting = asyncio.create_task(connect_to(f"tls://127.0.0.1:{port}", **options))
        try:
            await asyncio.wait_for(again.wait(), 20)
        finally:
            connecting.cancel()
            await asyncio.wait([connecting])
            server.close()

    asyncio.run(attempts())


def test_a_connection_is_closed_while_the_server_is_gone(tmp_path: Path) -> None:
    floor = read_floor((ROOT / "examples/card_room.toml").read_text(encoding="utf-8"), where="floor")
    keys = tmp_path / "keys"
    make_site(floor, keys, ["127.0.0.1"])
    server = server_with_keys(keys, tmp_path / "log", host="127.0.0.1", port=free_port()).start()

    async def close() -> None:
        options = {**KeyRing(keys).options(BOOKS), "reconnect_time_wait": 0.1, "error_cb": _ignore}
        guard = await connect_to(server.url, **KeyRing(keys).derived_options(BOOKS, GUARD))
        await disconnect(guard)
        client = await connect_to(server.url, **options)
        server.kill()
        while client.is_connected:
            await asyncio.sleep(0.05)
        await client.publish("felt.nobody", b"what it still wants to send")
        await disconnect(client)
        assert client.is_closed

    try:
        asyncio.run(close())
    finally:
        server.remove()
