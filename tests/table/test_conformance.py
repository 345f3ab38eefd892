"""Conformance: what works passes, and each fault is found by the check that is there for it."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path

import nats
import pytest

from feltwork.conformance.device_bench import bench_table
from feltwork.conformance.device_conformance import play_server
from feltwork.conformance.device_operator import PromptedOperator
from feltwork.conformance.server_conformance import ConformanceDevice, DeviceIdentity, devices_of, play_device
from feltwork.conformance.simulated_site import SimulatedSite
from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.wire.streams import ensure_streams
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.tcp_relay import TcpRelay
from feltwork.site.wire.uplink import encode
from tests.table.benched import NoOperator, verdicts
from tests.table.conftest import EXAMPLES, room
from tests.table.test_controller import NEXUS
from tests.table.test_two_rows import ROOM

(DEVICE,) = devices_of(room(), "C1", badge="B-dana", pin="2580")


def test_a_device_without_order_is_found_by_the_check_for_it(server: EmbeddedNats) -> None:
    async def play() -> dict[str, str]:
        client, other = await nats.connect(server.url), await nats.connect(server.url)
        await ensure_streams(client.jetstream())
        relay = await TcpRelay(server.port).start()
        bench = bench_table(room(), "C1", domain="")
        playing = play_server(client, bench, NoOperator(), relay, seconds=5, silence=1)
        testing = asyncio.create_task(playing)
        device = ConformanceDevice(other, DEVICE)
        await asyncio.sleep(1.5)
        await device.open()
        await device.welcome()
        await device.say(device.round(2))
        await device.end(1)
        await other.jetstream().publish(subject_of(device.round(3)), encode(device.round(3)))
        results = verdicts(await testing)
        await relay.cut()
        await client.close()
        await other.close()
        return results

    verdict_by_check = asyncio.run(play())
    assert verdict_by_check["numbers"] == "fail"
    assert verdict_by_check["messages"] == "fail"
    assert verdict_by_check["steps"] == "fail"
    assert verdict_by_check["hello"] == "pass"
    assert verdict_by_check["claims"] == "not seen"


class ForgetfulSite(SimulatedSite):
    """A server that counts whatever comes, as often as it comes."""

    async def _count(self, message: object) -> None:
        self._seen.clear()
        await super()._count(message)  # type: ignore[arg-type]


async def _as_device(url: str, site_type: type[SimulatedSite], *devices: DeviceIdentity) -> dict[str, str]:
    """The verdicts on a server whose last link is of this type."""
    books, table = await nats.connect(url), await nats.connect(url)
    types: list[type[SimulatedSite]] = [*[SimulatedSite] * (len(devices) - 1), site_type]
    sites = [site_class(books, device.link) for site_class, device in zip(types, devices, strict=True)]
    for site in sites:
        await site.open()
    checks = await play_device(table, *devices)
    for site in sites:
        await site.close()
    await table.close()
    await books.close()
    return verdicts(checks)


@pytest.mark.requirement("GL-12")
def test_a_server_that_counts_twice_is_found(server: EmbeddedNats) -> None:
    results = asyncio.run(_as_device(server.url, ForgetfulSite, DEVICE))
    assert results.pop("once") == "fail"
    assert results.pop("rights") == "not seen"
    assert set(results.values()) == {"pass"}


@pytest.mark.requirement("GL-12")
@pytest.mark.parametrize("site_type", [SimulatedSite, ForgetfulSite])
def test_a_table_with_two_jackpots_is_checked_on_both(
    server: EmbeddedNats, site_type: type[SimulatedSite]
) -> None:
    devices = devices_of(ROOM, "B1", badge="B-dana", pin="2580")
    results = asyncio.run(_as_device(server.url, site_type, *devices))
    assert results.pop("rights") == "not seen"
    assert results.pop("once") == ("pass" if site_type is SimulatedSite else "fail")
    assert set(results.values()) == {"pass"}


def test_meters_that_a_house_jackpot_feeds_are_found(server: EmbeddedNats) -> None:
    results = asyncio.run(_as_device(server.url, SimulatedSite, replace(DEVICE, feeds_meters=False)))
    assert results.pop("booked") == "fail"
    assert results.pop("rights") == "not seen"
    assert set(results.values()) == {"pass"}


def test_a_server_that_does_not_answer_is_found(server: EmbeddedNats) -> None:
    class Silent(SimulatedSite):
        async def open(self) -> None:
            await super().open()
            self.speaks = False

    assert asyncio.run(_as_device(server.url, Silent, replace(DEVICE, table="C2"))) == {
        "welcome": "fail",
        "let in": "not seen",
        "meters": "fail",
    }


@pytest.mark.requirement("GEN-07", "GL-12")
def test_the_command_passes_a_server_with_keys_and_prints_json(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path / "keys")
    users = nats_permissions.make_keys(room(), ring)
    server = EmbeddedNats(
        tmp_path / "site", NatsPlan(users=users, tls=ring.certificate(nats_permissions.SERVER))
    ).start()

    async def play() -> tuple[int | None, bytes]:
        books = await nats.connect(server.url, **ring.options(nats_permissions.BOOKS))
        manages = ring.derived_options(nats_permissions.BOOKS, nats_permissions.STREAMS)
        streams = await nats.connect(server.url, **manages)
        site = SimulatedSite(books, NEXUS.id, streams=streams)
        await site.open()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from feltwork.cli.main import main; main()",
            *(
                "dev",
                "conformance",
                "--nats",
                server.url,
                "--as",
                "device",
                "--table",
                "C1",
                "--other-table",
                "C2",
            ),
            *("--floor", str(EXAMPLES / "card_room.toml"), "--keys", str(ring.folder), "--json"),
            stdout=asyncio.subprocess.PIPE,
        )
        printed, _ = await process.communicate()
        await site.close()
        await books.close()
        await streams.close()
        return process.returncode, printed

    try:
        status, printed = asyncio.run(play())
    finally:
        server.remove()
    results = {row["name"]: row["verdict"] for row in json.loads(printed)}
    assert set(results.values()) == {"pass"}, results
    assert "rights" in results
    assert status == 0


def test_a_person_is_told_each_button_once() -> None:
    lines: list[str] = []
    person = PromptedOperator(lines.append)

    async def follow() -> None:
        await person.power_on()
        for line in ("sign-on 1001 2580", "start", "start", "hand sevens 1 three_7s", "sensor 2 on"):
            await person.press(line)
        await person.press("as 2001 2580 misdeal conformance")
        await person.power_off()

    asyncio.run(follow())
    assert lines == [
        "switch the device on",
        "sign on with badge 1001, PIN 2580",
        "press START GAME",
        "enter the hand sevens 1 three_7s",
        "cover jackpot sensor 2",
        "with badge 2001, PIN 2580: press MISDEAL",
        "cut the power of the device",
    ]
