"""Conformance: what works passes, and each fault is found by the check that is there for it."""

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import nats
import pytest
from nats.aio.client import Client

from feltwork.problem import ProblemsError
from feltwork.servers import nats_permissions
from feltwork.servers.nats import EmbeddedNats, NatsPlan
from feltwork.servers.nats_keys import KeyRing
from feltwork.table.conformance import Check
from feltwork.table.controller import Controller
from feltwork.table.controller_factory import devices_of
from feltwork.table.device_conformance import play_server
from feltwork.table.offline_policy import TablePolicy
from feltwork.table.publisher import TablePublisher
from feltwork.table.server_conformance import ConformanceDevice, DeviceIdentity, play_device
from feltwork.table.simulated_site import SimulatedSite
from feltwork.table.table_controller import TableController
from feltwork.wire.streams import ensure_streams
from feltwork.wire.subjects import subject_of
from feltwork.wire.uplink import encode
from tests.table.conftest import EXAMPLES, FULL, STOP, room, until
from tests.table.test_controller import NEXUS, ROYAL
from tests.table.test_two_rows import CHIPS, LINKS, ROOM

(DEVICE,) = devices_of(room(), "C1", badge="B-dana", pin="2580")
CARELESS = TablePolicy(store_and_forward=True, rounds=None, wagers=None, hours=None, patience=STOP.patience)


def verdicts(checks: list[Check]) -> dict[str, str]:
    return {one.name: one.verdict for one in checks}


async def _press_on(client: Client, policy: TablePolicy, *, signs: bool) -> None:
    """Somebody who presses START GAME and END GAME, and now and then a hand."""
    await ensure_streams(client.jetstream())
    table = Controller(TablePublisher(client, link=NEXUS.id, table="C1"), NEXUS, policy, game="crazy_4")
    await table.open()
    running = asyncio.create_task(table.run(every_seconds=0.2))
    await table.seat(FULL)
    dana = ""
    try:
        while True:
            with suppress(ProblemsError):
                dana = dana or (await table.sign_on(badge="B-dana", pin="2580")).sign_on
                await table.start(by=dana)
                if table.round.number == 3:
                    await table.press(seat=1, hand=ROYAL, by=dana)
                    await until(lambda: not table.claims)
                await table.end(by=dana if signs else "dana")
            await asyncio.sleep(0.1)
    finally:
        running.cancel()


async def _tested(url: str, policy: TablePolicy, *, signs: bool = True) -> list[Check]:
    server, device = await nats.connect(url), await nats.connect(url)
    pressing = asyncio.create_task(_press_on(device, policy, signs=signs))
    checks = await play_server(server, NEXUS.id, seconds=40, silence=5)
    pressing.cancel()
    await asyncio.gather(pressing, return_exceptions=True)
    await device.close()
    await server.close()
    return checks


@pytest.mark.requirement("GEN-07", "GL-12")
def test_our_own_controller_passes_as_a_device(server: EmbeddedNats) -> None:
    found = asyncio.run(_tested(server.url, STOP))
    assert {one.name: one.verdict for one in found} == dict.fromkeys((one.name for one in found), "pass"), (
        found
    )
    assert len(found) == 12


async def _press_on_both(client: Client, *, at_once: bool) -> None:
    """Somebody at a table with two jackpots; a bad device starts each row by itself, and one of them late."""
    await ensure_streams(client.jetstream())
    rows = {
        name: Controller(TablePublisher(client, link=name, table="B1"), link, STOP, game="blackjack")
        for name, link in LINKS.items()
    }
    table = TableController(rows)
    await table.open()
    running = asyncio.create_task(table.run(every_seconds=0.2))
    await table.seat(CHIPS)
    dana, claimed = "", False
    try:
        while True:
            with suppress(ProblemsError):
                dana = dana or (await table.sign_on(badge="B-dana", pin="2580")).sign_on
                if at_once:
                    await table.start(by=dana)
                else:
                    for row in [*rows.values()][: 1 if table.number < 3 else 2]:
                        await row.start(by=dana)
                if not claimed and table.number > 4:
                    claimed = True
                    await rows["sevens"].press(seat=1, hand="three_7s_suited", by=dana)
                    await rows["trilux"].press(seat=1, hand="three_aces_suited", by=dana)
                    await until(lambda: not any(row.claims for row in rows.values()))
            with suppress(ProblemsError):
                if at_once:
                    await table.end(by=dana)
                else:
                    for row in table.playing:
                        await row.end(by=dana)
            await asyncio.sleep(0.1)
    finally:
        running.cancel()


