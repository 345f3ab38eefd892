"""Who may say and hear what: real servers with TLS and keys, and everybody who tries something else."""

import asyncio
import shutil
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import nats
import pytest
from cryptography import x509
from cryptography.x509.oid import ExtendedKeyUsageOID
from msgspec import structs
from nats.aio.client import Client
from nats.errors import Error, NoServersError
from nats.js.api import PubAck, StreamInfo
from nats.js.errors import NotFoundError
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.problem import ProblemsError
from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.nats_keys import AUTHORITY, KeyRing
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.wire.downlink import AnyDownlink, AwardConfirmed, MeterSnapshot
from feltwork.site.wire.streams import FELT, MESSAGE_BYTES, METERS, TABLES, ensure_streams
from feltwork.site.wire.subjects import KEPT, meters_of, subject_of, uplink_subject
from feltwork.site.wire.uplink import RoundStarted, encode
from tests.wire.conftest import Begin
from tests.wire.floors import CARD_ROOM, card_room

HASH = "a" * 64
_LOG_BYTES = 320 << 20


def a_round(table: str, number: int = 1, link: str = "sevens") -> RoundStarted:
    return RoundStarted(
        link=link,
        at=1,
        table=table,
        round=number,
        step=0,
        sign_on="s",
        wager=1_000_000,
        seats=(1, 2),
        version=HASH,
    )


def a_snapshot(link: str = "sevens") -> MeterSnapshot:
    return MeterSnapshot(
        link=link,
        at=1,
        version=HASH,
        takes_wagers=True,
        stops={},
        meters={"mega": 10},
        entry=1,
        hash=HASH,
    )


class House:
    """A site with its keys."""

    def __init__(self, begin: Begin, folder: Path) -> None:
        self.ring = KeyRing(folder / "keys")
        users = nats_permissions.make_keys(card_room(), self.ring)
        self.server: EmbeddedNats = begin(
            NatsPlan(users=users, tls=self.ring.certificate(nats_permissions.SERVER))
        )

    async def connect(self, name: str, **changed: Any) -> tuple[Client, list[str]]:
        """Somebody's connection, and what the server refuses them."""
        refused: list[str] = []

        async def note(error: Exception) -> None:
            refused.append(str(error))

        options = self.ring.options(name) | changed
        return await nats.connect(self.server.url, error_cb=note, allow_reconnect=False, **options), refused

    async def ready(self) -> Client:
        streams = await self.streams()
        await ensure_streams(streams.jetstream(), felt_bytes=_LOG_BYTES)
        await streams.close()
        books, _ = await self.connect(nats_permissions.BOOKS)
        return books

    async def streams(self) -> Client:
        """The connection that manages streams."""
        options = self.ring.derived_options(nats_permissions.BOOKS, nats_permissions.STREAMS)
        return await nats.connect(self.server.url, allow_reconnect=False, **options)

    async def held(self) -> StreamInfo:
        """What the log holds."""
        streams = await self.streams()
        info = await streams.jetstream().stream_info(FELT)
        await streams.close()
        return info


@pytest.fixture
def house(begin: Begin, tmp_path: Path) -> House:
    return House(begin, tmp_path)


