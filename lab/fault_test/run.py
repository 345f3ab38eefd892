"""The fault test: inject faults under load, then compare the books with what tables sent."""

import asyncio
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError

from feltwork.simulation.floors import room_text
from feltwork.simulation.people_client import NO_ANSWER
from feltwork.simulation.pit import Pit
from feltwork.simulation.stage import SimulatedCasino, badge_of, open_site
from feltwork.simulation.tally import Tally
from feltwork.site.books.audit.audit import export_books
from feltwork.site.books.connection import connect
from feltwork.site.books.watch.alarms import open_alarms
from feltwork.site.wire.streams import AT_A_TABLE, ensure_streams
from feltwork.site.wire.tcp_relay import TcpRelay
from feltwork.site.wire.uplink import RoundStarted
from lab.fault_test.attackers import Attackers
from lab.fault_test.cluster import PIT, SITE, FaultTestCluster
from lab.fault_test.comparison import Books, BooksComparison, compare
from lab.fault_test.devices import SimulatedDevice, count_waiting
from lab.fault_test.faults import FaultInjector

STORM = "storm"
DEVICES = ("D1", "D2", "D3")
ROUNDS_PER_MINUTE = 40.0
HIT_EVERY_SECONDS = 4.0
#: The claims of a round come late while the books are broken; one that comes after the others are confirmed
#: is refused.
ENTERS_SECONDS = 6.0
#: No faults in the last seconds of a run.
CALM_SECONDS = 2.0
#: The minimum number of attacks, and how long the run is extended to reach it.
LEAST_ATTACKS, ATTACK_SECONDS = 5_000, 240.0
#: The time allowed for the start; a slower start shortens the time for faults.
START_SECONDS = 16.0
DRAIN_SECONDS = 14.0
#: How long to wait for acknowledged messages while no more are booked.
UNREAD_SECONDS = 60.0
#: Longer runs wait longer for the last payment.
PATIENT_FROM_SECONDS = 40.0


