"""Conformance test of a device against a simulated server."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from nats.aio.client import Client

from feltwork.table.conformance import Check, check, of_all_links
from feltwork.table.simulated_site import SimulatedSite
from feltwork.wire.uplink import Claim, ClaimCleared, RoundEnded, RoundMessage, RoundStarted

_CLOCK_SECONDS = 5.0
#: How long a device is watched that must not start a round.
_WATCH_SECONDS = 3.0
#: A site for each link of the table.
_Sites: TypeAlias = Sequence[SimulatedSite]


async def play_server(
    client: Client,
    *links: str,
    seconds: float = 60.0,
    silence: float = 12.0,
    show: Callable[[str], None] = lambda text: None,
) -> list[Check]:
    """Run the test: accept the device on its links, let it play, stop the links, go silent, come back."""
    sites = [SimulatedSite(client, link) for link in links]
    for site in sites:
        site.sign_ons = sites[0].sign_ons  # people sign on at the table, for all of its jackpots
        await site.open()
    try:
        arrived = await _let_play(sites, seconds, show)
        stopped = await _without(sites, "takes_wagers", wait=2.0, seconds=seconds)
        cut = await _without(sites, "speaks", wait=silence, seconds=seconds)
    finally:
        for site in sites:
            await site.close()
    found = {
        site.link: [
            *_of_hello(site, arrived),
            *_of_messages(site),
            *_of_stops(site, stopped),
            *_of_silence(site, cut, silence),
        ]
        for site in sites
    }
    return [*of_all_links(found), *([_of_one_number(stopped)] if len(sites) > 1 else [])]


@dataclass(frozen=True, slots=True)
class _Without:
    """The rounds that a device started while it should not, and whether it resumed."""

    rounds: int
    started_again: bool
    #: What was said on some links only, once nothing was under way.
    uneven: list[str]


async def _let_play(sites: _Sites, seconds: float, show: Callable[[str], None]) -> float:
    """Watch two rounds and a claim on each link; return the time of the hello."""
    show("start the device, sign on, and press START GAME and END GAME again and again until this ends")
    await _until(lambda: all(site.hellos for site in sites), seconds)
    arrived = time.time()
    await _until(lambda: min(map(_ended, sites)) >= 2, seconds)
    show(
        "press a hand that a meter pays"
        if len(sites) == 1
        else "press a hand of each jackpot that a meter pays"
    )
    await _until(lambda: all(any(isinstance(one, Claim) for one in site.said) for site in sites), seconds / 4)
    await _until(lambda: all(_claims_decided(site) is not None for site in sites), seconds / 4)
    return arrived


async def _without(
    sites: _Sites, what: Literal["takes_wagers", "speaks"], *, wait: float, seconds: float
) -> _Without:
    """Take something away from the device, see whether it starts rounds, and give it back."""
    for site in sites:
        await site.be_silent() if what == "speaks" else setattr(site, what, False)
    await asyncio.sleep(wait)
    before = await _all_started(sites, seconds)
    await asyncio.sleep(_WATCH_SECONDS)
    meanwhile, uneven = await _all_started(sites, seconds) - before, _uneven(sites)
    for site in sites:
        setattr(site, what, True)
    counts = list(map(_started, sites))

    def all_started_again() -> bool:
        return all(_started(site) > count for site, count in zip(sites, counts, strict=True))

    await _until(all_started_again, seconds / 2)
    return _Without(meanwhile, all_started_again(), uneven)


def _of_hello(site: SimulatedSite, arrived: float) -> list[Check]:
    first = site.hellos[0] if site.hellos else None
    apart = abs(arrived - first.at / 1_000_000) if first else 0.0
    return [
        check(
            "hello",
            "says who it is: software, hash, version, paytable",
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
    ]


def _of_messages(site: SimulatedSite) -> list[Check]:
    numbers = [one.round for one in site.said if isinstance(one, RoundStarted)]
    steps: dict[int, list[int]] = {}
    for one in site.said:
        if isinstance(one, RoundMessage):
            steps.setdefault(one.round, []).append(one.step)
    first = site.hellos[0].last_round + 1 if site.hellos else 1
    whole = all(found == list(range(len(found))) for found in steps.values())
    return [
        check(
            "messages",
            "every message can be read, stands under its own subject and carries its id",
            "GL-12",
            passed=not site.problems if site.said else None,
            detail="; ".join(site.problems[:3]),
        ),
        check(
            "numbers",
            "rounds are numbered without a gap, from the last one on",
            "GL-12",
            passed=numbers == list(range(first, first + len(numbers))) if numbers else None,
            detail=f"{len(numbers)} rounds",
        ),
        check("steps", "messages of a round are numbered 0, 1, 2", "GL-12", passed=whole if steps else None),
        check(
            "signed on",
            "every message of a round carries the sign-on of somebody at the table",
            "GL-10",
            passed=not site.unsigned if numbers else None,
            detail="; ".join(site.unsigned[:3]),
        ),
        check("ends", "rounds end", "LT-09", passed=_ended(site) > 0 if numbers else None),
    ]


def _of_stops(site: SimulatedSite, stopped: _Without) -> list[Check]:
    return [
        check(
            "claims",
            "END GAME waits until each claim is confirmed or void",
            "LT-03",
            passed=_claims_decided(site),
        ),
        check(
            "stopped link",
            "no round starts while the link takes no wagers",
            "GEN-07",
            passed=None if not _started(site) else stopped.rounds == 0,
            detail=f"{stopped.rounds} rounds",
        ),
        check(
            "opened again", "rounds start again when it takes wagers", "GEN-07", passed=stopped.started_again
        ),
    ]


def _of_silence(site: SimulatedSite, cut: _Without, silence: float) -> list[Check]:
    return [
        check(
            "cut off",
            f"no round starts when none was confirmed for {silence:g} seconds (a device that must stop)",
            "GEN-07",
            passed=None if not _started(site) else cut.rounds == 0,
            detail=f"{cut.rounds} rounds",
        ),
        check("healed", "rounds start again when the books are back", "GEN-07", passed=cut.started_again),
    ]


def _of_one_number(stopped: _Without) -> Check:
    return check(
        "one number",
        "START GAME and END GAME are said on every link of the table, under one number",
        "LT-01",
        passed=not stopped.uneven,
        detail="; ".join(stopped.uneven[:3]),
    )


def _uneven(sites: _Sites) -> list[str]:
    """What was said on another link only; one that took no wagers is told the number without seats or end."""
    starts = [{one.round: one.seats for one in site.said if isinstance(one, RoundStarted)} for site in sites]
    ends = [{one.round for one in site.said if isinstance(one, RoundEnded)} for site in sites]
    every_start, every_end = set().union(*starts), set().union(*ends)
    found: list[str] = []
    for site, started, ended in zip(sites, starts, ends, strict=True):
        left_open = [number for number in sorted(every_end - ended) if started.get(number)]
        found += [
            f"{site.link}: no start of round {number}" for number in sorted(every_start - started.keys())
        ]
        found += [f"{site.link}: no end of round {number}" for number in left_open]
    return found


def _claims_decided(site: SimulatedSite) -> bool | None:
    """Whether every round waited for the answer to its claim; None if there was none."""
    open_claims: dict[int, set[str]] = {}
    seen: bool | None = None
    for one in site.said:
        if isinstance(one, Claim):
            open_claims.setdefault(one.round, set()).add(one.award)
        elif isinstance(one, ClaimCleared):
            open_claims.get(one.round, set()).discard(one.award)
        elif isinstance(one, RoundEnded) and one.round in open_claims:
            undecided = open_claims[one.round] - site.confirmed
            seen = (seen is not False) and not undecided
    return seen


async def _all_started(sites: _Sites, seconds: float) -> int:
    """How many rounds have started, those included that a slow server has yet to deliver."""
    for site in sites:
        await site.catch_up(seconds)
    return sum(map(_started, sites))


def _started(site: SimulatedSite) -> int:
    return sum(isinstance(one, RoundStarted) for one in site.said)


def _ended(site: SimulatedSite) -> int:
    return sum(isinstance(one, RoundEnded) for one in site.said)


async def _until(true: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
