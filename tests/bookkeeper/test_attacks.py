"""Attacks with a stolen table key, against a bookkeeper and NATS with keys, as an installation runs them."""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.aio.client import Client
from nats.errors import Error

from feltwork.site.books.people.pin_key import init_pin_key
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.nats import EmbeddedNats, LeafUplink, NatsPlan
from feltwork.site.servers.nats_keys import KeyRing, inbox_of
from feltwork.site.servers.nats_permissions import BOOKS, SERVER, STREAMS, make_keys
from feltwork.site.wire.downlink import SignedOn, decode_downlink
from feltwork.site.wire.streams import FELT
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import SignOn, encode
from tests.bookkeeper.house import NOW, House, a_link, ended, started
from tests.floor_text import floor_text

STOLEN, HONEST = "T1", "T2"
#: The sign-ons that a stolen key asks for in a moment.
_FLOOD = 2_000


@dataclass
class Site:
    """A house with keys, and a bookkeeper that answers."""

    house: House
    ring: KeyRing

    async def connect(self, name: str, **options: Any) -> Client:
        options = self.ring.options(name) | options
        return await nats.connect(self.house.log.url, error_cb=_ignore, allow_reconnect=False, **options)

    def alarm(self) -> str:
        query = "SELECT details ->> 'what' FROM books.alarm WHERE kind = 'suspicious sign-ons'"
        return str(self.house.ask(query) or "")


async def _ignore(error: Exception) -> None:
    """What NATS refuses."""


@pytest.fixture
def site() -> Iterator[Site]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-attacks-"))
    ring = KeyRing(folder / "keys")
    users = make_keys(read_floor(floor_text(a_link()), where="floor"), ring)
    house = House(folder, plan=NatsPlan(users=users, tls=ring.certificate(SERVER), sync_always=False))
    try:
        house.open()
        init_pin_key(ring.folder)
        house.keeper("--keys", str(ring.folder))
        house.until(lambda: "guard" in house.connections())
        yield Site(house, ring)
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


def request(table: str, badge: str, pin: str = "2580") -> tuple[str, bytes]:
    message = SignOn(link="L1", at=NOW, table=table, badge=badge, pin=pin)
    return subject_of(message), encode(message)


async def sign_on(client: Client, table: str, badge: str) -> SignedOn:
    answer = decode_downlink((await client.request(*request(table, badge), timeout=60)).data)
    assert isinstance(answer, SignedOn)
    return answer


@pytest.mark.requirement("GEN-07", "GL-10")
def test_the_books_answer_a_sign_on_only_where_its_table_listens(site: Site) -> None:
    """Attack 3: the reply subject of a request names what the bookkeeper may publish."""
    elsewhere = (
        "told.L1.T2.award.x",
        "meters.L1",
        "parked.felt.L1.T2.round",
        "felt.L1.T2.round",
        f"$JS.API.STREAM.PURGE.{FELT}",
        f"{inbox_of(HONEST)}.x",
        "_INBOX.books.x",
    )

    async def attack() -> list[str]:
        told: list[str] = []

        async def hear(message: Any) -> None:
            told.append(message.subject)

        honest, stolen = await site.connect(HONEST), await site.connect(STOLEN)
        for subject in ("told.*.T2.>", "meters.L1", f"{inbox_of(HONEST)}.>"):
            await honest.subscribe(subject, cb=hear)
        await honest.flush()
        await honest.flush()
        subject, data = request(STOLEN, "B-nobody")
        for reply in elsewhere:
            await stolen.publish(subject, data, reply=reply)
        assert (await sign_on(stolen, STOLEN, "B-dana")).sign_on
        await asyncio.sleep(1)
        streams = await nats.connect(site.house.log.url, **site.ring.derived_options(BOOKS, STREAMS))
        held = await streams.jetstream().streams_info()
        told += [info.config.name or "" for info in held if info.config.name in (FELT, "PARKED", "TOLD")
                 and info.state.messages]  # fmt: skip
        for client in (streams, stolen, honest):
            await client.close()
        return [subject for subject in told if subject != "meters.L1"]

    assert asyncio.run(attack()) == []
    site.house.until(site.alarm, 10)
    assert site.alarm() == "table T1 asked for the answer to a sign-on in the name of others"


