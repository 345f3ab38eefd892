"""The demo as a visitor gets it: a wheel in a fresh environment, a jackpot, a badge, and nothing left."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.docs.console import ROOT, commands

#: The room is ready in so many seconds on a machine that does nothing else.
READY_SECONDS = 20.0
#: Ctrl-C stops it in so many seconds there, also with open pages.
STOP_SECONDS = 8.0
#: The people of the room answer a claim within ten seconds; one that is left waits longer.
_PATIENCE_SECONDS = 10.0
_STORY = commands("README.md", "start")


@pytest.fixture(scope="module")
def installed() -> Iterator[Path]:
    """Where the programs of a fresh environment are, made as the README says but from the built wheel."""
    folder = Path(tempfile.mkdtemp(prefix="feltwork-wheel-"))
    folder.chmod(0o755)  # PostgreSQL does not run as root, and must reach its files
    try:
        _run("uv", "build", "--wheel", "--quiet", "--out-dir", str(folder / "dist"))
        _run("uv", "venv", "--quiet", str(folder / "fresh"))
        [wheel] = (folder / "dist").glob("*.whl")
        [install] = [shlex.split(line) for line in _STORY if line.startswith("pip install")]
        extras = re.fullmatch(r"feltwork(\[[a-z,]+\])", install[-1])
        assert extras is not None, install
        python = str(folder / "fresh" / "bin" / "python")
        _run("uv", "pip", "install", "--quiet", "--python", python, f"{wheel}{extras[1]}")
        yield folder / "fresh" / "bin"
    finally:
        shutil.rmtree(folder)


def _run(*command: str) -> None:
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert result.returncode == 0, result.stderr


@dataclass
class Shown:
    """A demo that runs."""

    process: subprocess.Popen[str]
    #: Everything that it makes lies below.
    folder: Path
    url: str
    ready_seconds: float
    #: How much slower than alone it is here.
    crowd: float


@pytest.fixture
def demo(installed: Path) -> Iterator[Shown]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-visit-"))
    folder.chmod(0o755)
    [command] = [shlex.split(line) for line in _STORY if line.startswith("feltwork demo")]
    crowd = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    process = subprocess.Popen(
        [installed / command[0], *command[1:], "--no-open", "--port", "0"],
        env={**os.environ, "TMPDIR": str(folder), "PYTHONUNBUFFERED": "1"},
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        for line in process.stdout:
            if match := re.match(r"(\S+) is ready in ([0-9.]+) s", line):
                yield Shown(process, folder, match[1], float(match[2]), crowd)
                break
        else:
            pytest.fail("the demo ended before it was ready")
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        shutil.rmtree(folder)


def _processes(folder: Path) -> list[str]:
    """The processes that have the folder in their command."""
    commands = []
    for about in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = about.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue  # it has ended meanwhile
        if str(folder) in command:
            commands.append(command)
    return commands


def _climbs(client: httpx.Client, link: str) -> tuple[int, int]:
    """Two amounts of the top meter, the second of which is higher."""
    amounts: list[int] = []
    with client.stream("GET", f"/signs/{link}/live", timeout=60) as events:
        for line in events.iter_lines():
            if line.startswith("data: "):
                amounts.append(json.loads(line.removeprefix("data: "))["levels"][0]["amount"])
                if amounts[-1] > amounts[0]:
                    break
    return amounts[0], amounts[-1]


def _award(client: httpx.Client, jackpot: dict[str, str], status: str) -> dict[str, Any] | None:
    for row in client.get("/demo/awards").json():
        award: dict[str, Any] = row
        if (award["table"], award["level"], award["status"]) == (jackpot["table"], jackpot["level"], status):
            return award
    return None


def _claim(client: httpx.Client, jackpot: dict[str, str]) -> dict[str, Any]:
    for _ in range(300):
        if award := _award(client, jackpot, "claimed"):
            return award
        time.sleep(0.2)
    raise AssertionError(f"nobody claimed {jackpot}")


@pytest.mark.whole
def test_from_the_wheel_to_the_badge_and_nothing_left(
    demo: Shown, record_property: Callable[[str, object], None]
) -> None:
    record_property("ready_seconds", demo.ready_seconds)
    assert demo.ready_seconds < READY_SECONDS * demo.crowd
    assert len(_processes(demo.folder)) >= 2  # PostgreSQL and the log
    with httpx.Client(base_url=demo.url, timeout=30, headers={"Accept": "text/html"}) as client:
        assert "Make a jackpot happen" in client.get("/").text
        assert "Four of a Kind" in client.get("/signs/five-card").text
        first, later = _climbs(client, "five-card")
        assert later > first >= 14_218_400_000, "well above its seed of $10,000"

        jackpot = client.post("/demo/jackpot").json()
        claim = _claim(client, jackpot)
        claimed = time.monotonic()
        pins = {person["badge"]: person["pin"] for person in client.get("/sign-in.json").json()["demo"]}
        signed_in = client.post(
            "/api/v1/sign-in", json={"badge": "B-sam", "pin": pins["B-sam"], "place": "pit"}
        )
        assert signed_in.status_code == 200, signed_in.text
        assert jackpot["table"] in client.get("/pit").text
        for door in client.get("/.json").json()["screens"]:
            page = client.get(door["to"])
            assert page.status_code == (200 if door["open"] else 403), door
        time.sleep(max(0.0, claimed + _PATIENCE_SECONDS - time.monotonic()))
        assert _award(client, jackpot, "claimed"), "somebody of the room took the visitor's claim"

        badges = [{"badge": badge, "pin": pins[badge]} for badge in ("B-sam", "B-eve")]
        amount = _confirm(client, f"/api/v1/links/{jackpot['link']}/awards/{claim['id']}", badges)
        wins = client.get(f"/signs/{jackpot['link']}.json").json()["sign"]["wins"]
        assert amount in [win["amount"] for win in wins]
        with client.stream("GET", "/signs/five-card/live") as stream:
            lines = stream.iter_lines()
            assert next(lines).startswith("retry:")
            demo.process.send_signal(signal.SIGINT)
            until = time.monotonic() + STOP_SECONDS * demo.crowd
            assert all(time.monotonic() < until for _ in lines), "the stream does not end"

    output, _ = demo.process.communicate(timeout=60)
    assert time.monotonic() < until
    assert demo.process.returncode == 0
    assert output.split("\n")[1:] == ["The demo has stopped and left nothing behind.", ""], output
    assert _processes(demo.folder) == []
    assert list(demo.folder.iterdir()) == []


def _confirm(client: httpx.Client, award: str, badges: list[dict[str, str]]) -> int:
    """Confirm the amount shown; the meter may grow in between, and then the new amount is confirmed."""
    for attempt in range(10):
        amount = int(client.get(award, headers={"Accept": "application/json"}).json()["hit_amount"])
        headers = {"Idempotency-Key": f"visitor-{attempt}", "Accept": "application/json"}
        confirmed = client.post(
            f"{award}/confirm", json={"badges": badges, "amount": amount}, headers=headers
        )
        if confirmed.status_code == httpx.codes.OK:
            return amount
        assert confirmed.json()["requirement"] == "GEN-10", confirmed.text
    raise AssertionError("the amount changed ten times")


def test_killed_it_leaves_no_process(demo: Shown) -> None:
    assert len(_processes(demo.folder)) >= 2
    demo.process.kill()
    demo.process.wait()
    for _ in range(900):
        if not _processes(demo.folder):
            return
        time.sleep(0.1)
    raise AssertionError(_processes(demo.folder))
