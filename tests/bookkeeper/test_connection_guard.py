"""A certificate and a key that are not of one device: cut, with an alarm, and nobody else is."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

from feltwork.site.bookkeeper.connection_guard import EVERY_SECONDS
from feltwork.site.books.people.pin_key import init_pin_key
from feltwork.site.servers.nats import NatsPlan
from feltwork.site.servers.nats_keys import KeyRing, inbox_of
from feltwork.site.servers.nats_permissions import BOOKS, SERVER, SERVICE, make_keys, sign_of
from tests.bookkeeper.house import House
from tests.wire.floors import card_room

HONEST = (BOOKS, SERVICE, "B1", "C1", sign_of("sevens"))


@pytest.fixture
def site() -> Iterator[tuple[House, KeyRing]]:
    """A house with TLS, keys and a bookkeeper."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-guard-"))
    ring = KeyRing(folder / "keys")
    plan = NatsPlan(users=make_keys(card_room(), ring), tls=ring.certificate(SERVER), sync_always=False)
    house = House(folder, plan=plan)
    try:
        house.open()
        init_pin_key(ring.folder)
        house.keeper("--keys", str(ring.folder))
        yield house, ring
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.requirement("GEN-07")
def test_the_certificate_of_one_table_with_the_key_of_another_is_cut_off(
    site: tuple[House, KeyRing],
) -> None:
    house, ring = site
    cut: list[str] = []

    async def connect(name: str, key: str) -> Client:
        async def note() -> None:
            cut.append(f"{name} with {key}")

        own = {"nkeys_seed": str(ring.seed(key)), "inbox_prefix": inbox_of(key)}
        options = ring.options(name) | own | {"allow_reconnect": False, "disconnected_cb": note}
        return await nats.connect(house.log.url, **options)

    async def play() -> None:
        honest = [await connect(name, name) for name in HONEST]
        await asyncio.to_thread(house.until, lambda: "guard" in house.connections())
        await connect("C1", "B1")
        await asyncio.to_thread(house.until, lambda: cut, 30)
        await asyncio.sleep(2 * EVERY_SECONDS)
        assert cut == ["C1 with B1"]
        for client in honest:
            assert client.is_connected
            await client.close()

    asyncio.run(play())
    query = "SELECT details ->> 'what' FROM books.alarm WHERE kind = 'foreign certificate'"
    house.until(lambda: house.ask(query), 10)
    assert house.ask(query) == "the certificate of C1 came with the key of B1, from 127.0.0.1"
    assert house.ask("SELECT count(*) FROM books.alarm") == 1


def test_a_certificate_names_its_key_and_does_so_when_it_is_renewed(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    make_keys(card_room(), ring)
    key = ring.public("C1")
    assert ring.bound_to("C1") == key != ring.bound_to("B1")
    ring.renew("C1")
    assert ring.bound_to("C1") == key
    ring.seed("C1").unlink()  # seeds are at their devices
    ring.renew("C1")
    assert ring.bound_to("C1") == key