@pytest.mark.requirement("GEN-07")
def test_a_table_speaks_under_its_own_subject_only(house: House) -> None:
    async def play() -> None:
        books = await house.ready()
        table, refused = await house.connect("B1")
        js = table.jetstream()
        assert (await js.publish(subject_of(a_round("B1")), encode(a_round("B1")))).seq == 1
        for forbidden in (
            uplink_subject("sevens", "B2", "round"),
            "told.sevens.B1.welcome",
            meters_of("sevens"),
        ):
            with pytest.raises(Error):
                await js.publish(forbidden, b"{}", timeout=0.5)
            assert any(forbidden.lower() in error.lower() for error in refused), forbidden
        info = await house.held()
        assert info.state.messages == 1
        await table.close()
        await books.close()

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_stolen_key_fills_its_share_of_the_log_and_no_more(house: House) -> None:
    """Attack 1: large messages of a table's key, to its own links and to invented ones."""
    subject, large = uplink_subject("sevens", "B1", "round"), b"x" * (MESSAGE_BYTES - 500)

    async def attack() -> None:
        books = await house.ready()
        table, refused = await house.connect("B1")
        js = table.jetstream(timeout=60)
        for link in ("invented", "five-card"):
            await table.publish(uplink_subject(link, "B1", "round"), large)
        await table.flush()
        await table.flush()  # the client writes the PING of the first one before the messages
        assert len(refused) == 2
        with pytest.raises(Error):
            await js.publish(subject, b"x" * (MESSAGE_BYTES + 1))
        acknowledged = await asyncio.gather(
            *(js.publish(subject, large) for _ in range(1_100)), return_exceptions=True
        )
        assert sum(isinstance(one, PubAck) for one in acknowledged) == 1_000
        honest, _ = await house.connect("B2")
        await honest.jetstream().publish(subject_of(a_round("B2")), encode(a_round("B2")))
        info = await house.held()
        assert info.state.messages == 1_001
        # Whatever the table sends on its link, half of the log is left.
        assert len(KEPT) * 1_000 * MESSAGE_BYTES <= (info.config.max_bytes or 0) // 2
        for client in (honest, table, books):
            await client.close()

    asyncio.run(attack())


@pytest.mark.requirement("GEN-07")
def test_what_the_store_answers_under_another_tables_subject_is_not_heard(house: House) -> None:
    """A stolen key has the store answer a lookup of its own message where another table listens."""
    claim = AwardConfirmed(
        link="sevens", table="B2", at=1, award="a", round=1, seat=1, level="mega", amount=10**12
    )

    async def attack() -> list[AnyDownlink]:
        books = await house.ready()
        table, thief = (await house.connect("B2"))[0], (await house.connect("B1"))[0]
        heard: list[AnyDownlink] = []

        async def hear(message: AnyDownlink) -> None:
            heard.append(message)

        await TablePublisher(table, link="sevens", table="B2").listen(hear, "told.sevens.B2.>")
        await table.flush()
        own = uplink_subject("sevens", "B1", "hand")
        await thief.jetstream().publish(own, encode(claim))
        await thief.publish(f"$JS.API.DIRECT.GET.{FELT}.{own}", b"", reply=subject_of(claim))
        await thief.flush()
        await asyncio.sleep(0.5)
        await books.jetstream().publish("told.sevens.B2.award.b", encode(structs.replace(claim, award="b")))
        await asyncio.sleep(0.5)
        for client in (books, table, thief):
            await client.close()
        return heard

    (told,) = asyncio.run(attack())
    assert isinstance(told, AwardConfirmed)
    assert told.award == "b", "what the books say is heard"


@pytest.mark.requirement("GEN-07")
def test_a_sign_reads_the_meters_of_its_link_and_nothing_else(house: House) -> None:
    async def play() -> None:
        books = await house.ready()
        await books.jetstream().publish(meters_of("sevens"), encode(a_snapshot()))
        sign, refused = await house.connect(nats_permissions.sign_of("sevens"))
        messages: list[bytes] = []

        async def hear(message: Any) -> None:
            messages.append(message.data)

        await sign.subscribe(meters_of("sevens"), cb=hear)
        for other in (meters_of("five-card"), "told.>", "felt.>"):
            await sign.subscribe(other, cb=hear)
        await sign.flush()
        newest = await sign.jetstream().get_last_msg(METERS, meters_of("sevens"), direct=True)
        assert newest.data == encode(a_snapshot())
        await books.publish(meters_of("five-card"), b"not for this sign")
        await books.jetstream().publish(meters_of("sevens"), encode(a_snapshot()))
        await sign.publish(meters_of("sevens"), b"forged")
        await sign.flush()
        await asyncio.sleep(0.2)
        assert messages == [encode(a_snapshot())]
        assert sum("subscription" in error.lower() for error in refused) == 3
        assert sum("publish" in error.lower() for error in refused) == 1
        await sign.close()
        await books.close()

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_the_service_hears_sensors_and_meters_and_says_nothing(house: House) -> None:
    async def play() -> None:
        books = await house.ready()
        table, _ = await house.connect("B1")
        service, refused = await house.connect(nats_permissions.SERVICE)
        sensors = uplink_subject("sevens", "B1", "sensors")
        subscription = await service.subscribe(uplink_subject("*", "*", "sensors"))
        # The client writes the PING of the first flush before the subscription, so its PONG promises nothing.
        await service.flush()
        await service.flush()
        await table.jetstream().publish(sensors, b"{}")
        assert (await subscription.next_msg(timeout=120)).subject == sensors
        newest = await service.jetstream().get_last_msg(TABLES, sensors, direct=True)
        assert newest.data == b"{}"
        await service.subscribe(meters_of("*"))
        for forbidden in ("felt.>", "told.>", "parked.>", "_INBOX.books.>"):
            await service.subscribe(forbidden)
        for forbidden in (sensors, "told.sevens.B1.welcome", meters_of("sevens")):
            await service.publish(forbidden, b"{}")
        with pytest.raises(Error):
            await service.jetstream().purge_stream(FELT)
        await service.flush()
        assert sum("subscription" in error.lower() for error in refused) == 4
        assert sum("publish" in error.lower() for error in refused) == 4
        for client in (service, table, books):
            await client.close()

    asyncio.run(play())


