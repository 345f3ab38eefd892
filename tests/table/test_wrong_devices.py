"""Devices with one fault each: the conformance kit finds each fault by the check that is there for it."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import msgspec
import pytest

from feltwork.conformance.device_bench import bench_table
from feltwork.problem import ProblemsError
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.round import TableRound
from feltwork.site.table.controller import Controller
from feltwork.site.table.offline_policy import wall_clock
from feltwork.site.table.publisher import TablePublisher
from feltwork.site.table.table_controller import TableController
from feltwork.site.wire.downlink import Refused
from feltwork.site.wire.subjects import subject_of
from feltwork.site.wire.uplink import Hello, RoundEnded, RoundMessage, UplinkMessage, encode
from tests.table.benched import PATIENT, Row, failed, row_of, site_and_leaf, verdicts_on, wait_for_leaf
from tests.table.conftest import aquarius, room
from tests.table.test_two_rows import ROOM

NEXUS = bench_table(room(), "C1", domain="")
AQUARIUS = bench_table(room(aquarius), "C1", domain="")
TWO = bench_table(ROOM, "B1", domain="")
CARELESS = replace(PATIENT, store_and_forward=True)


def line_that(change: Callable[[UplinkMessage], UplinkMessage]) -> type[TablePublisher]:
    """A line that changes what is said."""

    class Line(TablePublisher):
        async def mention(self, message: UplinkMessage) -> None:
            await super().mention(change(message))

        async def say(self, message: RoundMessage, *, within: float = 10.0) -> None:
            changed = change(message)
            assert isinstance(changed, RoundMessage)
            await super().say(changed, within=within)

    return Line


def with_other(kind: type[UplinkMessage], **fields: object) -> Row:
    """A device with other values in one kind of message."""
    return row_of(
        line=line_that(
            lambda message: (
                msgspec.structs.replace(message, **fields) if isinstance(message, kind) else message
            )
        )
    )


class SlowClock(Controller):
    """Its clock is ten seconds late."""

    def _about(self) -> dict[str, object]:
        at: Instant = wall_clock() - 10_000_000
        return {**super()._about(), "at": at}


class EndsWithClaims(TableController):
    """END GAME does not wait for the first claim."""

    async def end(self, *, by: str) -> None:
        for row in self.playing:
            if row.round.number == 3:
                row.round = replace(row.round, phase="playing")
        await super().end(by=by)


class EndsWithoutKey(TableController):
    """END GAME does not wait for the key at RUN."""

    async def end(self, *, by: str) -> None:
        for row in self.playing:
            if row.round.phase == "logged":
                row.round = replace(row.round, phase="playing")
        await super().end(by=by)


class PlaysOnStoppedLinks(Controller):
    """It does not look at the meters."""

    @property
    def takes_wagers(self) -> bool:
        return True


class EndsMisdeals(Controller):
    """MISDEAL ends the round."""

    async def misdeal(self, *, reason: str, by: str) -> TableRound:
        return await self.end(by=by)


class KeepsRefusedHands(Controller):
    """It pays hands that the books have refused."""

    def _take_back(self, refused: Refused) -> None:
        if refused.step == 0:
            super()._take_back(refused)


class KeepsRefusedStarts(Controller):
    """It counts a round that the books have refused."""

    def _take_back(self, refused: Refused) -> None:
        if refused.step > 0:
            super()._take_back(refused)


class ClaimsAgain(TablePublisher):
    """After a crash it does not know its claim."""

    async def newest(self) -> dict[str, bytes]:
        return {kind: data for kind, data in (await super().newest()).items() if kind != "claim"}


class OneHello(Controller):
    """It says hello once, and waits."""

    has_said_hello = False

    async def _say_hello(self) -> None:
        if self.welcome is not None or not self.has_said_hello:
            self.has_said_hello = True
            await super()._say_hello()


class SaysAnew(TablePublisher):
    """Without an acknowledgment it says another message, at another time and place."""

    async def say(self, message: RoundMessage, *, within: float = 10.0) -> None:
        while True:
            try:
                await asyncio.wait_for(super().say(message), 1.0)
            except (TimeoutError, ProblemsError):
                message = msgspec.structs.replace(message, at=wall_clock())
                self._last[subject_of(message)] = await self._newest_place(message)
            else:
                return

    async def _newest_place(self, message: RoundMessage) -> int:
        acknowledged = await self.client.jetstream().publish(subject_of(message), encode(message), timeout=5)
        return acknowledged.seq - 1


class StartsOneByOne(TableController):
    """Each row has a START GAME of its own, and one of them begins late."""

    async def start(self, *, by: str, wagers: Mapping[str, Collection[int]] = MappingProxyType({})) -> None:
        for row in [*self.rows.values()][: 1 if self.number < 1 else 2]:
            await row.start(by=by)

    async def end(self, *, by: str) -> None:
        for row in self.playing:
            await row.end(by=by)

    async def misdeal(self, *, reason: str, by: str) -> None:
        for row in self.playing:
            await row.misdeal(reason=reason, by=by)


NEXUS_DEVICES = {
    "none": row_of(),
    "clock": row_of(SlowClock),
    "paytable": with_other(Hello, paytable="0" * 64),
    "version": with_other(Hello, game="holdem_bonus"),
    "signed on": with_other(RoundEnded, sign_on="dana"),
    "fixed pays": with_other(RoundEnded, fixed=0),
    "envy": with_other(RoundEnded, envy=0),
    "claims": row_of(),
    "stopped link": row_of(PlaysOnStoppedLinks),
    "cut off": row_of(policy=CARELESS),
    "misdeal": row_of(EndsMisdeals),
    "refused hand": row_of(KeepsRefusedHands),
    "refused start": row_of(KeepsRefusedStarts),
    "crash": row_of(line=ClaimsAgain),
    "early hello": row_of(OneHello),
    "lost acknowledgment": row_of(line=SaysAnew),
}
TABLES: dict[str, type[TableController]] = {"claims": EndsWithClaims}


#: With each commit, one fault of each kind: of what a device says, pays, ends and keeps.
_EACH_COMMIT = ("none", "fixed pays", "claims", "misdeal", "crash")


@pytest.mark.requirement("WA-31", "LT-09", "LT-13", "LT-03", "GEN-07", "GL-12", "GL-10")
@pytest.mark.parametrize("names", [_EACH_COMMIT, pytest.param(tuple(NEXUS_DEVICES), marks=pytest.mark.whole)])
def test_each_fault_fails_the_check_for_it_and_no_other(names: tuple[str, ...], tmp_path: Path) -> None:
    async def play() -> list[dict[str, str]]:
        return await asyncio.gather(
            *(
                verdicts_on(
                    tmp_path / name, NEXUS, NEXUS_DEVICES[name], table=TABLES.get(name, TableController)
                )
                for name in names
            )
        )

    results = asyncio.run(play())
    assert {name: failed(result) for name, result in zip(names, results, strict=True)} == {
        **{name: name for name in names},
        "none": "",
    }
    assert len(results[0]) == 22


@pytest.mark.whole
@pytest.mark.requirement("LT-03", "LT-01")
def test_keys_and_two_jackpots_are_tested_where_a_table_has_them(tmp_path: Path) -> None:
    blackjack = row_of(table="B1", game="blackjack")

    async def play() -> tuple[dict[str, str], ...]:
        return await asyncio.gather(
            verdicts_on(tmp_path / "1", AQUARIUS, row_of()),
            verdicts_on(tmp_path / "2", AQUARIUS, row_of(), table=EndsWithoutKey),
            verdicts_on(tmp_path / "3", TWO, blackjack),
            verdicts_on(tmp_path / "4", TWO, blackjack, table=StartsOneByOne),
        )

    results = asyncio.run(play())
    assert [failed(result) for result in results] == ["", "aquarius", "", "one number"]
    assert "aquarius" in results[0]


@pytest.mark.whole
@pytest.mark.requirement("GEN-07", "GL-12")
def test_a_device_on_a_leaf_node_must_know_the_domain_of_its_site(tmp_path: Path) -> None:
    async def play(number: int, site_domain: str) -> dict[str, str]:
        with site_and_leaf(tmp_path / str(number)) as (site, box):
            await wait_for_leaf(box)
            tested = replace(NEXUS, domain="box")
            return await verdicts_on(tmp_path, tested, row_of(site_domain=site_domain), leaf=box, site=site)

    async def play_both() -> tuple[dict[str, str], ...]:
        return await asyncio.gather(play(1, "site"), play(2, ""))

    right, wrong = asyncio.run(play_both())
    assert "leaf node" in right
    assert [failed(right), failed(wrong)] == ["", "leaf node"]
