"""The demo of a network: a hub and three card rooms with one jackpot, and a connection to cut for each."""

import asyncio
import socket
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any

from feltwork.operations.people.pin_key import PIN_KEY, init_pin_key
from feltwork.operations.schema import migrate
from feltwork.servers.child_program import ChildProgram
from feltwork.servers.nats_permissions import site_key
from feltwork.servers.temporary import TemporaryNetwork
from feltwork.simulation.bootstrap import admit_site, open_site
from feltwork.simulation.demo import Demo, RoomServers, demo_log, demo_settings, url_of
from feltwork.simulation.floors import NETWORK, network_room_text, room_text
from feltwork.simulation.staff import SimulatedCasino, badge_of
from feltwork.web.app import application
from feltwork.web.http_server import HttpThread
from feltwork.web.screens.demo.page import DemoControls, DemoRoom, NetworkControls
from feltwork.wire.tcp_relay import TcpRelay

HUB = "hub"
LINK = "wide-area"
#: Site id -> display name of each room.
ROOMS: Mapping[str, str] = {
    "north": "Northgate Card Room",
    "harbor": "Harbor Card Room",
    "valley": "Valley Card Room",
}
#: The jackpots that the button of a room deals, in order; the last is its own.
JACKPOTS = (f"{LINK}:mega", f"{LINK}:major", "sevens:mega")
#: The roles to list for sign-in.
_HUB_ROLES = ("accounting", "executive")
_ROOM_ROLES = ("supervisor", "executive", "cage", "dealer")
_LOOK_SECONDS = 0.2
_END_SECONDS = 10.0
_CONTROL_SECONDS = 10.0


