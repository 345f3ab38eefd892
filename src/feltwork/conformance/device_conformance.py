"""Conformance test of a device against a simulated server."""

import asyncio
import time
from dataclasses import dataclass

from nats.aio.client import Client

from feltwork.conformance.checks import Check, check, of_all_links
from feltwork.conformance.device_bench import (
    SUPERVISOR,
    BenchTable,
    DeviceBench,
    Window,
    started,
    tray_hands,
)
from feltwork.conformance.device_cases import check_faults
from feltwork.conformance.device_operator import Operator
from feltwork.conformance.simulated_site import SimulatedSite
from feltwork.site.progressive import round as rules
from feltwork.site.progressive.link import Link
from feltwork.site.wire.tcp_relay import TcpRelay
from feltwork.site.wire.uplink import HandPressed, KeyTurned, RoundEnded, RoundMessage, RoundStarted

_CLOCK_SECONDS = 5.0
#: How long a snapshot takes to reach a device.
_SNAPSHOT_SECONDS = 2.0


async def play_server(
    client: Client,
    tested: BenchTable,
    operator: Operator,
    relay: TcpRelay,
    *,
    seconds: float = 60.0,
    silence: float = 12.0,
    streams: Client | None = None,
) -> list[Check]:
    """Run the test: normal play, stopped links, a silent server, then every fault.

    The device reaches the server through the relay, which can drop acknowledgments.
    """
    sites = [SimulatedSite(client, link.id, domain=tested.domain, streams=streams) for link in tested.links]
    for site in sites:
        site.sign_ons = sites[0].sign_ons  # people sign on at the table, for all of its jackpots
        site.confirms = False
        await site.open()
    bench = DeviceBench(tested=tested, sites=sites, operator=operator, relay=relay, seconds=seconds)
    try:
        whole = bench.window()
        arrived = await _arrive(bench)
        played = await _play(bench)
        stopped = await _without(bench, "takes_wagers", wait=_SNAPSHOT_SECONDS)
        cut = await _without(bench, "speaks", wait=silence)
        plain = [
            [
                *_of_hello(window, link, tested, arrived),
                *_of_messages(window),
                *_of_play(window, link, play),
                *_of_stops(stopped, cut, silence),
            ]
            for window, (_, link), play in zip(whole, bench.pairs(), played, strict=True)
        ]
        uneven = _uneven(whole)
        faults = await check_faults(bench)
    finally:
        await operator.power_off()
        for site in sites:
            await site.close()
    checks_by_link = {
        site.link: [*some, *more] for site, some, more in zip(sites, plain, faults, strict=True)
    }
    return [*of_all_links(checks_by_link), *([_of_one_number(uneven)] if len(sites) > 1 else [])]


@dataclass(slots=True)
class _Played:
    """The observations on one link during play."""

    #: The end of a round with a fixed pay and envy from the tray.
    tray: RoundEnded | None = None
    #: Whether END GAME waited for the claim, and worked afterward; None if nothing was claimed.
    waited: bool | None = None
    #: The same for the key of Aquarius controls.
    waited_for_key: bool | None = None


@dataclass(frozen=True, slots=True)
class _Without:
    """The number of rounds that a device wrongly started, and whether it resumed."""

    rounds: int | None = None
    started_again: bool | None = None


async def _arrive(bench: DeviceBench) -> float:
    """Start the device; return the time of its hello."""
    came = await bench.power_on()
    arrived = time.time()
    if came:
        await bench.seat_people()
    return arrived


async def _play(bench: DeviceBench) -> list[_Played]:
    """Play a plain round, one that the tray pays, and one with a claim."""
    plays = [_Played() for _ in bench.sites]
    bench.responds = await bench.start() and await bench.end()
    if not bench.responds:
        return plays
    await _play_tray(bench, plays)
    await _play_claim(bench, plays)
    return plays


