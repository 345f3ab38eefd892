"""The demo: a simulated floor in one process, with one table and the large claims left to the visitor."""

import asyncio
import logging
import random
import socket
from collections.abc import Callable
from itertools import cycle
from typing import Any

import structlog
from fastapi import FastAPI

from feltwork.problem import Problem, ProblemsError
from feltwork.simulation.controller_driver import Hit
from feltwork.simulation.floor_runner import LiveFloor, connector, live_floor
from feltwork.simulation.floors import room_text
from feltwork.simulation.stage import PASSWORD, PIN, OpeningMeters, SimulatedCasino, badge_of, open_site
from feltwork.site.bookkeeper.process import Bookkeeper, BookkeeperSettings
from feltwork.site.books.audit.site_key import make_site_key
from feltwork.site.books.people.pin_key import init_pin_key, read_pin_key
from feltwork.site.servers.temporary import TemporaryServers
from feltwork.site.web.app import application
from feltwork.site.web.http_server import HttpThread
from feltwork.site.web.screens.demo.page import DemoControls
from feltwork.site.web.settings import Settings
from feltwork.telemetry.request_log import log_as_json

#: The table that the visitor deals.
VISITORS_TABLE = "C2"
ROUNDS_PER_MINUTE = 12.0
#: The meters of the first round, well above their seeds, so everyone sees a reset.
METERS: OpeningMeters = {
    "five-card": {"mega": "14218.40", "major": "2106.75", "minor": "612.30"},
    "sevens": {"mega": "3487.90", "major": "1366.25", "minor": "583.10"},
    "four-aces": {"jackpot": "16482.55"},
    "royals": {"jackpot": "13057.20"},
    "dragon": {"jackpot": "8671.85"},
    "trilux": {"jackpot": "7934.15"},
}
#: The jackpots that the button deals, in order. Only one table plays for the first, so its meter does not
#: move while its claim waits, and the visitor confirms the amount shown.
JACKPOTS = (
    "four-aces:jackpot",
    "five-card:mega",
    "sevens:mega",
    "dragon:jackpot",
    "royals:jackpot",
    "trilux:jackpot",
    "house-sevens:mega",
)
#: The time between small hits, and the reaction time of the simulated pit.
_SMALL_HIT_SECONDS = 240.0
_ANSWER_SECONDS = 8.0
#: The cage's longer delay for jackpots that the visitor made and confirmed, so they can see them wait.
_VISITOR_SECONDS = 45.0
_CHIPS_SECONDS = 5.0
_LOOK_SECONDS = 0.05
#: How long tasks have to end.
_ENDING_SECONDS = 20


