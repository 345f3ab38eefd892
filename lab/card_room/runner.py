"""Runs seeds of a simulated card room: play, let everything arrive, the audit."""

import hashlib
import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field

from lab.card_room.auditor import audit_room
from lab.card_room.world import RoomWorld


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedResult:
    """The result of one seed."""

    seed: int
    awards: int
    messages: int
    crashes: int
    differences: tuple[str, ...]
    stuck: tuple[str, ...]
    #: The last hash of its chain: the same on every machine.
    tail: str


@dataclass(kw_only=True)
class VoprReport:
    """The results of several seeds."""

    minutes: int
    cpu_seconds: float = 0
    results: list[SeedResult] = field(default_factory=list)

    @property
    def failed(self) -> list[SeedResult]:
        """The seeds with a difference, or with something stuck."""
        return [result for result in self.results if result.differences or result.stuck]

    @property
    def digest(self) -> str:
        """SHA-256 over a line for each seed with the end of its chain."""
        lines = "\n".join(result.tail for result in self.results)
        return hashlib.sha256(lines.encode()).hexdigest()

    @property
    def plain(self) -> dict[str, int | float | str]:
        """The report as ``--json`` prints it."""
        hours = len(self.results) * self.minutes / 60
        return {
            "seeds": len(self.results),
            "site_hours": round(hours, 2),
            "awards": sum(result.awards for result in self.results),
            "messages": sum(result.messages for result in self.results),
            "crashes": sum(result.crashes for result in self.results),
            "differences": sum(len(result.differences) for result in self.results),
            "stuck": sum(len(result.stuck) for result in self.results),
            "digest": self.digest,
            "site_hours_per_cpu_second": round(hours / self.cpu_seconds, 2) if self.cpu_seconds else 0.0,
        }


def run_room(seed: int, *, tables: int, minutes: int) -> SeedResult:
    """Play one seed: its tables, the log of their messages and its bookkeeper."""
    world = RoomWorld(seed, tables, minutes)
    try:
        world.run()
        differences = audit_room(world)
    except Exception as error:
        # A failed assertion of the rules is a difference too.
        frame = traceback.extract_tb(error.__traceback__)[-1]
        differences = [f"{type(error).__name__} in {frame.name}: {error}"]
    return SeedResult(
        seed=seed,
        awards=len(world.books.state.awards),
        messages=world.messages,
        crashes=world.crashes,
        differences=tuple(differences),
        stuck=tuple(f"step {step} of round {number} at {table}" for table, number, step in world.unsettled),
        tail=world.books.tail.hash,
    )


def run_rooms(seeds: Iterable[int], *, tables: int, minutes: int) -> VoprReport:
    """Play some seeds and measure them."""
    report = VoprReport(minutes=minutes)
    begun = time.process_time()
    report.results += [run_room(seed, tables=tables, minutes=minutes) for seed in seeds]
    report.cpu_seconds = time.process_time() - begun
    return report