async def _play_tray(bench: DeviceBench, plays: list[_Played]) -> None:
    windows = bench.window()
    await bench.start()
    for window, (_, link) in zip(windows, bench.pairs(), strict=True):
        hands = tray_hands(link, bench.tested.table).hands
        for seat, hand in hands.items():
            await bench.operator.press(bench.line(link, "hand", seat, hand))
        await bench.until(lambda window=window, hands=hands: len(window.of(HandPressed)) >= len(hands))  # type: ignore[misc]
    await bench.end()
    for play, window in zip(plays, windows, strict=True):
        ended = [message for message in window.said if isinstance(message, RoundEnded)]
        play.tray = ended[0] if ended else None


async def _play_claim(bench: DeviceBench, plays: list[_Played]) -> None:
    windows = bench.window()
    if not await bench.start() or not await bench.claim():
        await bench.go_idle()
        return
    await bench.watch("end")
    early = [bool(window.of(RoundEnded)) for window in windows]
    await bench.key("jackpot")
    await bench.confirm()
    with_key = any(link.controls == "aquarius" for link in bench.tested.links)
    if with_key:
        await bench.watch("end")
    too_early = [bool(window.of(RoundEnded)) for window in windows]
    await bench.key("run")
    await bench.end()
    for play, window, (_, link), soon, sooner in zip(
        plays, windows, bench.pairs(), too_early, early, strict=True
    ):
        ended = bool(window.of(RoundEnded))
        play.waited = ended and not sooner
        if link.controls == "aquarius":
            play.waited_for_key = ended and (sooner or not soon) and _turned(window) == ["jackpot", "run"]
    await bench.go_idle()


def _turned(window: Window) -> list[str]:
    """Return the key turns made by a supervisor."""
    signed = window.site.sign_ons
    turns = [message for message in window.said if isinstance(message, KeyTurned)]
    return [turn.to for turn in turns if turn.sign_on in signed and signed[turn.sign_on].badge == SUPERVISOR]


async def _without(bench: DeviceBench, what: str, *, wait: float) -> _Without:
    """Withhold something from the device, count the rounds that it starts, then restore it."""
    if not bench.responds:
        return _Without()
    for site in bench.sites:
        await site.be_silent() if what == "speaks" else setattr(site, what, False)
    await asyncio.sleep(wait)
    before = sum(len(started(site)) for site in bench.sites)
    await bench.watch("start")
    meanwhile = sum(len(started(site)) for site in bench.sites) - before
    for site in bench.sites:
        setattr(site, what, True)
    await bench.go_idle()
    again = await bench.start()
    await bench.end()
    return _Without(meanwhile, again)


def _of_hello(window: Window, link: Link, tested: BenchTable, arrived: float) -> list[Check]:
    first = window.site.hellos[0] if window.site.hellos else None
    apart = abs(arrived - first.at / 1_000_000) if first else 0.0
    starts = [message for message in window.said if isinstance(message, RoundStarted)]
    expected = (link.fingerprint, tested.game, link.controls)
    same = first is not None and (first.version, first.game, first.controls) == expected
    return [
        check(
            "hello",
            "identifies itself: software, hash, version, paytable",
            "WA-31",
            passed=first is not None,
            detail=f"{first.software} {first.software_hash[:12]}" if first else "",
        ),
        check(
            "clock",
            f"its clock is right within {_CLOCK_SECONDS:g} seconds",
            "GEN-07",
            passed=apart <= _CLOCK_SECONDS if first else None,
            detail=f"{apart:.1f} s",
        ),
        check(
            "paytable",
            "its hello has the hash of the paytable in the floor file",
            "WA-31",
            passed=first.paytable == link.paytable.fingerprint if first else None,
            detail=f"{first.paytable[:12]}, not {link.paytable.fingerprint[:12]}"
            if first and first.paytable != link.paytable.fingerprint
            else "",
        ),
        check(
            "version",
            "it plays the game, controls, version and wager of the floor file",
            "WA-31",
            passed=same
            and all((start.version, start.wager) == (link.fingerprint, link.wager) for start in starts)
            if first
            else None,
        ),
    ]


