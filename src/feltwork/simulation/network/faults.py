"""The faults of a network: every part of the hub and of the sites, their connections and their messages."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from feltwork.operations.connection import UNAVAILABLE
from feltwork.operations.errors import RefusedError
from feltwork.operations.two_person.network import ReadmitSite
from feltwork.problem import ProblemsError
from feltwork.progressive.network.messages import SiteSum
from feltwork.simulation.bootstrap import carry_out
from feltwork.simulation.controller_driver import Hit
from feltwork.simulation.faults import FaultSchedule
from feltwork.simulation.network.cluster import LINK, NetworkCluster, NetworkSite
from feltwork.simulation.network.raw_site import Manner, RawSite

#: Number of raw sites whose books roll back or whose keys are stolen; they make no claims.
LIARS = 3
#: How long to send a contradiction until the hub stops the site, and to retry a readmission.
_STOP_SECONDS, _READMIT_SECONDS = 20.0, 60.0
#: Kind of fault -> the part it breaks; two parts of the hub may be broken at the same time.
_THINGS = {
    "kill_hub": "hub",
    "freeze_hub": "hub",
    "kill_hub_nats": "hub",
    "fail_over": "hub_postgres",
    "lose_standby": "hub_postgres",
    "kill_hub_postgres": "hub_postgres",
    "kill_bookkeeper": "bookkeeper",
    "freeze_bookkeeper": "bookkeeper",
    "kill_site_postgres": "site",
    "kill_site_nats": "site",
    "cut_line": "line",
    "lose_answers": "line",
    "wrong_hash": "liar",
    "shrinking_sum": "liar",
    "double": "manner",
    "late": "manner",
    "reorder": "manner",
}


@dataclass(kw_only=True)
class NetworkFaults(FaultSchedule):
    """Breaks a network by seed, and repairs it."""

    stage: NetworkCluster
    between: tuple[float, float] = (0.3, 1.0)
    #: A generator for each kind: the same seed makes the same choices, whatever else happens.
    _choices: dict[str, random.Random] = field(default_factory=dict)

    @property
    def kinds(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """All kinds of faults."""
        return {
            "kill_hub": lambda: self._at_hub(self._kill_program(self.stage.process)),
            "freeze_hub": lambda: self._at_hub(self._freeze_program(self.stage.process)),
            "fail_over": lambda: self._at_hub(asyncio.to_thread(self.stage.replicas.fail_over)),
            "kill_hub_postgres": lambda: self._at_hub(asyncio.to_thread(self.stage.replicas.restart)),
            "lose_standby": self._lose_standby,
            "kill_hub_nats": lambda: self._at_hub(self._kill_server(self.stage.nats)),
            "kill_bookkeeper": lambda: self._at_site(lambda site: self._kill_program(site.bookkeeper)),
            "freeze_bookkeeper": lambda: self._at_site(lambda site: self._freeze_program(site.bookkeeper)),
            "kill_site_postgres": lambda: self._at_site(lambda site: self._kill_server(site.books)),
            "kill_site_nats": lambda: self._at_site(lambda site: self._kill_server(site.nats)),
            "cut_line": self._cut_line,
            "lose_answers": self._lose_answers,
            "cut_raw_sites": self._cut_raw_sites,
            "double": lambda: self._misbehave("double"),
            "late": lambda: self._misbehave("late"),
            "reorder": lambda: self._misbehave("reorder"),
            "garbage": self._garbage,
            "wrong_hash": lambda: self._contradict("wrong_hash", RawSite.wrong_hash),
            "shrinking_sum": lambda: self._contradict("shrinking_sum", RawSite.shrunk),
            "wrong_claim": self._wrong_claim,
            "claims_at_once": self._claims_at_once,
        }

    @property
    def things(self) -> Mapping[str, str]:
        """Kind of fault -> the part it breaks, for parts that several kinds break."""
        return _THINGS

    async def mend(self) -> None:
        """Wait for all repairs."""
        await super().mend()
        for site in self.stage.sites.values():
            await site.line.heal()
        for raw in self.stage.raw:
            raw.behave()

    def _dice(self, kind: str) -> random.Random:
        if kind not in self._choices:
            self._choices[kind] = random.Random(f"{self.stage.seed}/{kind}")
        return self._choices[kind]

    def _site(self, kind: str) -> NetworkSite:
        return self._dice(kind).choice(list(self.stage.sites.values()))

    def _some(self, kind: str, least: int) -> list[RawSite]:
        """Choose a tenth of the honest raw sites, and at least this many."""
        honest = self.stage.raw[LIARS:]
        return self._dice(kind).sample(honest, max(min(least, len(honest)), len(honest) // 10))

    async def _at_hub(self, breaking: Awaitable[None]) -> None:
        """Break a part of the hub, wait until it books again, and pause before the next fault there."""
        await breaking
        before = self._booked()
        await self._until(lambda: self._booked() > before)
        if not self._is_over:
            await self._pause(1.0, 3.0)

    def _booked(self) -> int:
        """Return the newest hub entry that any raw site has received."""
        return max(raw.seen for raw in self.stage.raw)

    async def _at_site(self, breaking: Callable[[NetworkSite], Awaitable[None]]) -> None:
        """Break a part of a site, and wait until its table plays again."""
        site = self._site("site")
        await breaking(site)
        before = len(site.tally.kept)
        await self._until(lambda: len(site.tally.kept) > before)

    async def _lose_standby(self) -> None:
        """Kill the standby; commits wait until it is back."""
        replicas = self.stage.replicas
        await self._at_hub(self._kill_server(replicas.servers[replicas.standbys[0]]))

    async def _cut_line(self) -> None:
        line = self._site("line").line
        await line.cut()
        await self._pause(1.0, 4.0)
        await line.heal()

    async def _lose_answers(self) -> None:
        """Deliver the site's messages to the hub, but drop all replies."""
        line = self._site("line").line
        line.loses_answers = True
        await self._pause(1.0, 3.0)
        line.loses_answers = False
        await line.cut()
        await line.heal()

    async def _cut_raw_sites(self) -> None:
        for site in self._some("cut_raw_sites", 2):
            site.cut()

    async def _misbehave(self, manner: Manner) -> None:
        """Let some sites send everything twice, late or in reverse order for a while."""
        sites = self._some(manner, 3)
        for site in sites:
            site.manner = manner
        await self._pause(2.0, 4.0)
        for site in sites:
            site.behave()

    async def _garbage(self) -> None:
        liar = self._dice("garbage").choice(self.stage.raw[:LIARS])
        for subject, data in liar.garbage(self.stage.raw[-1].name):
            liar.write(subject, data)

    async def _contradict(self, kind: str, lie: Callable[[RawSite], SiteSum | None]) -> None:
        """Send a sum that contradicts the books until the hub stops the site; two people then readmit it."""
        liar = self._dice(kind).choice(self.stage.raw[:LIARS])
        end = asyncio.get_running_loop().time() + _STOP_SECONDS
        while not liar.is_stopped and asyncio.get_running_loop().time() < end:
            if (site_sum := lie(liar)) is not None:
                liar.say(site_sum)
            await asyncio.sleep(0.5)
        await self.readmit(liar)

    async def readmit(self, liar: RawSite) -> None:
        """Let two people of the hub readmit a site, retrying while the books are unavailable."""
        end = asyncio.get_running_loop().time() + _READMIT_SECONDS
        while liar.is_stopped and asyncio.get_running_loop().time() < end:
            now = liar.sum()
            command = ReadmitSite(
                link=LINK, site=liar.name, entry=now.entry, hash=now.hash, reason="the books are whole"
            )
            with suppress(*UNAVAILABLE, ProblemsError, RefusedError):
                await asyncio.to_thread(carry_out, self.stage.replicas.dsn, self.stage.house, [command])
            await asyncio.sleep(1.0)

    async def _wrong_claim(self) -> None:
        """Press a wrong button at a raw site, and clear the next claim of a site."""
        (site, *_) = self._some("wrong_claim", 1)
        site.claim(wrong=True)
        self._site("wrong_claim").pit.wrong += 1

    async def _claims_at_once(self) -> None:
        """Let two raw sites and a table of a site win at the same moment."""
        for raw in self._some("claims_at_once", 2)[:2]:
            raw.claim()
        tables = list(self._site("claims_at_once").floor.tables.values())
        self._dice("claims_at_once").choice(tables).want(Hit(LINK, self.stage.link.level_names[0]))
