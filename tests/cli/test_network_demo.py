"""The demo of a network as a visitor gets it: a hub and three rooms; one is cut off and comes back."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from feltwork.simulation.network_demo import LINK, ROOMS
from feltwork.simulation.staff import PIN
from tests.cli.test_demo import processes_in

_SECONDS = 120.0
_JSON = {"Accept": "application/json"}


@dataclass
class Network:
    """A demo network that runs, with somebody signed in everywhere."""

    process: subprocess.Popen[str]
    folder: Path
    hub: httpx.Client
    rooms: dict[str, httpx.Client]

    def site(self, name: str) -> dict[str, Any]:
        """A room as the hub has it."""
        (link,) = self.hub.get("/api/v1/network").json()["links"]
        site: dict[str, Any] = next(site for site in link["sites"] if site["site"] == name)
        return site

    def own(self, name: str) -> dict[str, Any]:
        """The network as a room has it."""
        network: dict[str, Any] = self.rooms[name].get(f"/office/links/{LINK}").json()["network"]
        return network

    def waits(self, name: str) -> bool:
        """Whether a claim in the pit of a room waits for the network."""
        claims = self.rooms[name].get("/pit").json()["claims"]
        return "amount" in [claim["waits_for"] for claim in claims]

    def differs(self, name: str) -> int:
        """What a room owes by its own books, less what it owes by the hub's."""
        return int(self.own(name)["owes"] - self.site(name)["owes"])

    def press(self, name: str, to: str) -> list[dict[str, Any]]:
        """Cut a room off, or restore it, with the button on the home page of the hub."""
        answer = self.hub.post(f"/demo/rooms/{name}/{to}")
        assert answer.status_code == 200, answer.text
        rooms: list[dict[str, Any]] = answer.json()
        return rooms


@pytest.fixture
def network() -> Iterator[Network]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-network-"))
    folder.chmod(0o755)  # PostgreSQL does not run as root, and must reach its files
    program = str(Path(sys.executable).with_name("feltwork"))
    process = subprocess.Popen(
        [program, "demo", "--network", "--no-open", "--port", "0"],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if " is ready in " in line:
                break
        else:
            pytest.fail("".join(lines))
        with ExitStack() as stack:
            signed_in = [_signed_in(line) for line in lines[1:-1]]
            for client in signed_in:
                stack.callback(client.close)
            yield Network(process, folder, signed_in[0], dict(zip(ROOMS, signed_in[1:], strict=True)))
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        shutil.rmtree(folder)


def _signed_in(line: str) -> httpx.Client:
    """The place of a line of the table, as the executive whom it names."""
    match = re.search(r"(\S+://\S+) .*(B-\w+) \(executive\)", line)
    assert match is not None, line
    client = httpx.Client(base_url=match[1], timeout=30, headers=_JSON)
    token = client.post("/api/v1/sign-in", json={"badge": match[2], "pin": PIN, "place": "office"}).json()
    client.headers["Authorization"] = f"Bearer {token['token']}"
    return client


def _until(what: str, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + _SECONDS
    while not holds():
        assert time.monotonic() < end, f"still not: {what}"
        time.sleep(0.3)


@pytest.mark.whole
@pytest.mark.requirement("GEN-18")
def test_three_rooms_share_a_jackpot_and_one_is_cut_off(network: Network) -> None:
    for name in ROOMS:
        assert "Cut off" in network.rooms[name].get("/", headers={"Accept": "text/html"}).text
    _until("sums at the hub", lambda: all(network.site(name)["wagers"] for name in ROOMS))
    (hub,) = network.hub.get("/api/v1/network").json()["links"]
    assert hub["meters"]["mega"] > 20_000_000_000, "it grows by what the rooms have passed on"

    rooms = network.press("north", "cut")
    assert [(room["site"], room["is_cut"]) for room in rooms if room["is_cut"]] == [("north", True)]
    _until("a claim that waits", lambda: network.waits("north"))
    _until("no contact at the room", lambda: not network.own("north")["is_in_contact"])
    _until("no contact at the hub", lambda: not network.site("north")["is_in_contact"])
    assert "no contact" in network.hub.get("/network", headers={"Accept": "text/html"}).text
    assert not network.rooms["north"].get(f"/api/v1/links/{LINK}").json()["takes_wagers"]
    booked, other = network.site("north")["wagers"], network.site("valley")["wagers"]
    _until("play at another room", lambda: network.site("valley")["wagers"] > other)
    assert network.site("north")["wagers"] == booked

    assert not any(room["is_cut"] for room in network.press("north", "restore"))
    _until("contact at the hub", lambda: network.site("north")["is_in_contact"])
    _until("its wagers at the hub", lambda: network.site("north")["wagers"] > booked)
    _until("an award that the hub paid for", lambda: network.site("north")["awards"] > 0)
    _until("no difference", lambda: network.differs("north") == 0)
    assert network.rooms["north"].get(f"/api/v1/links/{LINK}").json()["takes_wagers"]

    assert len(processes_in(network.folder)) >= 9, (
        "PostgreSQL, four NATS servers, a hub and three bookkeepers"
    )
    network.process.send_signal(signal.SIGINT)
    output, _ = network.process.communicate(timeout=60)
    assert network.process.returncode == 0, output
    assert output.split("\n")[1:] == ["The demo has stopped and left nothing behind.", ""], output
    assert processes_in(network.folder) == []
    assert list(network.folder.iterdir()) == []