@pytest.mark.requirement("GEN-07", "GL-12", "LT-01")
@pytest.mark.parametrize("at_once", [True, False])
def test_a_device_with_two_jackpots_plays_both_under_one_number(server: EmbeddedNats, at_once: bool) -> None:
    async def play() -> dict[str, str]:
        site, device = await nats.connect(server.url), await nats.connect(server.url)
        pressing = asyncio.create_task(_press_on_both(device, at_once=at_once))
        checks = await play_server(site, *LINKS, seconds=40, silence=5)
        pressing.cancel()
        await asyncio.gather(pressing, return_exceptions=True)
        await device.close()
        await site.close()
        return verdicts(checks)

    found = asyncio.run(play())
    assert found.pop("one number") == ("pass" if at_once else "fail")
    assert found == dict.fromkeys(found, "pass")


def test_a_device_that_plays_on_when_it_is_cut_off_is_found(server: EmbeddedNats) -> None:
    found = verdicts(asyncio.run(_tested(server.url, CARELESS)))
    assert found.pop("cut off") == "fail"
    assert set(found.values()) == {"pass"}


def test_a_device_that_names_nobody_is_found(server: EmbeddedNats) -> None:
    found = verdicts(asyncio.run(_tested(server.url, STOP, signs=False)))
    assert found.pop("signed on") == "fail"
    assert set(found.values()) == {"pass"}


def test_a_device_without_order_is_found_by_the_check_for_it(server: EmbeddedNats) -> None:
    async def play() -> dict[str, str]:
        client, other = await nats.connect(server.url), await nats.connect(server.url)
        await ensure_streams(client.jetstream())
        testing = asyncio.create_task(play_server(client, DEVICE.link, seconds=5, silence=1))
        device = ConformanceDevice(other, DEVICE)
        await asyncio.sleep(1.5)
        await device.open()
        await device.welcome()
        await device.say(device.round(2))
        await device.end(1)
        await other.jetstream().publish(subject_of(device.round(3)), encode(device.round(3)))
        found = verdicts(await testing)
        await client.close()
        await other.close()
        return found

    found = asyncio.run(play())
    assert found["numbers"] == "fail"
    assert found["messages"] == "fail"
    assert found["steps"] == "fail"
    assert found["hello"] == "pass"
    assert found["claims"] == "not seen"


class ForgetfulSite(SimulatedSite):
    """A server that counts whatever comes, as often as it comes."""

    async def _count(self, said: object) -> None:
        self._seen.clear()
        await super()._count(said)  # type: ignore[arg-type]


async def _as_device(url: str, site_type: type[SimulatedSite], *devices: DeviceIdentity) -> dict[str, str]:
    """The verdicts on a server whose last link is of this type."""
    books, table = await nats.connect(url), await nats.connect(url)
    types: list[type[SimulatedSite]] = [*[SimulatedSite] * (len(devices) - 1), site_type]
    sites = [made(books, device.link) for made, device in zip(types, devices, strict=True)]
    for site in sites:
        await site.open()
    found = await play_device(table, *devices)
    for site in sites:
        await site.close()
    await table.close()
    await books.close()
    return verdicts(found)


@pytest.mark.requirement("GL-12")
def test_a_server_that_counts_twice_is_found(server: EmbeddedNats) -> None:
    found = asyncio.run(_as_device(server.url, ForgetfulSite, DEVICE))
    assert found.pop("once") == "fail"
    assert found.pop("rights") == "not seen"
    assert set(found.values()) == {"pass"}


@pytest.mark.requirement("GL-12")
@pytest.mark.parametrize("site_type", [SimulatedSite, ForgetfulSite])
def test_a_table_with_two_jackpots_is_checked_on_both(
    server: EmbeddedNats, site_type: type[SimulatedSite]
) -> None:
    devices = devices_of(ROOM, "B1", badge="B-dana", pin="2580")
    found = asyncio.run(_as_device(server.url, site_type, *devices))
    assert found.pop("rights") == "not seen"
    assert found.pop("once") == ("pass" if site_type is SimulatedSite else "fail")
    assert set(found.values()) == {"pass"}


def test_meters_that_a_house_jackpot_feeds_are_found(server: EmbeddedNats) -> None:
    found = asyncio.run(_as_device(server.url, SimulatedSite, replace(DEVICE, feeds_meters=False)))
    assert found.pop("booked") == "fail"
    assert found.pop("rights") == "not seen"
    assert set(found.values()) == {"pass"}


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
        site = SimulatedSite(books, NEXUS.id)
        await site.open()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            "from feltwork.cli.main import main; main()",
            *("conformance", "--nats", server.url, "--as", "device", "--table", "C1", "--other-table", "C2"),
            *("--floor", str(EXAMPLES / "card_room.toml"), "--keys", str(ring.folder), "--json"),
            stdout=asyncio.subprocess.PIPE,
        )
        printed, _ = await process.communicate()
        await site.close()
        await books.close()
        return process.returncode, printed

    try:
        status, printed = asyncio.run(play())
    finally:
        server.remove()
    found = {one["name"]: one["verdict"] for one in json.loads(printed)}
    assert set(found.values()) == {"pass"}, found
    assert "rights" in found
    assert status == 0