class NetworkDemo:
    """A hub and its rooms on temporary servers; the first listener is the hub's."""

    def __init__(self, box: TemporaryNetwork, listeners: Sequence[socket.socket]) -> None:
        self._box = box
        self._listeners = dict(zip((HUB, *ROOMS), listeners, strict=True))
        self.url = url_of(listeners[0])
        self._loop: asyncio.AbstractEventLoop | None = None
        self._relays: dict[str, TcpRelay] = {}
        self._cut: set[str] = set()
        self._controls = NetworkControls(rooms=self._rooms, connect=self._connect)
        self._houses: dict[str, SimulatedCasino] = {}
        self._programs: dict[str, ChildProgram] = {}
        self._demos: dict[str, Demo] = {}

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Open all books and play until stopped, or until a part fails; call ``ready`` once."""
        self._loop = asyncio.get_running_loop()
        with demo_log(self._box.folder):
            await asyncio.to_thread(self._open_books)
            try:
                await self._start()
                await self._play(stop, ready)
            finally:
                ends = (asyncio.to_thread(program.stop, _END_SECONDS) for program in self._programs.values())
                await asyncio.gather(*ends, *(relay.cut() for relay in self._relays.values()))

    def addresses(self) -> list[tuple[str, str, str]]:
        """Each place with its address, and the badges to sign in with."""
        places = []
        for site, house in self._houses.items():
            roles = _HUB_ROLES if site == HUB else _ROOM_ROLES
            badges = ", ".join(f"{badge_of(house.people[role][0])} ({role})" for role in roles)
            places.append((house.floor.site, url_of(self._listeners[site]), badges))
        return places

    def _open_books(self) -> None:
        """Open the books of the hub and of every room; the hub's people admit each room."""
        assert self._box.books is not None
        migrate(self._box.dsn)
        for site in (HUB, *ROOMS):
            self._box.books.create_database(_database(site), "postgres")
            (self._box.folder / site).mkdir(exist_ok=True)
        texts = {site: network_room_text(site, name) for site, name in ROOMS.items()}
        for site, text in {HUB: room_text(NETWORK), **texts}.items():
            self._houses[site] = open_site(self._servers(site).dsn, text)
            init_pin_key(self._servers(site).folder / "keys")
        for site, text in texts.items():
            key = self._box.keys.public(site_key(site))
            admit_site(self._servers(HUB).dsn, self._servers(site).dsn, LINK, text, key)

    def _servers(self, site: str) -> RoomServers:
        books, database = self._box.books, _database(site)
        assert books is not None, "the servers are not started"
        return RoomServers(
            folder=self._box.folder / site,
            dsn=books.dsn(database),
            writer_dsn=books.dsn(database, role="writer"),
            # A hub's NATS server has no tables.
            nats_url="" if site == HUB else self._box.site_logs[site].url,
        )

    async def _start(self) -> None:
        """Start the programs, each room's with a connection to the hub that can be cut."""
        assert self._box.log is not None
        self._programs[HUB] = self._hub()
        for site in ROOMS:
            self._relays[site] = await TcpRelay(self._box.log.port).start()
            self._programs[site] = self._bookkeeper(site)
            self._demos[site] = Demo(
                self._servers(site),
                self._listeners[site],
                jackpots=JACKPOTS,
                keep_books=partial(_watch, self._programs[site]),
                network=self._controls,
            )
        for program in self._programs.values():
            program.start()

    async def _play(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        waiting = set(ROOMS)

        def is_ready(site: str) -> None:
            waiting.discard(site)
            if not waiting:
                ready()

        servers, house = self._servers(HUB), self._houses[HUB]
        app = application(demo_settings(servers, house, self.url), DemoControls(network=self._controls))
        async with HttpThread(app, self._listeners[HUB]):
            await _until_one_ends(
                stop,
                _watch(self._programs[HUB], stop),
                *(
                    demo.play(self._houses[site], stop, partial(is_ready, site))
                    for site, demo in self._demos.items()
                ),
            )

    def _hub(self) -> ChildProgram:
        where = ("--dsn", self._servers(HUB).writer_dsn, "--nats", self._box.nats_url)
        keys = ("--keys", str(self._box.keys.folder))
        return ChildProgram(HUB, ("hub", *where, *keys), self._box.folder)

    def _bookkeeper(self, site: str) -> ChildProgram:
        servers = self._servers(site)
        wire = ("--dsn", servers.writer_dsn, "--nats", servers.nats_url)
        hub = (
            "--hub",
            f"tls://127.0.0.1:{self._relays[site].port}",
            "--hub-keys",
            str(self._box.keys.folder),
        )
        pins = {"FELTWORK_PIN_KEY": str(servers.folder / "keys" / PIN_KEY)}
        return ChildProgram(f"bookkeeper-{site}", ("bookkeeper", *wire, *hub), self._box.folder, pins)

    def _rooms(self) -> list[DemoRoom]:
        return [
            DemoRoom(
                site="" if site == HUB else site,
                name=house.floor.site,
                url=url_of(self._listeners[site]),
                is_cut=site in self._cut,
            )
            for site, house in self._houses.items()
        ]

    def _connect(self, site: str, restore: bool) -> None:  # noqa: FBT001 - what the button says
        """Cut the connection of a room, or restore it; called from the thread of a service."""
        assert self._loop is not None
        change = self._restore(site) if restore else self._sever(site)
        asyncio.run_coroutine_threadsafe(change, self._loop).result(_CONTROL_SECONDS)

    async def _sever(self, site: str) -> None:
        """Cut a room off, and deal a hit there, so a claim waits for the network."""
        await self._relays[site].cut()
        if site not in self._cut:
            self._cut.add(site)
            self._demos[site].deal(LINK, "minor")

    async def _restore(self, site: str) -> None:
        await self._relays[site].heal()
        self._cut.discard(site)


def _database(site: str) -> str:
    return f"books_{site}"


async def _watch(program: ChildProgram, stop: asyncio.Event) -> None:
    """Wait until an event; raise if the program ends by itself."""
    while not stop.is_set():
        if not program.is_running:
            raise RuntimeError(f"{program.name} has ended:\n{program.last_lines()}")
        await asyncio.sleep(_LOOK_SECONDS)


async def _until_one_ends(stop: asyncio.Event, *parts: Coroutine[Any, Any, None]) -> None:
    """Run parts until one of them ends, and then let the others stop."""
    tasks = [asyncio.create_task(part) for part in parts]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        stop.set()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
    for outcome in ended:
        if isinstance(outcome, BaseException):
            raise outcome
