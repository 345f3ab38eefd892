"""The test bench of a device: its operator, a simulated site for each link, and their connection."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from feltwork.conformance.device_operator import Operator
from feltwork.conformance.simulated_site import SimulatedSite
from feltwork.problem import ProblemsError
from feltwork.site.compliance.floor import Floor, link_from_floor
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.link import Link
from feltwork.site.progressive.round import TableRound
from feltwork.site.table.controller_factory import links_of
from feltwork.site.wire.tcp_relay import TcpRelay
from feltwork.site.wire.uplink import (
    AnyUplink,
    Claim,
    RoundEnded,
    RoundMessage,
    RoundStarted,
    RoundVoided,
    UplinkMessage,
)

#: Badges and PIN of the people at the table; the site accepts every PIN except `WRONG_PIN`.
DEALER, SUPERVISOR, PIN = "1001", "2001", "2580"
#: Seats with a base game wager, and seats that also have a jackpot wager.
PLAYERS, BETTORS = (1, 2, 3, 4), (1, 2, 3)
_AGAIN_SECONDS = 1.0
_SOON_SECONDS = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchTable:
    """The table that the device plays."""

    table: str
    game: str
    links: tuple[Link, ...]
    #: The JetStream domain of the table's own server, if it has one.
    domain: str = ""


def bench_table(floor: Floor, table: str, *, domain: str) -> BenchTable:
    """Describe a table whose device is under test; `domain` is that of the table's own server."""
    links = tuple(link_from_floor(floor, link) for link in links_of(floor, table).values())
    game = floor.table_by_id[table].game.name
    return BenchTable(table=table, game=game, links=links, domain=domain)


@dataclass(frozen=True, slots=True)
class Window:
    """The messages of a device on one link since the window was opened."""

    site: SimulatedSite
    _said: int
    _problems: int

    @property
    def said(self) -> list[AnyUplink]:
        """The messages."""
        return self.site.said[self._said :]

    @property
    def problems(self) -> list[str]:
        """The problems that the site found in them, and steps out of order."""
        problems = self.site.problems[self._problems :]
        return [*problems, *steps_out_of_order(self.said)]

    def of(self, *kinds: type[UplinkMessage], number: int = 0) -> list[RoundMessage]:
        """Return the messages of some kinds, optionally of one round, without refused messages."""
        refused = {id(message) for message in self.site.refused}
        return [
            message
            for message in self.said
            if isinstance(message, RoundMessage)
            and isinstance(message, kinds)
            and id(message) not in refused
            and number in (0, message.round)
        ]


