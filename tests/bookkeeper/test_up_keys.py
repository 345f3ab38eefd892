"""`feltwork up` with the keys of a house: tables come over TLS, each for itself, and nobody else does."""

import asyncio
import json
import os
import shutil
import signal
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import nats
import pytest
from nats.errors import Error

from feltwork.cli.secret_prompt import variable_of
from feltwork.simulation.stage import PIN, badge_of, open_site
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.servers.ports import free_port
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.bookkeeper.house import House
from tests.bookkeeper.running import Up, children_of, command, running
from tests.support.books import Books, new_books
from tests.support.commands import run
from tests.wire.floors import CARD_ROOM

FLOOR = ("--floor", str(CARD_ROOM))
DEALER = ("--badge", badge_of("dana"))
PINS = {variable_of("PIN", badge_of("dana")): PIN}
ROUND = "wait\nseats 1 2 3\nsensor 1 on\nsensor 3 on\nstart\nend\nquit\n"


@dataclass
class Room:
    """A card room that runs with its keys."""

    house: House
    keys: Path
    url: str
    up: Up
    service: str

    def device(self, table: str) -> Path:
        """What is brought to a table: four files, and nothing else."""
        folder = self.house.folder / f"device-{table}"
        folder.mkdir(exist_ok=True)
        for name in (f"{table}.pem", f"{table}.key", f"{table}.seed", "authority.pem"):
            shutil.copy(self.keys / name, folder)
        return folder

    def table(self, table: str, *options: str) -> subprocess.CompletedProcess[str]:
        """A table's controller that plays one round."""
        words = command("table", table, *FLOOR, "--nats", self.url, *DEALER, *options)
        env = {**os.environ, **PINS}
        return subprocess.run(
            words, input=ROUND, capture_output=True, text=True, check=False, timeout=120, env=env
        )


@pytest.fixture(scope="module")
def room(server: EmbeddedPostgres) -> Iterator[Room]:
    folder = Path(tempfile.mkdtemp(prefix="feltwork-keys-"))
    books = Books(server, new_books(server, "up_keys"))
    house, keys, port, http = House(folder, books=books), folder / "keys", free_port(), free_port()
    try:
        open_site(house.postgres.dsn(), CARD_ROOM.read_text(encoding="utf-8"))
        assert run("init", "--keys", str(keys), *FLOOR, FELTWORK_DSN="").returncode == 0
        (keys / "authority.key").unlink()  # locked away, as the guide says
        nats_at = ("--nats-host", "127.0.0.1", "--nats-port", str(port))
        options = ("--folder", str(folder / "up"), "--keys", str(keys), *nats_at)
        with running("up", "--dsn", house.dsn, *options, "--port", str(http), "--plain-http") as up:
            started = "SELECT count(*) FROM books.audit WHERE what = 'start'"
            house.until(lambda: house.ask(started))  # the bookkeeper lets tables in
            yield Room(house, keys, f"tls://127.0.0.1:{port}", up, f"http://127.0.0.1:{http}")
    finally:
        house.close()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.requirement("GEN-07", "GL-07")
def test_a_table_with_its_key_plays_a_round_into_the_books(room: Room) -> None:
    assert f"with keys: tables connect over TLS, each with its own key; here at {room.url}" in room.up.said
    played = room.table("B1", "--keys", str(room.device("B1")))
    assert played.returncode == 0, played.stderr
    assert [line for line in played.stdout.splitlines() if line.startswith("no")] == []
    room.house.until(lambda: room.house.booked("B1") == "{[1,2)}")
    assert room.house.ask("SELECT seats FROM books.round WHERE table_id = 'B1'") == [1, 3]
    room.house.check()


@pytest.mark.requirement("GEN-07", "GL-07")
def test_a_table_without_a_key_gets_no_connection(room: Room) -> None:
    refused = room.table("B2")
    assert (refused.returncode, "no connection" in refused.stderr) == (2, True), refused.stderr
    stranger = KeyRing(room.house.folder / "stranger")
    stranger.make_authority("elsewhere")
    stranger.make("B2")
    unknown = room.table("B2", "--keys", str(stranger.folder))
    assert (unknown.returncode, "no connection" in unknown.stderr) == (2, True), unknown.stderr
    assert room.house.booked("B2") == "{}"

    async def with_the_certificate_alone() -> None:
        options = KeyRing(room.device("B2")).options("B2")
        await nats.connect(room.url, tls=options["tls"], allow_reconnect=False, connect_timeout=30)

    with pytest.raises((Error, ssl.SSLError, OSError), match="Authorization"):
        asyncio.run(with_the_certificate_alone())