@pytest.mark.requirement("GEN-07")
def test_a_table_hears_nothing_that_is_told_to_another(house: House) -> None:
    async def play() -> None:
        books = await house.ready()
        await books.jetstream().publish("told.sevens.B2.welcome", b"{}")
        table, refused = await house.connect("B1")
        await table.subscribe("told.sevens.B2.>")
        await table.subscribe("_INBOX.B2.>")
        await table.flush()
        with pytest.raises(Error):
            await table.jetstream().get_last_msg("TOLD", "told.sevens.B2.welcome", direct=True)
        assert len(refused) == 3
        with pytest.raises(NotFoundError):
            await table.jetstream().get_last_msg("TOLD", "told.sevens.B1.welcome", direct=True)
        await table.close()
        await books.close()

    asyncio.run(play())


@pytest.mark.requirement("GEN-07", "GEN-18", "GL-07")
def test_without_the_right_key_certificate_or_tls_there_is_no_connection(
    house: House, tmp_path: Path
) -> None:
    stranger = KeyRing(tmp_path / "stranger")
    stranger.make_authority("elsewhere")
    stranger.make("B1")

    async def attempt(**changed: Any) -> str:
        with pytest.raises((Error, NoServersError, ssl.SSLError, OSError)) as error:
            await house.connect("B1", connect_timeout=30, **changed)
        return f"{type(error.value).__name__}: {error.value}"

    async def play() -> None:
        await (await house.ready()).close()
        assert "Authorization" in await attempt(nkeys_seed=str(stranger.seed("B1")))
        assert "Authorization" in await attempt(nkeys_seed=None)
        strange = stranger.options("B1")["tls"]
        assert "certificate" in (await attempt(tls=strange)).lower()
        bare = ssl.create_default_context(cafile=house.ring.certificate("B1").authority)
        await attempt(tls=bare)
        reader, writer = await asyncio.open_connection("127.0.0.1", house.server.port)
        assert b'"tls_required":true' in await reader.readline()
        writer.write(b'CONNECT {"verbose":false}\r\nPING\r\n')
        await writer.drain()
        assert b"PONG" not in await reader.read()
        writer.close()

    asyncio.run(play())


