"""Runs a simulated floor: tables over the public protocol, the pit over the public API."""

import asyncio
import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nats
from nats.aio.client import Client

from feltwork.problem import Problem, ProblemsError
from feltwork.simulation import players
from feltwork.simulation.controller_driver import Connect, ControllerDriver, Hit
from feltwork.simulation.pit import Pit
from feltwork.simulation.simulated_table import SimulatedTable
from feltwork.simulation.stage import SimulatedCasino, badge_of
from feltwork.simulation.tally import Tally
from feltwork.site.servers.nats_keys import KeyRing
from feltwork.site.table.offline_policy import policy_of

_MINUTE = 60.0
#: How long a stopped table may take to end its round.
_PATIENCE_SECONDS = 30.0


def connector(url: str, keys: Path | None = None) -> Connect:
    """Make the function that connects a table, with its own key if there are keys."""
    ring = KeyRing(keys) if keys else None

    async def quiet(_: Exception) -> None:
        """Ignore errors; the client reconnects."""

    async def connect(table: str) -> Client:
        options: dict[str, Any] = ring.options(table) if ring else {"name": table}
        return await nats.connect(
            url.split(","),
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.25,
            connect_timeout=2,
            ping_interval=3,
            max_outstanding_pings=2,
            error_cb=quiet,
            **options,
        )

    return connect


@dataclass(kw_only=True)
class LiveFloor:
    """The tables and the pit of a simulated floor."""

    house: SimulatedCasino
    tables: dict[str, ControllerDriver]
    pit: Pit | None
    tally: Tally
    dice: random.Random
    _stopping: asyncio.Event = field(default_factory=asyncio.Event)

    async def run(self, *, rounds: int | None = None) -> dict[str, Any]:
        """Play for some rounds, or until stopped; return the counters."""
        besides = [asyncio.create_task(self.pit.run())] if self.pit else []
        tables = [asyncio.create_task(table.run(rounds=rounds)) for table in self.tables.values()]
        everybody = asyncio.create_task(_all(tables))
        besides.append(asyncio.create_task(self._stopped()))
        try:
            await asyncio.wait({everybody, besides[-1]}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.wait({everybody}, timeout=_PATIENCE_SECONDS)
            if everybody.done():
                everybody.result()
        finally:
            for task in [*tables, *besides]:
                task.cancel()
            await asyncio.gather(everybody, *besides, return_exceptions=True)
        return self.counters()

    async def _stopped(self) -> None:
        await self._stopping.wait()

    def stop(self) -> None:
        """Stop every table after its round."""
        self._stopping.set()
        for table in self.tables.values():
            table.stop()

    def force_hit(self, target: str, *, left: bool = False) -> tuple[str, str, str]:
        """Make the next round of a table a hit: ``LEVEL``, ``LINK:LEVEL`` or ``TABLE:LEVEL``.

        With ``left``, the simulated pit ignores the claim.
        """
        place, _, level = target.rpartition(":")
        for name, table in self.tables.items():
            for link in table.links.values():
                if level in link.level_names and place in ("", name, link.id):
                    table.want(Hit(link.id, level, left))
                    return name, link.id, level
        links = {link.id: link for table in self.tables.values() for link in table.links.values()}
        known = ", ".join(
            f"{link.id}:{level_name}" for link in links.values() for level_name in link.level_names
        )
        problem = Problem("--force-hit", f"no table has {target!r}", f"choose from: {known}")
        raise ProblemsError([problem])

    def counters(self) -> dict[str, Any]:
        """Count what was sent and acknowledged."""
        tally = self.tally
        return {
            "tables": len(self.tables),
            "rounds": len(tally.kept),
            "wagers": tally.wagers,
            "amount": tally.amount,
            "ended": len(tally.kept_ends),
            "voided": len(tally.voided),
            "claims": len(tally.kept_claims),
            "awards": {kind.lower(): len(awards) for kind, awards in tally.answers.items()},
        }


async def _all(tasks: Iterable[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


def live_floor(
    house: SimulatedCasino,
    connect: Connect,
    *,
    seed: object = 1,
    rounds_per_minute: float = 2.0,
    service: str = "",
    only: Collection[str] = (),
    tally: Tally | None = None,
    site_domain: str = "",
    exact: bool = False,
) -> LiveFloor:
    """Build a simulated floor; with 0 ``rounds_per_minute`` it plays as fast as possible."""
    tally = Tally() if tally is None else tally
    today = datetime.now(tz=UTC).date()
    known = {link.id: link for link in house.floor.links}
    # The first dealer is the one that people sign in as, where there are several.
    dealers = house.people["dealer"][1:] or house.people["dealer"]
    tables: dict[str, ControllerDriver] = {}
    for table in house.floor.tables:
        links = [link.id for link in house.floor.links_of(table) if link.id in known]
        if links and (not only or table.id in only):
            tables[table.id] = ControllerDriver(
                simulated=SimulatedTable(
                    house.floor, table, seed=seed, best=players.best_play(table, exact=exact)
                ),
                links={link: house.links[link] for link in links},
                policies={link: policy_of(house.floor, known[link], on=today) for link in links},
                connect=connect,
                tally=tally,
                dealer=badge_of(dealers[len(tables) % len(dealers)]),
                supervisor=badge_of(house.people["supervisor"][0]),
                pace_seconds=_MINUTE / rounds_per_minute if rounds_per_minute else 0.0,
                site_domain=site_domain,
            )

    def is_left(award: Mapping[str, Any]) -> bool:
        return award["table"] in tables and award["round"] in tables[award["table"]].left

    pit = None
    if service:
        dice = random.Random(f"{seed}/pit")
        pit = Pit(url=service, house=house, tally=tally, dice=dice, is_left=is_left)
    return LiveFloor(house=house, tables=tables, pit=pit, tally=tally, dice=random.Random(f"{seed}/hits"))
