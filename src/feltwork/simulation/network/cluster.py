"""The servers and processes of a network: a hub with a standby, sites with books, and raw sites."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from feltwork.ledger.chain import GENESIS
from feltwork.operations.context import Policy, connected
from feltwork.operations.links.links import link as link_of
from feltwork.operations.people.pin_key import NO_KEY
from feltwork.operations.schema import migrate
from feltwork.operations.two_person.network import AdmitSite
from feltwork.progressive.link import Link
from feltwork.servers.child_program import ChildProgram
from feltwork.servers.nats import EmbeddedNats
from feltwork.servers.nats_config import hub_plan
from feltwork.servers.nats_keys import KeyRing
from feltwork.servers.nats_permissions import SERVER, make_hub_keys, site_key
from feltwork.servers.postgres import EmbeddedPostgres
from feltwork.servers.replicas import Replicas
from feltwork.simulation.bootstrap import carry_out, open_site
from feltwork.simulation.floor_runner import LiveFloor, connector, live_floor
from feltwork.simulation.floors import room_text
from feltwork.simulation.network.pit import NetworkPit
from feltwork.simulation.network.raw_site import RawSite
from feltwork.simulation.staff import PIN, SimulatedCasino, badge_of
from feltwork.simulation.tally import Tally
from feltwork.wire.tcp_relay import TcpRelay

HUB, LINK = "network-hub", "network-aces"
REAL_SITES = ("north", "south", "west")
_LIMIT = 1_000_000_000_000
_ENVIRONMENT = {"FELTWORK_PIN_KEY": NO_KEY}


def floor_text(site: str) -> str:
    """The floor file of a site, or of the hub."""
    return room_text("network_fault_test").replace("SITE", site)


@dataclass(kw_only=True)
class NetworkSite:
    """A site with its own PostgreSQL, NATS server, bookkeeper, tables and pit."""

    name: str
    books: EmbeddedPostgres
    nats: EmbeddedNats
    #: Its connection to the hub.
    line: TcpRelay
    house: SimulatedCasino
    bookkeeper: ChildProgram
    pit: NetworkPit
    floor: LiveFloor
    tally: Tally = field(default_factory=Tally)

    @property
    def dsn(self) -> str:
        """The DSN of its programs."""
        return self.books.dsn(role="writer")


class NetworkCluster:
    """Everything that a fault test of a network starts, in one folder."""

    def __init__(self, folder: Path, seed: int, sites: int, real: int) -> None:
        self.folder = folder
        self.seed = seed
        self.real_names = REAL_SITES[:real]
        self.raw_names = [f"R{number}" for number in range(sites - real)]
        self.ring = KeyRing(folder / "keys")
        self.sites: dict[str, NetworkSite] = {}
        self.raw: list[RawSite] = []
        self._servers: list[EmbeddedPostgres | EmbeddedNats] = []
        self._programs: dict[str, ChildProgram] = {}
        self._lines: list[TcpRelay] = []
        self.link: Link
        self.house: SimulatedCasino
        self.replicas: Replicas
        self.nats: EmbeddedNats
        self.process: ChildProgram

    async def start(self, *, rounds_per_minute: float) -> None:
        """Start the hub, let every site join it, and start the sites."""
        first, others = await asyncio.to_thread(self._make_books)
        # Sequential, because migrations share their library's state.
        self.house, *houses = [
            await asyncio.to_thread(open_site, server.dsn(), floor_text(name))
            for name, server in {HUB: first, **others}.items()
        ]
        self.link = self.house.links[LINK]
        await asyncio.to_thread(self._start_hub, first, others)
        for name, house in zip(others, houses, strict=True):
            self.sites[name] = await self._start_site(name, others[name], house, rounds_per_minute)
        for name in self.raw_names:
            options = self.ring.options(site_key(name))
            seed, dice = self.ring.seed(site_key(name)).read_bytes(), random.Random(f"{self.seed}/{name}")
            site = RawSite(name, self.link, seed, port=self.nats.port, tls=options["tls"], dice=dice)
            self.raw.append(site)

    def _make_books(self) -> tuple[EmbeddedPostgres, dict[str, EmbeddedPostgres]]:
        """Start the hub's first server, and the sites' servers as copies of it."""
        first = EmbeddedPostgres(self.folder / "n1").start()
        self._servers.append(first)
        migrate(first.dsn())
        first.stop()
        others = {name: first.copied_to(self.folder / name) for name in self.real_names}
        for server in (first, *others.values()):
            server.start()
        self._servers += others.values()
        return first, others

    def _start_hub(self, first: EmbeddedPostgres, others: Mapping[str, EmbeddedPostgres]) -> None:
        users = make_hub_keys([*others, *self.raw_names], self.ring)
        ends = {name: self._end(server) for name, server in others.items()}
        admissions = (
            AdmitSite(
                link=LINK,
                site=name,
                agreement="AG-1",
                key=self.ring.public(site_key(name)),
                limit=_LIMIT,
                floor=floor_text(name),
                entry=ends.get(name, (0, GENESIS))[0],
                hash=ends.get(name, (0, GENESIS))[1],
                reason="opening day",
            )
            for name in (*others, *self.raw_names)
        )
        carry_out(first.dsn(role="writer"), self.house, admissions)
        standby = EmbeddedPostgres(self.folder / "n2")
        self._servers.append(standby)
        self.replicas = Replicas({"n1": first, "n2": standby})
        self.nats = EmbeddedNats(self.folder / "nats", hub_plan(users, self.ring.certificate(SERVER)))
        self._servers.append(self.nats.start())
        keys = ("--keys", str(self.ring.folder))
        self.process = self._run(HUB, "hub", "--dsn", self.replicas.dsn, "--nats", self.nats.url, *keys)

    async def _start_site(
        self, name: str, books: EmbeddedPostgres, house: SimulatedCasino, rounds_per_minute: float
    ) -> NetworkSite:
        nats = EmbeddedNats(self.folder / f"{name}-nats")
        self._servers.append(nats)
        await asyncio.to_thread(nats.start)
        line = await TcpRelay(self.nats.port).start()
        self._lines.append(line)
        where = ("--dsn", books.dsn(role="writer"), "--nats", nats.url, "--name", name)
        hub = ("--hub", f"tls://127.0.0.1:{line.port}", "--hub-keys", str(self.ring.folder))
        tally, dice = Tally(), random.Random(f"{self.seed}/{name}/pit")
        floor = live_floor(
            house,
            connector(nats.url),
            seed=f"{self.seed}/{name}",
            rounds_per_minute=rounds_per_minute,
            tally=tally,
        )
        return NetworkSite(
            name=name,
            books=books,
            nats=nats,
            line=line,
            house=house,
            bookkeeper=self._run(name, "bookkeeper", *where, *hub),
            pit=NetworkPit(dsn=books.dsn(role="writer"), house=house, tally=tally, dice=dice),
            floor=floor,
            tally=tally,
        )

    def restart_dead_programs(self) -> None:
        """Restart programs that ended by themselves."""
        for program in self._programs.values():
            program.restart_if_dead()

    @property
    def restarts(self) -> dict[str, int]:
        """The number of times that each program ended by itself."""
        return {name: program.restarts for name, program in self._programs.items() if program.restarts}

    async def remove(self) -> None:
        """Kill everything."""
        for program in self._programs.values():
            program.kill()
        for line in self._lines:
            await line.cut()
        for server in self._servers:
            await asyncio.to_thread(server.kill)

    def _run(self, name: str, *arguments: str) -> ChildProgram:
        program = self._programs[name] = ChildProgram(name, arguments, self.folder, _ENVIRONMENT)
        program.start()
        return program

    def _end(self, server: EmbeddedPostgres) -> tuple[int, str]:
        """Return the last entry and hash of a site's chain."""
        policy = Policy(key_required=False)
        with connected(server.dsn(role="writer"), policy, place="office") as op:
            view = link_of(op.beside(badge_of(self.house.people["accounting"][0]), PIN), LINK)
        return view.entry, view.hash