def test_keys_are_made_once_and_secrets_are_the_owners_alone(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    first = nats_permissions.make_keys(card_room(), ring)
    assert nats_permissions.make_keys(card_room(), ring) == first
    secrets = [*ring.folder.glob("*.seed"), *ring.folder.glob("*.key")]
    # The server's own two, and the authority's key; two keys are derived from that of the books.
    assert len(secrets) == 2 * (len(first) - 2) + 3
    assert {path.stat().st_mode & 0o777 for path in secrets} == {0o600}
    assert len({user.nkey for user in first}) == len(first)


def test_certificates_pass_strict_verification_and_last_as_long_as_the_authority(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    nats_permissions.make_keys(card_room(), ring)
    for name in ring.names():
        pem = (ring.folder / f"{name}.pem").read_bytes()
        extensions = x509.load_pem_x509_certificate(pem).extensions
        usage = extensions.get_extension_for_class(x509.KeyUsage)
        assert usage.critical
        assert usage.value.key_cert_sign == (name == AUTHORITY) != usage.value.digital_signature
        assert extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value.digest
        if name != AUTHORITY:
            purposes = set(extensions.get_extension_for_class(x509.ExtendedKeyUsage).value)
            assert ExtendedKeyUsageOID.CLIENT_AUTH in purposes
            assert (ExtendedKeyUsageOID.SERVER_AUTH in purposes) == (name == nats_permissions.SERVER)
        assert ring.days_left(name) == pytest.approx(20 * 365, abs=0.01)
    assert ring.options("C1")["tls"].verify_flags & ssl.VERIFY_X509_STRICT


def test_a_renewed_server_has_a_host_name_more_and_devices_notice_nothing(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(card_room(), ring, ["localhost"])
    device = {path.name: path.read_bytes() for path in ring.folder.glob("C1.*")}
    secret = (ring.folder / "server.key").read_bytes()
    server = EmbeddedNats(
        tmp_path / "log", NatsPlan(tls=ring.certificate(nats_permissions.SERVER), users=users)
    )

    async def connect(host: str) -> None:
        url = f"tls://{host}:{server.port}"
        client = await nats.connect(url, allow_reconnect=False, connect_timeout=30, **ring.options("C1"))
        await client.close()

    server.start()
    try:
        asyncio.run(connect("localhost"))
        with pytest.raises(ssl.SSLCertVerificationError):
            asyncio.run(connect("127.0.0.1"))
        nats_permissions.make_keys(card_room(), ring, ["localhost", "127.0.0.1"])
        server.stop()
        server.start()
        asyncio.run(connect("127.0.0.1"))
        asyncio.run(connect("localhost"))
    finally:
        server.remove()
    assert (ring.folder / "server.key").read_bytes() == secret
    assert device == {path.name: path.read_bytes() for path in ring.folder.glob("C1.*")}


def test_a_stolen_key_opens_nothing_after_it_is_replaced(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(card_room(), ring)
    stolen = KeyRing(tmp_path / "stolen")
    shutil.copytree(ring.folder, stolen.folder)
    tls = ring.certificate(nats_permissions.SERVER)
    server = EmbeddedNats(tmp_path / "log", NatsPlan(tls=tls, users=users))

    async def connect(keys: KeyRing, name: str) -> None:
        url = f"tls://127.0.0.1:{server.port}"
        client = await nats.connect(url, allow_reconnect=False, connect_timeout=30, **keys.options(name))
        await client.close()

    server.start()
    try:
        asyncio.run(connect(stolen, "C1"))
        words = ("--keys", str(ring.folder))
        result = CliRunner().invoke(
            application("init"), ["init", *words, "--floor", str(CARD_ROOM), "--replace", "C1"]
        )
        assert result.exit_code == 0, result.output
        server.stop()
        server.plan = replace(server.plan, users=nats_permissions.make_keys(card_room(), ring))
        server.start()
        with pytest.raises(nats.errors.Error):
            asyncio.run(connect(stolen, "C1"))
        asyncio.run(connect(ring, "C1"))
        asyncio.run(connect(stolen, "C2"))
    finally:
        server.remove()


def test_the_command_reissues_every_certificate_for_the_same_keys(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    nats_permissions.make_keys(card_room(), ring)
    before = {path.name: path.read_bytes() for path in ring.folder.iterdir()}
    renew = ["init", "--keys", str(ring.folder), "--renew"]
    result = CliRunner().invoke(application("init"), [*renew, "--host", "books.example"])
    assert result.exit_code == 0, result.output
    after = {path.name: path.read_bytes() for path in ring.folder.iterdir()}
    assert before.keys() == after.keys()
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {name for name in before if name.endswith(".pem")} - {"authority.pem"}
    assert ring.hosts(nats_permissions.SERVER) == ["127.0.0.1", "localhost", "books.example"]
    (ring.folder / "authority.key").unlink()
    result = CliRunner().invoke(application("init"), renew)
    assert isinstance(result.exception, ProblemsError), "the authority's key is not in this folder"