class Demo:
    """A simulated site on temporary servers."""

    def __init__(self, box: TemporaryServers, listener: socket.socket) -> None:
        self._box = box
        self._listener = listener
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        self._dice = random.Random()
        self._next = cycle(JACKPOTS)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._floor: LiveFloor | None = None

    async def run(self, stop: asyncio.Event, ready: Callable[[], None]) -> None:
        """Open the site and play until stopped, or until a part fails; call ``ready`` once."""
        self._loop = asyncio.get_running_loop()
        with (self._box.folder / "demo.log").open("w", encoding="utf-8") as log:
            log_as_json(log)
            structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
            house = await asyncio.to_thread(open_site, self._box.dsn, room_text(), METERS)
            if stop.is_set():
                return
            self._floor = self._made(house)
            app = application(self._settings(house), self._stage(house))
            service = HttpThread(app, self._listener)
            await service.start()
            try:
                await self._play(self._floor, app, stop, ready)
            finally:
                await service.stop()

    def _made(self, house: SimulatedCasino) -> LiveFloor:
        played = [table.id for table in house.floor.tables if table.id != VISITORS_TABLE]
        floor = live_floor(
            house,
            connector(self._box.nats_url),
            seed=self._dice.random(),
            rounds_per_minute=ROUNDS_PER_MINUTE,
            service=self.url,
            only=played,
        )
        pit = floor.pit
        assert pit is not None
        pit.takes_seconds, pit.pays_left_seconds = _ANSWER_SECONDS, _VISITOR_SECONDS
        dealers = {table: driver.dealer for table, driver in floor.tables.items()}
        # Whatever nobody of the simulation entered is the visitor's.
        pit.is_theirs = lambda award: (
            dealers.get(award["table"]) != badge_of(award["claimed_by"].removeprefix(badge_of("")))
        )
        return floor

    def _stage(self, house: SimulatedCasino) -> DemoControls:
        return DemoControls(make_jackpot=self._make_jackpot, table=VISITORS_TABLE, link=_visitors_link(house))

    def _settings(self, house: SimulatedCasino) -> Settings:
        """The settings of a service whose sign-in page lists everyone's badges."""
        keys = self._box.folder / "keys"
        make_site_key(keys)
        return Settings(
            site_key=keys,
            pin_key=str(init_pin_key(keys)),
            dsn=self._box.writer_dsn,
            nats=self._box.nats_url,
            secure_cookie=False,
            origin=self.url,
            demo_badges={badge_of(member.id): PIN for member in house.floor.people},
            demo_password=PASSWORD,
        )

    async def _play(
        self, floor: LiveFloor, app: FastAPI, stop: asyncio.Event, ready: Callable[[], None]
    ) -> None:
        key = read_pin_key("", self._box.folder / "keys")
        settings = BookkeeperSettings(dsn=self._box.writer_dsn, url=self._box.nats_url, pin_key=key)
        stop_books = asyncio.Event()
        parts: list[asyncio.Task[Any]] = [
            asyncio.create_task(Bookkeeper(settings).run(stop_books)),
            asyncio.create_task(floor.run()),
            asyncio.create_task(self._small_hits(floor)),
            asyncio.create_task(self._chips(app, floor)),
        ]
        first = asyncio.create_task(_when_played(floor, ready))
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({stopped, *parts}, return_when=asyncio.FIRST_COMPLETED)
            for part in parts:
                if part.done():
                    part.result()
        finally:
            stop_books.set()
            await _end({stopped, first, *parts[1:]}, parts[0])

    async def _small_hits(self, floor: LiveFloor) -> None:
        """Periodically deal a hit on the lowest level of a random link."""
        small = [
            (table, link)
            for table in floor.tables.values()
            for link in table.links.values()
            if len(link.level_names) > 1
        ]
        while True:
            await asyncio.sleep(_SMALL_HIT_SECONDS / 3)
            table, link = self._dice.choice(small)
            if not table.is_left:
                table.want(Hit(link.id, link.level_names[-1]))
            await asyncio.sleep(_SMALL_HIT_SECONDS * 2 / 3)

    async def _chips(self, app: FastAPI, floor: LiveFloor) -> None:
        """Cover the sensors of the visitor's table."""
        seats = range(1, floor.house.floor.table_by_id[VISITORS_TABLE].seats + 1)
        link = _visitors_link(floor.house)
        covered: list[int] = []
        while True:
            if not covered or self._dice.random() < 0.2:
                covered = self._dice.sample(seats, self._dice.randint(3, 6))
            app.state.sensors.see(link, VISITORS_TABLE, covered)
            await asyncio.sleep(_CHIPS_SECONDS)

    def _make_jackpot(self) -> dict[str, str]:
        """Deal a jackpot; called from the thread of the service."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(self._deal_jackpot(), self._loop).result(10)

    async def _deal_jackpot(self) -> dict[str, str]:
        assert self._floor is not None
        busy_links = {link for table in self._floor.tables.values() if table.is_left for link in table.links}
        for _ in JACKPOTS:
            target = next(self._next)
            if target.partition(":")[0] not in busy_links:
                table, link, level = self._floor.force_hit(target, left=True)
                title = self._floor.house.links[link].title.title
                return {"table": table, "link": link, "level": level, "title": title}
        problem = Problem("demo", "every jackpot is waiting for confirmation", "confirm one in the pit")
        raise ProblemsError([problem])


def _visitors_link(house: SimulatedCasino) -> str:
    return next(link.id for link in house.floor.links_of(house.floor.table_by_id[VISITORS_TABLE]))


async def _end(tasks: set[asyncio.Task[Any]], books: asyncio.Task[Any]) -> None:
    """Cancel the tasks until they end; cancel the bookkeeper only if it takes too long to stop."""
    waiting = {*tasks, books}
    for attempt in range(_ENDING_SECONDS):
        # A library may swallow a cancellation, so one is not enough.
        for task in waiting - ({books} if attempt < _ENDING_SECONDS // 2 else set()):
            task.cancel()
        _, waiting = await asyncio.wait(waiting, timeout=1)
        if not waiting:
            return


async def _when_played(floor: LiveFloor, ready: Callable[[], None]) -> None:
    """Call ``ready`` when the first round is stored."""
    while not floor.tally.kept:
        await asyncio.sleep(_LOOK_SECONDS)
    ready()