@pytest.mark.requirement("GEN-07")
def test_the_key_that_answers_tables_manages_no_stream(site: Site) -> None:
    async def attack() -> None:
        books = await site.connect(BOOKS)
        js = books.jetstream(timeout=0.5)
        for forbidden in (
            js.purge_stream(FELT),
            js.delete_stream(FELT),
            js.delete_msg(FELT, 1),
            js.delete_consumer(FELT, "books-L1"),
            js.publish("felt.L1.T1.round", b"{}"),
        ):
            with pytest.raises((Error, TimeoutError)):
                await forbidden
        await books.close()

    asyncio.run(attack())


@pytest.mark.requirement("GL-10", "GEN-07")
def test_a_flood_of_sign_ons_stops_its_table_alone(site: Site) -> None:
    """Attack 4: invented badges, faster than PINs can be proved."""

    async def attack() -> None:
        honest, stolen = await site.connect(HONEST), await site.connect(STOLEN)
        refused: list[str] = []

        async def hear(message: Any) -> None:
            answer = decode_downlink(message.data)
            assert isinstance(answer, SignedOn)
            refused.append(answer.why)

        await stolen.subscribe(f"{inbox_of(STOLEN)}.flood", cb=hear)
        for number in range(_FLOOD):
            await stolen.publish(*request(STOLEN, f"B-{number}"), reply=f"{inbox_of(STOLEN)}.flood")
        await stolen.flush()
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert (await sign_on(honest, HONEST, "B-dana")).sign_on
        assert loop.time() - began < 60, "the others sign on meanwhile"
        again = await sign_on(stolen, STOLEN, "B-dana")
        assert again.why == "table T1 asked for more than 10 sign-ons within a minute"
        async with asyncio.timeout(30):
            while len(refused) < _FLOOD:
                await asyncio.sleep(0.1)
        assert sum(why == again.why for why in refused) == _FLOOD - 10
        await honest.close()
        await stolen.close()

    asyncio.run(attack())
    site.house.until(site.alarm, 10)
    assert site.alarm() == "table T1 asked for more than 10 sign-ons within a minute"
    written = "SELECT count(*) FROM books.audit WHERE what LIKE 'alarm: suspicious%%'"
    assert site.house.ask(written) == 1
    tried = "SELECT count(*) FROM books.audit WHERE place = 'table T1'"
    assert site.house.ask(tried) <= 10 + 1


@pytest.mark.requirement("GEN-07", "GL-12")
def test_what_a_pits_server_holds_of_other_tables_is_parked(tmp_path: Path) -> None:
    """Attack 5: a pit's server is its own master, and stores rounds in any table's name."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-attacks-"))
    house = House(folder, plan=NatsPlan(domain="site", leaves=True, sync_always=False))
    above = LeafUplink(url=f"nats://127.0.0.1:{house.log.leaf_port}")
    pit = EmbeddedNats(tmp_path / "pit", NatsPlan(name="pit", domain="pit", leaf_of=above))

    async def store() -> bool:
        client = await nats.connect(pit.url)
        try:
            for message in (started(1), ended(1), started(1, "T2")):
                await client.jetstream().publish(subject_of(message), encode(message), stream=FELT)
        except Error:  # the bookkeeper has not made its stream yet
            return False
        finally:
            await client.close()
        return True

    try:
        house.open()
        pit.start()
        house.keeper("--domain", "pit=T1")
        house.until(lambda: asyncio.run(store()))
        house.until(lambda: house.booked() == "{[1,2)}")
        query = "SELECT details ->> 'what' FROM books.alarm WHERE kind = 'parked message'"
        house.until(lambda: house.ask(query), 30)
        assert house.ask(query) == "table T2 does not play at the pit that stored it"
        assert house.booked("T2") == "{}"
        house.check()
    finally:
        pit.remove()
        house.close()
        shutil.rmtree(folder, ignore_errors=True)
