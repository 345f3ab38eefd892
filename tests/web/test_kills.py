"""The service is killed with -9 at every step of a round and an award; nothing is ever between two steps."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from threading import Timer
from typing import Any

import httpx
import pytest

from feltwork.simulation.stage import light_hash
from feltwork.site.books.audit.replay import audit
from feltwork.site.books.connection import Connection, connect
from feltwork.site.books.people import staff
from feltwork.site.servers.postgres import EmbeddedPostgres
from tests.sizes import size
from tests.support.books import new_books
from tests.web.house import PEOPLE, PIN, TABLES, House

LINK = "kills"
KILLS = size(8, 132)
SEED = 20261115
BADGES = {"badges": [{"badge": f"B-{person}", "pin": PIN} for person in ("sam", "eve")]}
#: The three ways that a round can go: who presses what, and whether the path is the table's or the award's.
ROUNDS: tuple[tuple[tuple[str, str, Any], ...], ...] = (
    (
        ("dana", "table/start", {"wagers": {LINK: [1, 2, 3]}, "players": [1, 2, 3]}),
        ("dana", "link/hand", {"seat": 2, "hand": "four_aces", "cards": "As Ah Ad Ac 2c"}),
        ("dana", "award/confirm", BADGES),
        ("cara", "award/pay", {"form": "check"}),
        ("dana", "link/hand", {"seat": 1, "hand": "three_of_a_kind"}),
        ("dana", "table/end", None),
    ),
    (
        ("dana", "table/start", {"wagers": {LINK: [1, 2]}, "players": [1, 2]}),
        ("dana", "link/hand", {"seat": 1, "hand": "four_aces"}),
        ("sam", "award/void", {"reason": "only three aces", "shown": BADGES["badges"][0]}),
        ("dana", "table/end", None),
    ),
    (
        ("dana", "table/start", {"wagers": {LINK: [4]}, "players": [4]}),
        ("sam", "table/misdeal", {"reason": "a card short"}),
    ),
)
#: Everything that a step may change, each as rows that can be compared.
WATCHED = (
    "SELECT * FROM books.chain_tail ORDER BY link",
    "SELECT * FROM books.balance ORDER BY link, account",
    "SELECT * FROM books.link_state ORDER BY link",
    "SELECT * FROM books.award ORDER BY link, id",
    "SELECT * FROM books.round ORDER BY table_id, number",
    "SELECT * FROM books.booked_rounds ORDER BY table_id",
    "SELECT * FROM books.booked_round_ends ORDER BY table_id",
    "SELECT count(*) FROM books.entry",
    "SELECT count(*) FROM books.round",
    "SELECT count(*) FROM books.round_end",
    "SELECT count(*) FROM books.table_fact",
    "SELECT count(*), count(answer) FROM books.idempotency",
    "SELECT count(*) FROM books.audit WHERE what LIKE '/links/%' OR what LIKE '/tables/%'",
)


class Nursery:
    """Services that are born, killed and born again on one port."""

    def __init__(self, dsn: str) -> None:
        command = [sys.executable, "-m", "tests.web.nursery", dsn]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._said())
        self.pid = 0

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def bear(self) -> None:
        """A new service; the one before it must be dead."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self.pid = int(self._said())

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        with suppress(ProcessLookupError):
            self.kill()
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def dsn(server: EmbeddedPostgres) -> str:
    return server.dsn(new_books(server, "web_kills"), role="writer")


@pytest.fixture
def nursery(dsn: str) -> Iterator[Nursery]:
    with connect(dsn) as connection:
        staff.register_people(connection, PEOPLE, pin=PIN, by="setup", hasher=light_hash)
    nursery = Nursery(dsn)
    nursery.bear()
    try:
        yield nursery
    finally:
        nursery.close()


