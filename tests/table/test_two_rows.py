"""A table with two rows of sensors: one START GAME and one END GAME, and crashes between the rows."""

import asyncio
from pathlib import Path

import pytest

from feltwork.conformance.simulated_site import SimulatedSite
from feltwork.problem import ProblemsError
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.servers.nats import EmbeddedNats
from feltwork.site.table.controller import Controller
from feltwork.site.table.presence import SensorState
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.table_controller import TableController
from feltwork.site.wire.uplink import Claim, RoundEnded, RoundMessage, RoundStarted
from tests.table.conftest import EXAMPLES, STOP, Play, link_named, until

FLOOR = Path(EXAMPLES) / "rehearsals" / "floors" / "dual_progressives.toml"
ROOM = read_floor(FLOOR.read_text(encoding="utf-8"), where=FLOOR.name)
LINKS = {name: link_named(ROOM, name) for name in ("sevens", "trilux")}
CHIPS = {
    "sevens": SensorState(covered=frozenset({1, 2}), players=frozenset({1, 2, 3})),
    "trilux": SensorState(covered=frozenset({1, 3}), players=frozenset({1, 2, 3})),
}


class CrashError(Exception):
    """The controller lost its power."""


class TcpRelay(TablePublisher):
    """A line that ends after so many messages of all rows together."""

    left: list[int]

    async def say(self, message: RoundMessage, *, within: float = 10.0) -> None:
        if self.left[0] == 0:
            raise CrashError
        self.left[0] -= 1
        await super().say(message, within=within)


class Layout:
    """Two played sites, one for each link, and a controller that can be started again."""

    def __init__(self, url: str) -> None:
        self.plays = {name: Play(url, link) for name, link in LINKS.items()}

    async def __aenter__(self) -> "Layout":
        for name, play in self.plays.items():
            play.site = SimulatedSite(await play.connect(), name)
            await play.site.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        for play in self.plays.values():
            await play.close()

    async def table(self, messages: int = -1) -> TableController:
        left, rows = [messages], {}
        for name, play in self.plays.items():
            line = TcpRelay(await play.connect(), link=name, table="B1")
            line.left = left
            rows[name] = Controller(line, LINKS[name], STOP, game="blackjack")
        table = TableController(rows)
        await table.open()
        for row in rows.values():
            self.plays[row.round.link.id]._tasks.append(asyncio.create_task(row.run(every_seconds=0.2)))
        await until(lambda: all(row.welcome and row.snapshot for row in rows.values()))
        await table.seat(CHIPS)
        return table

    async def crash(self) -> None:
        for play in self.plays.values():
            await play.leave()

    def said(self, link: str) -> list[tuple[str, int, tuple[int, ...]]]:
        return [
            (
                type(message).__name__,
                message.round,
                message.seats if isinstance(message, RoundStarted) else (),
            )
            for message in self.plays[link].site.said
            if isinstance(message, RoundStarted | RoundEnded)
        ]


ROUND = {
    name: [("RoundStarted", 1, tuple(sorted(CHIPS[name].covered))), ("RoundEnded", 1, ())] for name in LINKS
}


@pytest.mark.requirement("LT-01", "GL-12")
@pytest.mark.parametrize("messages", range(5))
def test_a_crash_between_two_rows_loses_nothing_and_says_nothing_twice(
    server: EmbeddedNats, messages: int
) -> None:
    """START on both rows is two messages, END another two: the power goes after each of them."""

    async def play() -> None:
        async with Layout(server.url) as layout:
            table = await layout.table(messages)
            try:
                await table.start(by="dana")
                await table.end(by="dana")
            except CrashError:
                assert messages < 4
            await layout.crash()
            table = await layout.table()
            if messages < 2:
                await table.start(by="dana")
            if messages < 4:
                await table.end(by="dana")
            assert [row.round.number for row in table.rows.values()] == [1, 1]
            await until(lambda: all(layout.said(name) == ROUND[name] for name in LINKS))
            await table.start(by="dana")
            assert table.number == 2
            assert [link_play.site.problems for link_play in layout.plays.values()] == [[], []]

    asyncio.run(play())


@pytest.mark.requirement("LT-03")
def test_the_end_waits_for_the_claims_of_both_rows(server: EmbeddedNats) -> None:
    async def play() -> None:
        async with Layout(server.url) as layout:
            for link_play in layout.plays.values():
                link_play.site.confirms = False
            table = await layout.table()
            await table.start(by="dana")
            with pytest.raises(ProblemsError, match="START GAME is disabled now"):
                await table.start(by="dana")
            await table.rows["sevens"].press(seat=1, hand="two_7s", by="dana")
            await table.rows["trilux"].press(seat=1, hand="three_aces_suited", by="dana")
            with pytest.raises(ProblemsError, match="END GAME waits for the claim of seat 1"):
                await table.end(by="dana")
            assert [row.round.phase for row in table.rows.values()] == ["playing", "claimed"], (
                "neither has ended"
            )
            await until(
                lambda: any(isinstance(message, Claim) for message in layout.plays["trilux"].site.said)
            )
            await layout.plays["trilux"].site.confirm(table.rows["trilux"].claims[1])
            await until(lambda: table.rows["trilux"].round.confirmed == {1})
            await table.end(by="dana")
            assert table.playing == []

    asyncio.run(play())