def _of_messages(window: Window) -> list[Check]:
    site = window.site
    numbers = [start.round for start in started(site)]
    first = site.hellos[0].last_round + 1 if site.hellos else 1
    steps = [problem for problem in window.problems if problem not in site.problems]
    return [
        check(
            "messages",
            "every message is readable, is published on its own subject and has no Nats-Msg-Id",
            "GL-12",
            passed=not site.problems if site.said else None,
            detail="; ".join(site.problems[:3]),
        ),
        check(
            "numbers",
            "rounds are numbered without gaps, starting after the last round",
            "GL-12",
            passed=numbers == list(range(first, first + len(numbers))) if numbers else None,
            detail=f"{len(numbers)} rounds",
        ),
        check(
            "steps",
            "messages of a round are numbered 0, 1, 2",
            "GL-12",
            passed=not steps if any(isinstance(message, RoundMessage) for message in site.said) else None,
            detail="; ".join(steps[:3]),
        ),
        check(
            "signed on",
            "every message of a round carries the sign-on of somebody at the table",
            "GL-10",
            passed=not site.unsigned if numbers else None,
            detail="; ".join(site.unsigned[:3]),
        ),
        check("ends", "rounds end", "LT-09", passed=bool(window.of(RoundEnded)) if numbers else None),
    ]


def _of_play(window: Window, link: Link, play: _Played) -> list[Check]:
    tray, right = play.tray, rules.tray_of(tray_hands(link, ""), at=0)
    has_key = link.controls == "aquarius"
    statement = "END GAME waits until the key is back at RUN, turned by a supervisor both times"
    return [
        check(
            "fixed pays",
            "END GAME reports what the tray pays for the hands",
            "LT-09",
            passed=tray.fixed == right.fixed if tray else None,
            detail=f"{tray.fixed} of {right.fixed} millionths" if tray else "",
        ),
        check(
            "envy",
            "END GAME reports the envy for the hands, including a hand at a seat without a jackpot wager",
            "LT-13",
            passed=tray.envy == right.envy if tray else None,
            detail=f"{tray.envy} of {right.envy} millionths" if tray else "",
        ),
        check("claims", "END GAME waits until each claim is confirmed or void", "LT-03", passed=play.waited),
        *([check("aquarius", statement, "LT-03", passed=play.waited_for_key)] if has_key else []),
    ]


def _of_stops(stopped: _Without, cut: _Without, silence: float) -> list[Check]:
    return [
        check(
            "stopped link",
            "no round starts while the link takes no wagers",
            "GEN-07",
            passed=None if stopped.rounds is None else stopped.rounds == 0,
            detail=f"{stopped.rounds or 0} rounds",
        ),
        check(
            "opened again", "rounds start again when it takes wagers", "GEN-07", passed=stopped.started_again
        ),
        check(
            "cut off",
            f"no round starts when none has been confirmed for {silence:g} seconds "
            "(for a device that must stop)",
            "GEN-07",
            passed=None if cut.rounds is None else cut.rounds == 0,
            detail=f"{cut.rounds or 0} rounds",
        ),
        check("healed", "rounds start again when the books are back", "GEN-07", passed=cut.started_again),
    ]


def _of_one_number(uneven: list[str]) -> Check:
    return check(
        "one number",
        "START GAME and END GAME are published on every link of the table, under one number",
        "LT-01",
        passed=not uneven,
        detail="; ".join(uneven[:3]),
    )


def _uneven(windows: list[Window]) -> list[str]:
    """Describe starts and ends missing on a link; if it took no wagers, a start without seats is enough."""
    starts = [
        {message.round: message.seats for message in window.said if isinstance(message, RoundStarted)}
        for window in windows
    ]
    ends = [
        {message.round for message in window.said if isinstance(message, RoundEnded)} for window in windows
    ]
    every_start, every_end = set().union(*starts), set().union(*ends)
    problems: list[str] = []
    for window, began, ended in zip(windows, starts, ends, strict=True):
        left_open = [number for number in sorted(every_end - ended) if began.get(number)]
        link = window.site.link
        problems += [f"{link}: no start of round {number}" for number in sorted(every_start - began.keys())]
        problems += [f"{link}: no end of round {number}" for number in left_open]
    return problems
