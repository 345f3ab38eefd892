"""The wire between sites and their hub: messages survive it, and nobody speaks or listens for another."""

import asyncio
import ssl
from dataclasses import replace
from pathlib import Path
from typing import Any

import nats
import pytest
from nats.errors import Error

from feltwork.problem import ProblemsError
from feltwork.progressive.network import messages as m
from feltwork.servers import nats_permissions
from feltwork.servers.nats import EmbeddedNats, NatsPlan
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.wire import network
from tests.wire.conftest import Begin

HASH = "a" * 64
END: dict[str, Any] = {"link": "N.1", "site": "A.1", "entry": 7, "hash": HASH}
SUM = m.SiteSum(
    link="N.1",
    site="A.1",
    entry=7,
    hash=HASH,
    version=HASH,
    wagers=3,
    accrued={"mega": 720_000},
    reserved={"mega": 1},
    returned={"mega": 0},
    seen=5,
    seen_hash=HASH,
)
CLAIM = m.ClaimUp(
    link="N.1",
    site="A.1",
    award="A.1:T1:1:1:1",
    seat=1,
    hand="four_aces",
    cards="",
    by="dana",
    version=HASH,
    shown=5,
    sum=SUM,
)
UPS: list[m.Up] = [
    SUM,
    CLAIM,
    m.ReadyUp(link="N.1", site="A.1", version=HASH, shown=5, sum=SUM),
    m.PaidUp(link="N.1", site="A.1", award="A.1:T1:1:1:1", amount=1),
]
DOWNS: list[m.Down] = [
    m.HubSnapshot(**{**END, "site": ""}, at=1, version=HASH, meters={"mega": 1}, change="", open=True),
    m.BookedDown(
        **END,
        booked_entry=7,
        booked_hash="0" * 64,
        passed=1,
        stops=("owes",),
        left=False,
        grants={"A.1:T1:1:1:1": 3},
    ),
    m.GrantDown(**END, award="A.1:T1:1:1:1", level="mega", amount=1),
]


@pytest.mark.parametrize("message", UPS)
def test_a_message_up_comes_back_as_it_was(message: m.Up) -> None:
    subject = network.subject_of(message)
    assert subject.startswith("up.N%2E1.A%2E1.")
    assert network.decode_up(subject, network.encode(message)) == message


@pytest.mark.parametrize("message", DOWNS)
def test_a_message_down_comes_back_as_it_was(message: m.Down) -> None:
    assert network.decode_down(network.subject_of(message), network.encode(message)) == message


def test_a_subject_is_named_for_every_message() -> None:
    kinds = {*network.UP.values(), *network.DOWN.values(), m.HubSnapshot}
    assert kinds == {*m.Up.__args__, *m.Down.__args__}


@pytest.mark.parametrize(
    ("subject", "data"),
    [
        ("up.N%2E1.B.sum", network.encode(SUM)),
        ("up.N2.A%2E1.sum", network.encode(SUM)),
        ("up.N%2E1.A%2E1.claim", network.encode(replace(CLAIM, award="B:T1:1:1:1"))),
        ("up.N%2E1.A%2E1.claim", network.encode(replace(CLAIM, award="A.1:" + "T" * 64))),
        ("up.N%2E1.A%2E1.claim", network.encode(replace(CLAIM, award="A.1:T/1"))),
        ("up.N%2E1.A%2E1.claim", network.encode(replace(CLAIM, sum=replace(SUM, site="B")))),
        ("up.N%2E1.A%2E1.paid", network.encode(SUM)),
        ("up.N%2E1.A%2E1.other", network.encode(SUM)),
        ("up.N%2E1.A%2E1.sum", b'{"v":2,"message":{}}'),
        ("up.N%2E1.A%2E1.sum", b"{"),
        ("up.N%2E1.A%2E1.sum", network.encode(replace(SUM, hash="a" * 20_000))),
    ],
)
def test_a_message_that_is_not_of_its_subject_is_refused(subject: str, data: bytes) -> None:
    with pytest.raises(ProblemsError):
        network.decode_up(subject, data)


class HubServer:
    """The server of a hub with two sites."""

    def __init__(self, begin: Begin, folder: Path) -> None:
        self.ring = KeyRing(folder / "keys")
        users = nats_permissions.make_hub_keys(["A", "B"], self.ring)
        self.server: EmbeddedNats = begin(hub_plan(users, self.ring.certificate(nats_permissions.SERVER)))

    async def connect(self, name: str, subjects: list[str], refused: list[str], **changed: Any) -> Any:
        async def note(error: Exception) -> None:
            refused.append(str(error).lower())

        options = self.ring.options(name) | changed
        client = await nats.connect(self.server.url, error_cb=note, allow_reconnect=False, **options)

        async def hear(message: Any) -> None:
            subjects.append(message.subject)

        return client, hear


@pytest.fixture
def hub(begin: Begin, tmp_path: Path) -> HubServer:
    return HubServer(begin, tmp_path)


def test_a_site_speaks_and_listens_for_itself_only(hub: HubServer) -> None:
    async def play() -> None:
        at_hub: list[str] = []
        at_site: list[str] = []
        refused: list[str] = []
        books, hear = await hub.connect(nats_permissions.HUB, at_hub, refused)
        await books.subscribe("up.>", cb=hear)
        site, listen = await hub.connect("site:A", at_site, refused)
        for subject in ("down.*.A.>", "meters.*"):
            await site.subscribe(subject, cb=listen)
        assert not refused
        foreign = [
            "up.>",
            "up.*.A.>",
            "down.>",
            "down.*.B.>",
            "down.*.>",
            "down.*.*.*",
            "$SYS.>",
            "_INBOX.>",
            "x",
        ]
        for subject in foreign:
            await site.subscribe(subject, cb=listen)
        forged = ["up.N1.B.sum", "down.N1.A.grant", "meters.N1", "$JS.API.INFO", "_INBOX.x", "up.N1.A"]
        for subject in (*forged, "up.N1.A.sum"):
            await site.publish(subject, b"{}")
        await site.flush()
        for subject in ("down.N1.A.grant", "down.N1.B.grant", "meters.N1"):
            await books.publish(subject, b"{}")
        await books.flush()
        await asyncio.sleep(0.3)
        assert at_hub == ["up.N1.A.sum"]
        assert at_site == ["down.N1.A.grant", "meters.N1"]
        for subject in foreign:
            assert any("subscription" in error and f'"{subject.lower()}"' in error for error in refused), (
                subject
            )
        for subject in forged:
            assert any("publish" in error and f'"{subject.lower()}"' in error for error in refused), subject
        await site.close()
        await books.close()

    asyncio.run(play())


def test_the_hubs_server_takes_nothing_below_tls_1_3_and_keeps_nothing(hub: HubServer) -> None:
    async def play() -> None:
        options = hub.ring.options("site:A")
        options["tls"].maximum_version = ssl.TLSVersion.TLSv1_2
        with pytest.raises((OSError, Error)):
            await asyncio.wait_for(
                nats.connect(hub.server.url, allow_reconnect=False, max_reconnect_attempts=0, **options), 5
            )

    asyncio.run(play())
    configuration = hub.server.configuration()
    assert configuration["authorization"]["timeout"] == 30
    assert "jetstream" not in configuration
    assert "leafnodes" not in configuration


def test_a_site_does_not_tell_leaves_other_addresses(tmp_path: Path) -> None:
    configuration = EmbeddedNats(tmp_path, NatsPlan(leaves=True, advertised="10.0.0.1")).configuration()
    assert configuration["leafnodes"]["no_advertise"] is True