class Sweep:
    """One seeded walk through rounds in which every request is killed once and sent again."""

    def __init__(self, nursery: Nursery, dsn: str, watcher: Connection) -> None:
        self.nursery = nursery
        self.house = House(f"http://127.0.0.1:{nursery.port}", dsn)
        self.watcher = watcher
        self.dice = random.Random(SEED)
        self.link = self.house.open(LINK)
        self.award = ""
        self.kills = 0
        self.moments: Counter[str] = Counter()
        #: How often each step was killed and at which moments; how long it takes, how many moments it has.
        self.turns: Counter[str] = Counter()
        self.lasts: dict[str, float] = {}
        self.has: dict[str, int] = {}
        self.tried: set[tuple[str, int]] = set()

    def seen(self, *, dead: bool = False) -> list[Any]:
        """The books once nobody writes any more: the server ends what a dead service had begun."""
        busy = """SELECT count(*) FROM pg_stat_activity
                   WHERE datname = current_database() AND pid <> pg_backend_pid()
                     AND (%s OR state <> 'idle')"""
        deadline = time.monotonic() + 20
        while self.watcher.execute(busy, (dead,)).fetchone() != (0,):
            assert time.monotonic() < deadline, "somebody still holds the books"
            time.sleep(0.002)
        return [self.watcher.execute(query.encode()).fetchall() for query in WATCHED]

    def step(self, person: str, what: str, body: Any, table: str) -> None:
        """Kill the service in the middle of a request, look, and send the request again."""
        kind, _, button = what.partition("/")
        name = {
            "table": f"/api/v1/tables/{table}",
            "link": f"/api/v1/links/{self.link}/tables/{table}",
            "award": f"/api/v1/links/{self.link}/awards/{self.award}",
        }[kind]
        if button == "confirm":
            body = {**body, "amount": self.house.get("dana", name)["amount"]}
        key = self.house.key()
        before = self.seen()
        answered = self.kill_during(person, f"{name}/{button}", body, key, step=what)
        killed = self.seen(dead=True)
        self.nursery.bear()
        self.kills += 1
        began = time.monotonic()
        again = self.house.post(person, f"{name}/{button}", body, key=key)
        assert again.status_code == 200, again.text
        after = self.seen()
        assert after != before, "the step is done"
        replayed = again.headers.get("Idempotent-Replay") == "true"
        assert killed == (after if replayed else before), "the state is the one before or after the step"
        assert replayed or answered is None, "what was answered is booked"
        assert answered in (None, again.json()), "the first answer and its repetition are the same"
        self.moments["after" if replayed else "before"] += 1
        if not replayed:
            self.lasts[what], self.has[what] = time.monotonic() - began, int(again.headers["moments"])
        self.award = again.json().get("award") or self.award

    def kill_during(self, person: str, path: str, body: Any, key: str, *, step: str) -> Any:
        """The answer, if it came before the kill: timed by the clock, timed by the books, or after it."""
        turn = self.turns[step]
        self.turns[step] += 1
        headers = {"Idempotency-Key": key}
        timer = Timer(self.dice.uniform(0, self.lasts.get(step, 0.05)), self.nursery.kill)
        by_clock = self.kills % 5 == 0
        if by_clock:
            timer.start()
        elif self.kills % 5 != 1:
            # Multiples of the golden ratio spread over all moments, however many kills there are.
            moment = int(turn * 0.6180339887 % 1 * (self.has.get(step, 20) + 1))
            headers["Kill-At"] = str(moment)
            self.tried.add((step, moment))
        try:
            answer = self.house.of(person).post(path, json=body, headers=headers)
        except httpx.TransportError:
            return None
        finally:
            if by_clock:
                timer.join()
        if not by_clock:
            self.nursery.kill()
        assert answer.status_code == 200, answer.text
        return answer.json()


@pytest.mark.requirement("GEN-09", "GL-03", "GL-12", "LT-03")
@pytest.mark.timeout(900)
def test_after_every_kill_of_the_service_a_step_is_done_or_not_begun(nursery: Nursery, dsn: str) -> None:
    with connect(dsn) as watcher:
        sweep = Sweep(nursery, dsn, watcher)
        try:
            for turn in range(1_000):
                for person, what, body in ROUNDS[turn % len(ROUNDS)]:
                    sweep.step(person, what, body, TABLES[turn % 5])
                if sweep.kills >= KILLS:
                    break
        finally:
            sweep.house.close()
        assert audit(watcher).problems == []
        assert len(sweep.tried) > KILLS // 3, "the kills came at many different moments"
        assert min(sweep.moments["before"], sweep.moments["after"]) > KILLS // 10, sweep.moments
        assert watcher.execute("SELECT count(*) FROM books.gap").fetchone() == (0,)