@dataclass(kw_only=True)
class DeviceBench:
    """A device, its operator, and the sites that it plays with."""

    tested: BenchTable
    sites: Sequence[SimulatedSite]
    operator: Operator
    relay: TcpRelay
    seconds: float
    #: Whether rounds start and end on request; otherwise nothing more can be tested.
    responds: bool = False

    def window(self) -> list[Window]:
        """Open a window on each link."""
        return [Window(site, len(site.said), len(site.problems)) for site in self.sites]

    async def power_on(self) -> bool:
        """Start the device and wait for its hello on each link."""
        before = [len(site.hellos) for site in self.sites]
        await self.operator.power_on()
        return await self.until(
            lambda: all(len(site.hellos) > count for site, count in zip(self.sites, before, strict=True))
        )

    async def power_cycle(self) -> bool:
        """Cut the power and restart; people sign on again, and the chips stay in place."""
        await self.operator.power_off()
        came = await self.power_on()
        return await self.seat_people() and came

    async def seat_people(self) -> bool:
        """Sign the dealer on and place the wagers; return whether the device requested the sign-on."""
        signed = self.sites[0].sign_ons
        before = len(signed)
        await self.operator.press(f"sign-on {DEALER} {PIN}")
        await self.operator.press(f"seats {' '.join(map(str, PLAYERS))}")
        for link in self.tested.links:
            for seat in BETTORS:
                await self.operator.press(self.line(link, "sensor", seat, "on"))
        return await self.until(lambda: len(signed) > before)

    def line(self, link: Link, word: str, *rest: object) -> str:
        """Build a line for one jackpot, with the link's name if the table has several."""
        link_words = [link.id] if len(self.tested.links) > 1 else []
        return " ".join(map(str, [word, *link_words, *rest]))

    async def start(self, *, within: float = 0) -> bool:
        """Press START GAME until a round has started, on each link if possible."""
        before = [len(started(site)) for site in self.sites]

        def begun() -> list[bool]:
            pairs = zip(self.sites, before, strict=True)
            return [len(started(site)) > count and open_round(site) > 0 for site, count in pairs]

        has_begun = await self.press_until("start", lambda: any(begun()), within=within)
        await self.until(lambda: all(begun()), _SOON_SECONDS if has_begun else 0)
        return has_begun

    async def end(self, *, within: float = 0) -> bool:
        """Press END GAME until no round is open."""
        return await self.press_until("end", lambda: not any(map(open_round, self.sites)), within=within)

    async def claim(self) -> bool:
        """Enter a hand that a meter pays, on each link; return whether all were claimed."""
        for link in self.tested.links:
            await self.operator.press(self.line(link, "hand", 1, meter_hand(link)))
        return await self.until(lambda: all(map(open_claims, self.sites)))

    async def key(self, to: str) -> None:
        """Turn the key of each link with Aquarius controls."""
        for site, link in self.pairs():
            if link.controls == "aquarius":
                before = len(site.said)
                await self.operator.press(f"as {SUPERVISOR} {PIN} {self.line(link, 'key', to)}")
                await self.until(lambda site=site, before=before: len(site.said) > before)  # type: ignore[misc]

    async def confirm(self) -> None:
        """Confirm every open claim."""
        for site in self.sites:
            for award in open_claims(site):
                await site.confirm(award)

    def pairs(self) -> Iterable[tuple[SimulatedSite, Link]]:
        """Each site with its link."""
        return zip(self.sites, self.tested.links, strict=True)

    async def press_until(self, line: str, true: Callable[[], bool], *, within: float = 0) -> bool:
        """Press a button until a condition holds or time runs out; return whether it holds."""
        deadline = time.monotonic() + (within or self.seconds)
        while not true() and time.monotonic() < deadline:
            await self.operator.press(line)
            await self.until(true, _AGAIN_SECONDS)
        return true()

    async def until(self, true: Callable[[], bool], seconds: float | None = None) -> bool:
        """Wait until a condition holds or time runs out; return whether it holds."""
        deadline = time.monotonic() + (self.seconds if seconds is None else seconds)
        while not true() and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        return true()

    async def watch(self, line: str) -> None:
        """Press a button that must have no effect, and give the device time to react wrongly."""
        await self.operator.press(line)
        await asyncio.sleep(self.operator.watch_seconds)
        for site in self.sites:
            await site.catch_up(self.seconds)

    async def go_idle(self) -> None:
        """Close any open round, so the next case can begin."""
        for site in self.sites:
            for award in claims(site):
                await site.confirm(award)
        if any(map(open_round, self.sites)) and not await self.end(within=_SOON_SECONDS):
            await self.power_cycle()


def open_round(site: SimulatedSite) -> int:
    """Return the number of the open round; 0 if there is none."""
    number = 0
    for message in site.said:
        if any(message is refused for refused in site.refused):
            continue
        if isinstance(message, RoundStarted):
            number = message.round if message.seats else 0
        elif isinstance(message, RoundEnded | RoundVoided) and message.round == number:
            number = 0
    return number


def started(site: SimulatedSite) -> list[RoundStarted]:
    """Return the round starts that the site has not refused."""
    return [
        message
        for message in site.said
        if isinstance(message, RoundStarted) and not any(message is no for no in site.refused)
    ]


def claims(site: SimulatedSite) -> list[str]:
    """Return the awards claimed in the open round."""
    number = open_round(site)
    return [message.award for message in site.said if isinstance(message, Claim) and message.round == number]


def open_claims(site: SimulatedSite) -> list[str]:
    """Return the claims of the open round that are not confirmed."""
    return [award for award in claims(site) if award not in site.confirmed]


def steps_out_of_order(messages: Iterable[AnyUplink]) -> list[str]:
    """Describe messages whose step does not follow the previous step of their round."""
    last: dict[int, int] = {}
    problems: list[str] = []
    for message in messages:
        if not isinstance(message, RoundMessage):
            continue
        if message.step != (0 if isinstance(message, RoundStarted) else last.get(message.round, -2) + 1):
            problems.append(
                f"{message.table}:{message.round}: step {message.step} of a {type(message).__name__}"
            )
        last[message.round] = message.step
    return problems


def meter_hand(link: Link) -> str:
    """Return a hand that a meter pays."""
    return next(row.hand for row in link.paytable.rows if link.takes_from_meter(row))


def tray_hands(link: Link, table: str) -> TableRound:
    """Build a round with hands that the tray pays: a fixed pay at seat 2, and envy from a non-bettor."""
    began = TableRound(table=table, link=link)
    round_, _ = rules.start(began, covered=BETTORS, players=PLAYERS, takes_wagers=True, at=0)
    rows = link.paytable.rows
    fixed = [(2, row.hand) for row in rows if not link.takes_from_meter(row)]
    envious = [(PLAYERS[-1], row.hand) for row in rows if row.envy]
    for seat, hand in [*fixed[:1], *envious[:1]]:
        try:
            round_, _ = rules.press(round_, seat=seat, hand=hand, at=0, by="")
        except ProblemsError:
            continue
    return round_
