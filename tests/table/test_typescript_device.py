"""The reference controller in TypeScript passes conformance, and wrong settings of it are found."""

import asyncio
import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from feltwork.conformance.device_bench import bench_table
from feltwork.conformance.device_settings import device_settings
from feltwork.site.servers import nats_permissions
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from feltwork.site.servers.nats_keys import KeyRing
from tests.table.benched import failed, site_and_leaf, verdicts_on_program, wait_for_leaf
from tests.table.conftest import EXAMPLES, aquarius, room
from tests.table.test_two_rows import ROOM


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The controller, compiled with the packages of its lock file."""
    folder = tmp_path_factory.mktemp("typescript") / "program"
    ignored = shutil.ignore_patterns("node_modules", "dist")
    shutil.copytree(EXAMPLES / "devices" / "typescript", folder, ignore=ignored)
    for command in (["npm", "ci", "--no-audit", "--no-fund"], ["npm", "run", "build"]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return str(folder / "dist" / "main.js")


class Device:
    """The program at one table, on a server of its own."""

    def __init__(self, program: str, folder: Path) -> None:
        self.program = program
        self.folder = folder

    def command(self, name: str, settings: dict[str, Any], *rest: str) -> list[str]:
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(settings))
        return ["node", self.program, str(path), *rest]

    async def plain(
        self, name: str, floor: Any, table: str, change: Callable[[dict[str, Any]], None] = lambda link: None
    ) -> str:
        settings = asdict(device_settings(floor, table))
        for link in settings["links"]:
            change(link)
        server = EmbeddedNats(self.folder / name, NatsPlan()).start()
        try:
            tested = bench_table(floor, table, domain="")
            return failed(await verdicts_on_program(server, tested, self.command(name, settings)))
        finally:
            server.remove()

    async def with_keys(self) -> str:
        ring = KeyRing(self.folder / "keys")
        users = nats_permissions.make_keys(room(), ring)
        plan = NatsPlan(users=users, tls=ring.certificate(nats_permissions.SERVER))
        server = EmbeddedNats(self.folder / "secured", plan).start()
        settings = asdict(device_settings(room(), "C1"))
        command = self.command("secured", settings, "--keys", str(ring.folder))
        try:
            tested = bench_table(room(), "C1", domain="")
            return failed(await verdicts_on_program(server, tested, command, keys=ring))
        finally:
            server.remove()

    async def on_a_leaf(self) -> str:
        settings = asdict(device_settings(room(), "C1"))
        command = self.command("leaf", settings, "--site-domain", "site")
        tested = replace(bench_table(room(), "C1", domain=""), domain="box")
        with site_and_leaf(self.folder / "leaf") as (site, box):
            await wait_for_leaf(box)
            return failed(await verdicts_on_program(site, tested, command, near=box))


def no_envy(link: dict[str, Any]) -> None:
    for hand in link["hands"]:
        hand["envy"] = 0


def other_paytable(link: dict[str, Any]) -> None:
    link["paytable"] = "0" * 64


@pytest.mark.whole
@pytest.mark.requirement("GEN-07", "GL-12")
def test_the_typescript_controller_passes_with_keys_and_with_two_jackpots(
    program: str, tmp_path: Path
) -> None:
    device = Device(program, tmp_path)

    async def play() -> list[str]:
        return [*await asyncio.gather(device.with_keys(), device.plain("two", ROOM, "B1"))]

    assert asyncio.run(play()) == ["", ""]


@pytest.mark.whole
@pytest.mark.requirement("GEN-07", "GL-12", "WA-31", "LT-13")
def test_it_passes_with_a_key_and_on_a_leaf_node_and_wrong_settings_fail(
    program: str, tmp_path: Path
) -> None:
    device = Device(program, tmp_path)

    async def play() -> dict[str, str]:
        runs = {
            "aquarius": device.plain("aquarius", room(aquarius), "C1"),
            "leaf node": device.on_a_leaf(),
            "wrong paytable": device.plain("paytable", room(), "C1", other_paytable),
            "wrong envy": device.plain("envy", room(), "C1", no_envy),
        }
        return dict(zip(runs, await asyncio.gather(*runs.values()), strict=True))

    assert asyncio.run(play()) == {
        "aquarius": "",
        "leaf node": "",
        "wrong paytable": "paytable",
        "wrong envy": "envy",
    }
