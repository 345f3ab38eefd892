"""The Raspberry Pi controller with mock pins: it passes conformance, and its lights show the round."""

import asyncio
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from examples.devices.raspberry_pi.controller import Pins
from feltwork.conformance.device_bench import BETTORS, bench_table
from feltwork.site.servers.nats import EmbeddedNats, NatsPlan
from tests.table.benched import failed, verdicts_on_program
from tests.table.conftest import EXAMPLES, aquarius, room

PI = EXAMPLES / "devices" / "raspberry_pi"


def command(folder: Path, change: Callable[[str], str]) -> list[str]:
    """The controller with the shipped pins, at pipes in a folder."""
    folder.mkdir()
    floor, pins = folder / "floor.toml", folder / "pins.toml"
    floor.write_text(change((EXAMPLES / "card_room.toml").read_text(encoding="utf-8")))
    text = (PI / "pins.toml").read_text(encoding="utf-8")
    for device in ("badge-reader", "keypad"):
        text = text.replace(f"/dev/input/by-id/usb-{device}-event-kbd", str(folder / device))
    pins.write_text(text)
    options = ("--floor", str(floor), "--pins", str(pins), "--key", str(folder / "key"))
    return [sys.executable, "-m", "tests.table.pi_hands", *options]


async def verdict(folder: Path, change: Callable[[str], str], lines: list[str]) -> str:
    server = EmbeddedNats(folder.with_name(f"{folder.name}-nats"), NatsPlan()).start()
    try:
        tested = bench_table(room(change), "C1", domain="")
        return failed(await verdicts_on_program(server, tested, command(folder, change), show=lines.append))
    finally:
        server.remove()


@pytest.mark.requirement("GEN-07", "GL-12", "LT-01")
def test_the_pi_passes_conformance_and_its_lights_show_the_round(tmp_path: Path) -> None:
    lines: list[str] = []
    assert asyncio.run(verdict(tmp_path / "nexus", lambda text: text, lines)) == ""
    pins = Pins.read(PI / "pins.toml")
    lit = {line for line in lines if line.endswith(" on")}
    assert lit == {f"GPIO{pin} on" for pin in [*pins.rows[0].lights[: len(BETTORS)], pins.ready]}
    assert {line.replace(" on", " off") for line in lit} <= set(lines)


@pytest.mark.whole
@pytest.mark.requirement("LT-03")
def test_the_pi_passes_conformance_with_a_key(tmp_path: Path) -> None:
    assert asyncio.run(verdict(tmp_path / "aquarius", aquarius, [])) == ""


def test_the_wiring_diagram_shows_the_shipped_pins() -> None:
    drawn = subprocess.run([sys.executable, "wiring.py"], cwd=PI, check=True, capture_output=True, text=True)
    assert drawn.stdout == (PI / "wiring.svg").read_text(encoding="utf-8")
    pins = Pins.read(PI / "pins.toml")
    used = [*pins.wagers, *pins.rows[0].chips, *pins.rows[0].lights]
    used += [pins.start, pins.end, pins.misdeal, pins.key, pins.ready]
    assert sorted(used) == list(range(2, 28)), "each pin is used once"