@dataclass
class Torture:
    """One run of the fault test."""

    seconds: float
    seed: int
    say: Callable[[str], None]
    #: The folder for logs and the bundle, if they are kept.
    keep: Path | None = None
    #: Lose one acknowledged round on purpose.
    drop_one: bool = False
    #: Attack as well, with stolen keys, a dishonest dealer and an outsider.
    adversarial: bool = False
    _began: float = field(default_factory=time.monotonic)
    _marks: dict[str, float] = field(default_factory=dict)
    #: Messages that were not booked when the devices stopped; None if no server answered.
    _backlog: int | None = None

    async def run(self) -> dict[str, Any]:
        """Start, inject faults, drain and compare; return the report."""
        folder = Path(tempfile.mkdtemp(prefix="feltwork-torture-"))
        folder.chmod(0o755)
        floor_file = folder / "floor.toml"
        floor_file.write_text(room_text(STORM), encoding="utf-8")
        stage = FaultTestCluster(folder, floor_file, self.seed)
        try:
            return await self._run(stage)
        finally:
            stage.remove()
            if self.keep:
                shutil.copytree(folder, self.keep, ignore=shutil.ignore_patterns("books", "jetstream"))
            shutil.rmtree(folder, ignore_errors=True)

    async def _run(self, stage: FaultTestCluster) -> dict[str, Any]:
        house, line, client = await self._start(stage)
        tally = Tally()
        devices = [_device(house, client, name, tally, self.seed) for name in DEVICES]
        pit = Pit(
            url=stage.service,
            house=house,
            tally=tally,
            dice=random.Random(f"{self.seed}/pit"),
            enters_seconds=ENTERS_SECONDS,
        )
        nemesis = FaultInjector(
            stage=stage,
            line=line,
            devices=devices,
            dice=random.Random(f"{self.seed}/nemesis"),
            say=lambda kind: self.say(f"{self._clock():6.1f} s  {kind}"),
        )
        attackers = self._attackers(stage, house, client, tally, devices) if self.adversarial else None
        playing = [asyncio.create_task(device.run()) for device in devices]
        besides = [asyncio.create_task(pit.run()), asyncio.create_task(_look_after(stage))]
        attacking = [asyncio.create_task(attackers.run())] if attackers else []
        try:
            await self._first_rounds(stage)
            await nemesis.run(min(self.seconds, self.seconds + START_SECONDS - self._clock()) - CALM_SECONDS)
            await asyncio.sleep(CALM_SECONDS)
            self._mark("broken")
            if attackers:
                # A busy machine attacks more slowly; this keeps the run as thorough.
                with suppress(TimeoutError):
                    await asyncio.wait_for(attackers.reach(LEAST_ATTACKS), ATTACK_SECONDS)
            for task in attacking:
                task.cancel()
            for device in devices:
                device.stop()
            await asyncio.gather(*playing)
            self._mark("stopped")
            await self._drain(stage, client, pit)
        finally:
            for task in (*besides, *playing, *attacking):
                task.cancel()
            await asyncio.gather(*besides, *playing, *attacking, return_exceptions=True)
            await client.close()
            await line.cut()
        for place in (SITE, PIT):
            tally.join(Tally.reading(stage.tally(place)))
        if self.drop_one:
            _drop(tally, house)
        bundle = stage.folder / "bundle"
        with connect(stage.dsn) as connection:
            export_books(connection, bundle)
        if attackers:
            attackers.expect_booked(Books(bundle))
        report = self._report(stage, compare(bundle, tally, dict(house.links)), nemesis, pit)
        return report | self._attacks(stage, report, attackers) if attackers else report

    async def _start(self, stage: FaultTestCluster) -> tuple[SimulatedCasino, TcpRelay, Client]:
        owner = await asyncio.to_thread(stage.start_servers)
        self.say(f"{self._clock():6.1f} s  PostgreSQL and three NATS nodes are up")
        opening = asyncio.create_task(asyncio.to_thread(open_site, owner, room_text(STORM)))
        copying = asyncio.create_task(asyncio.to_thread(stage.start_standbys))
        line = await TcpRelay(*(node.leaf_port for node in stage.nodes)).start()
        await asyncio.to_thread(stage.start_leaf, line.port)
        client = await _connected(stage.site_url)
        below = await _connected(stage.leaf.url)
        await _patiently(lambda: ensure_streams(client.jetstream(), replicas=3))
        await _patiently(lambda: ensure_streams(below.jetstream(), AT_A_TABLE))
        await below.close()
        house, _ = await asyncio.gather(opening, copying)
        stage.start_programs(rounds_per_minute=ROUNDS_PER_MINUTE, hit_every=HIT_EVERY_SECONDS)
        self.say(f"{self._clock():6.1f} s  the house is open")
        self._mark("started")
        return house, line, client

    async def _first_rounds(self, stage: FaultTestCluster) -> None:
        """Wait until the tables at the site and at the pit play, so that faults hit them."""
        while self._clock() < START_SECONDS and not all(
            stage.tally(place).stat().st_size for place in (SITE, PIT)
        ):
            await asyncio.sleep(0.1)
        self._mark("played")

    async def _drain(self, stage: FaultTestCluster, client: Client, pit: Pit) -> None:
        """Wait until all rounds are booked and all awards are paid."""
        with suppress(NatsError, OSError, TimeoutError):
            self._backlog = await _unread(client, list(pit.house.links))
        patient = DRAIN_SECONDS if self.seconds > PATIENT_FROM_SECONDS else 0
        last_award = time.monotonic() + DRAIN_SECONDS + patient
        tables = [program for name, program in stage.programs.items() if name.startswith("tables-")]
        ended = await asyncio.gather(
            *(asyncio.to_thread(program.stop, DRAIN_SECONDS + patient) for program in tables)
        )
        if not all(ended):
            self.say(f"{self._clock():6.1f} s  some tables did not end by themselves")
        least, progress = float("inf"), last_award
        while time.monotonic() < progress + UNREAD_SECONDS:
            with suppress(NatsError, TimeoutError, *NO_ANSWER):
                paid = time.monotonic() > last_award or not await pit.open_awards()
                unread = await _unread(client, list(pit.house.links))
                if paid and not unread:
                    break
                if unread < least:
                    least, progress = unread, max(progress, time.monotonic())
            await asyncio.sleep(0.2)
        self._mark("drained")

    def _report(
        self, stage: FaultTestCluster, verdict: BooksComparison, nemesis: FaultInjector, pit: Pit
    ) -> dict[str, Any]:
        self._mark("checked")
        return {
            "seed": self.seed,
            "seconds": self.seconds,
            "faults": dict(sorted(nemesis.faults.items())),
            "fault_count": sum(nemesis.faults.values()),
            "unconfirmed": nemesis.unconfirmed,
            **{name: value for name, value in asdict(verdict).items() if name != "problems"},
            "problems": verdict.problems,
            "refused_by_service": pit.news[-5:] if verdict.problems else [],
            "restarts": {
                name: program.restarts for name, program in stage.programs.items() if program.restarts
            },
            "backlog": self._backlog,
            "took": {name: round(at, 1) for name, at in self._marks.items()},
        }

    def _attackers(
        self,
        stage: FaultTestCluster,
        house: SimulatedCasino,
        client: Client,
        tally: Tally,
        devices: Sequence[SimulatedDevice],
    ) -> Attackers:
        return Attackers(
            client=client,
            url=stage.service,
            link=house.links["devices"],
            tally=tally,
            dice=random.Random(f"{self.seed}/attackers"),
            foreign_sign_on=lambda: devices[0].sign_on,
        )

    def _attacks(
        self, stage: FaultTestCluster, report: dict[str, Any], attackers: Attackers
    ) -> dict[str, Any]:
        accepted = attackers.accepted(Books(stage.folder / "bundle"))
        with connect(stage.dsn) as connection:
            alarms = len(open_alarms(connection))
        lost = sum(report[what]["lost"] for what in ("rounds", "ends", "awards"))
        return {
            "attacks": sum(attackers.attacks.values()),
            "kinds": len(attackers.attacks),
            "attack_kinds": dict(sorted(attackers.attacks.items())),
            "accepted": len(accepted),
            "honest_lost": lost,
            "alarms": alarms,
            "problems": [*report["problems"], *(f"accepted: {what}" for what in accepted[:10])],
        }

    def _clock(self) -> float:
        return time.monotonic() - self._began

    def _mark(self, name: str) -> None:
        self._marks[name] = self._clock()


