"""The controller of a table with its rows of sensors: one START GAME and one END GAME for every jackpot.

Each row publishes on its own link, and all rows play the same round. After a crash between two rows, pressing
the same button again completes the rows left behind and skips those already done.
"""

import asyncio
from collections.abc import Collection, Mapping
from types import MappingProxyType

from feltwork.site.progressive import round as rules
from feltwork.site.table.controller import Controller
from feltwork.site.table.presence import SensorState
from feltwork.site.wire.downlink import SignedOn


class TableController:
    """A table with one sensor row per link."""

    def __init__(self, rows: Mapping[str, Controller]) -> None:
        #: Link -> its row.
        self.rows = dict(rows)
        self._acting = asyncio.Lock()

    @property
    def number(self) -> int:
        """The current round number, or the last one."""
        return max(row.round.number for row in self.rows.values())

    @property
    def playing(self) -> list[Controller]:
        """The rows whose round is open."""
        return [row for row in self.rows.values() if row.round.phase != "idle"]

    def has_begun(self, number: int) -> bool:
        """Whether every row has started or skipped a round."""
        return all(row.round.number >= number for row in self.rows.values() if row.takes_wagers)

    async def open(self) -> None:
        """Restore every row from the store."""
        for row in self.rows.values():
            await row.open()

    async def run(self, *, every_seconds: float = 2.0) -> None:
        """Run every row."""
        async with asyncio.TaskGroup() as tasks:
            for row in self.rows.values():
                tasks.create_task(row.run(every_seconds=every_seconds))

    async def close(self) -> None:
        """Announce the shutdown on every link."""
        for row in self.rows.values():
            await row.close()

    async def sign_on(self, *, badge: str, pin: str) -> SignedOn:
        """Sign a person on for all jackpots of the table; raise if the books refuse."""
        return await next(iter(self.rows.values())).sign_on(badge=badge, pin=pin)

    async def seat(self, seating: Mapping[str, SensorState]) -> None:
        """Update the sensors of every row."""
        for link, row in self.rows.items():
            await row.seat(seating.get(link, SensorState()))

    async def start(self, *, by: str, wagers: Mapping[str, Collection[int]] = MappingProxyType({})) -> None:
        """START GAME: lock the seats of every row under one number [LT-01].

        ``wagers`` are the seats that the dealer names, by link: they must match the sensors. A link that
        takes no wagers gets the number without seats, and its chips are returned.
        """
        async with self._acting:
            for link, seats in wagers.items():
                row = self.rows[link]
                rules.verify_listed(row.round.table, seats, row.seating.covered - row.seating.broken)
            rows = list(self.rows.values())
            playing = self.playing
            last = max(max(row.round.number, row.booked_to) for row in rows)
            number = playing[0].round.number if playing else last + 1
            waiting = [row for row in rows if row.round.phase == "idle" and row.round.number < number]
            is_open = any(row.takes_wagers for row in rows)
            for row in waiting or rows:
                await row.ask_how_far()
                row.verify_leave()
                if row.takes_wagers or not is_open:
                    row.verify_start()
            for row in waiting:
                if row.takes_wagers:
                    await row.start(number=number, by=by)
                else:
                    await row.leave_out(number, by=by)

    async def end(self, *, by: str) -> None:
        """END GAME, unless a row waits for a claim [LT-09]."""
        async with self._acting:
            for row in await self._complete("end", by=by):
                await row.end(by=by)

    async def misdeal(self, *, reason: str, by: str) -> None:
        """MISDEAL: return the wagers of every row."""
        async with self._acting:
            for row in await self._complete("misdeal", by=by):
                await row.misdeal(reason=reason, by=by)

    async def _complete(self, action: rules.Action, *, by: str) -> list[Controller]:
        """Return the rows to end; rows left behind by a crash first start the round without seats."""
        playing = self.playing
        for row in playing or self.rows.values():
            rules.verify_action(row.round, action)
        number = self.number
        for row in self.rows.values():
            if row.round.number < number and row.takes_wagers:
                await row.start(number=number, seating=SensorState(), by=by)
        return self.playing