@pytest.mark.requirement("GEN-07")
def test_a_table_with_the_key_of_another_is_refused(room: Room) -> None:
    device = room.house.folder / "disguised"
    shutil.copytree(room.device("B3"), device)
    for kind in ("pem", "key", "seed"):
        (device / f"B3.{kind}").rename(device / f"B4.{kind}")
    disguised = subprocess.run(
        command("table", "B4", *FLOOR, "--nats", room.url, "--keys", str(device)),
        input="start\nquit\n", capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert disguised.returncode == 2, disguised
    assert "NATS does not allow this with the table's key" in disguised.stderr
    assert room.house.booked("B4") == "{}"


class Dealer:
    """A table whose chips somebody moves, and what a screen shows of it."""

    def __init__(self, room: Room, table: str, *options: str) -> None:
        self.room, self._table = room, table
        keys = ("--keys", str(room.device(table)))
        words = command("table", table, *FLOOR, "--nats", room.url, *keys, *options)
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **PINS}
        )
        self._headers: dict[str, str] = {}

    def press(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def shows(self) -> tuple[str, list[int], str, list[int]]:
        """Whether sensors are heard and which seats are lit: on the dealer's screen, on the floor plan."""
        try:
            if not self._headers:
                credentials = {"badge": badge_of("dana"), "pin": PIN, "place": "B5"}
                token = httpx.post(
                    f"{self.room.service}/api/v1/sign-in", json=credentials, timeout=30
                ).json()["token"]
                self._headers = {"Authorization": f"Bearer {token}"}
            screen, plan = (
                httpx.get(f"{self.room.service}{path}.json", headers=self._headers, timeout=30).json()
                for path in (f"/dealer/sevens/{self._table}", "/floor")
            )
        except httpx.TransportError:
            return "away", [], "away", []
        [place] = [table for pit in plan["pits"] for table in pit["tables"] if table["id"] == self._table]
        return screen["sensors"], _lit(screen), place["sensors"], _lit(place)


def _lit(view: dict[str, Any]) -> list[int]:
    return [seat["seat"] for seat in view["seats"] if seat["lit"]]


def test_a_table_serves_its_metrics(room: Room) -> None:
    port = free_port()
    dealer = Dealer(room, "B3", "--metrics-port", str(port), *DEALER)
    metrics = {}

    def read() -> dict[str, float]:
        try:
            text = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
        except httpx.TransportError:
            return {}
        lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
        metrics.update({name: float(value) for name, _, value in lines})
        return metrics

    about = '{link="sevens",table="B3"}'
    try:
        dealer.press("wait", "seats 1 2", "sensor 1 on", "start")
        room.house.until(lambda: read().get(f"feltwork_table_booked_round{about}") == 1)
    finally:
        dealer.process.communicate("end\nquit\n", timeout=60)
    assert metrics["feltwork_nats_connected"] == 1
    assert metrics[f"feltwork_table_round{about}"] == 1
    assert metrics[f"feltwork_table_unsent_messages{about}"] == metrics[f"feltwork_table_cut_off{about}"] == 0


@pytest.mark.requirement("GL-04")
def test_screens_show_what_sensors_on_the_wire_see(room: Room) -> None:
    dealer = Dealer(room, "B5")
    try:
        dealer.press("wait", "seats 1 2 6", "sensor 2 on", "sensor 6 on")
        room.house.until(lambda: dealer.shows() == ("lit", [2, 6], "lit", [2, 6]))
        dealer.press("sensor 6 off")
        room.house.until(lambda: dealer.shows() == ("lit", [2], "lit", [2]))
        # A service that comes later hears that the table lives, and asks the log what it said last.
        os.kill(children_of(room.up.process.pid)["serve"], signal.SIGKILL)
        room.house.until(lambda: dealer.shows()[0] == "away")
        room.house.until(lambda: dealer.shows() == ("lit", [2], "lit", [2]))
    finally:
        dealer.process.communicate("quit\n", timeout=60)
    room.house.until(lambda: dealer.shows() == ("silent", [], "silent", []))


@pytest.mark.whole
@pytest.mark.requirement("GEN-07", "GL-12", "WA-05")
def test_the_real_site_passes_the_conformance_suite(room: Room) -> None:
    result = subprocess.run(
        command(
            "dev", "conformance", "--nats", room.url, "--as", "device", *FLOOR,
            "--keys", str(room.device("C1")),
            "--table", "C1", "--other-table", "C2", "--seconds", "60", *DEALER, "--json",
        ),
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    checks: list[dict[str, Any]] = json.loads(result.stdout)
    assert {check["name"]: check["verdict"] for check in checks} == dict.fromkeys(
        (check["name"] for check in checks), "pass"
    ), checks
    assert (result.returncode, len(checks)) == (0, 9)
    room.house.until(lambda: room.house.booked("C1") == "{[1,3)}")


@pytest.mark.requirement("GEN-07")
@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--nats-host", "0.0.0.0"), "without keys, NATS listens on this machine only"),
        (("--keys", "{folder}/nowhere"), "key of books: there is none"),
    ],
    ids=["no keys", "an empty folder"],
)
def test_a_log_for_other_machines_needs_keys(room: Room, options: tuple[str, ...], what: str) -> None:
    folder = str(room.house.folder)
    words = [word.format(folder=folder) for word in options]
    refused = run("up", "--dsn", room.house.dsn, "--folder", f"{folder}/refused", *words)
    assert (refused.returncode, what in refused.stderr) == (2, True), refused.stderr