async def _look_after(stage: FaultTestCluster) -> None:
    while True:
        await asyncio.sleep(0.5)
        for program in stage.programs.values():
            program.restart_if_dead()


def _drop(tally: Tally, house: SimulatedCasino) -> None:
    """Add a round to the tally that was never sent."""
    link = house.links["devices"]
    number = 1 + max((number for _, table, number in tally.rounds if table == DEVICES[0]), default=0)
    dropped = RoundStarted(
        link=link.id,
        at=0,
        table=DEVICES[0],
        round=number,
        step=0,
        sign_on="",
        wager=link.wager,
        seats=(1, 2),
        version=link.fingerprint,
    )
    tally.sent(dropped)
    tally.acknowledged(dropped)


def _device(house: SimulatedCasino, client: Client, table: str, tally: Tally, seed: int) -> SimulatedDevice:
    seats = house.floor.table_by_id[table].seats
    return SimulatedDevice(
        client=client,
        link=house.links["devices"],
        table=table,
        seats=seats,
        dealer=badge_of(house.people["dealer"][0]),
        tally=tally,
        dice=random.Random(f"{seed}/{table}"),
    )


async def _connected(url: str) -> Client:
    async def quiet(_: Exception) -> None:
        """Ignore errors; servers die all the time here."""

    return await nats.connect(
        url.split(","), max_reconnect_attempts=-1, reconnect_time_wait=0.2, connect_timeout=2, error_cb=quiet
    )


async def _patiently(attempt: Callable[[], Any]) -> None:
    """Retry until the cluster has a leader."""
    for _ in range(150):
        try:
            await attempt()
        except (NatsError, TimeoutError):
            await asyncio.sleep(0.1)
        else:
            return
    raise RuntimeError("the cluster did not come up within 15 seconds")


async def _unread(client: Client, links: list[str]) -> int:
    """Count unacknowledged messages at the site and the pit."""
    total = 0
    for domain in ("", PIT):
        js = client.jetstream(domain=domain or None)
        for link in links:
            total += await count_waiting(js, link, domain)
    return total
