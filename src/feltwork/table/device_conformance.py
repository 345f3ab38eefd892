"""Conformance test of a device against a simulated server."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from nats.aio.client import Client

from feltwork.table.conformance import Check, check
from feltwork.table.simulated_site import SimulatedSite
from feltwork.wire.uplink import Claim, ClaimCleared, RoundEnded, RoundMessage, RoundStarted

_CLOCK_SECONDS = 5.0
#: How long a device is watched that must not start a round.
_WATCH_SECONDS = 3.0


async def play_server(
    client: Client,
    link: str,
    *,
    seconds: float = 60.0,
    silence: float = 12.0,
    show: Callable[[str], None] = lambda text: None,
) -> list[Check]:
    """Run the test: accept the device, let it play, stop the link, go silent, come back."""
    site = SimulatedSite(client, link)
    await site.open()
    try:
        arrived = await _let_play(site, seconds, show)
        stopped = await _without(site, "takes_wagers", wait=2.0, seconds=seconds)
        cut = await _without(site, "speaks", wait=silence, seconds=seconds)
    finally:
        await site.close()
    return [
        *_of_hello(site, arrived),
        *_of_messages(site),
        *_of_stops(site, stopped),
        *_of_silence(site, cut, silence),
    ]


@dataclass(frozen=True, slots=True)
class _Without:
    """The rounds that a device started while it should not, and whether it resumed."""

    rounds: int
    started_again: bool


async def _let_play(site: SimulatedSite, seconds: float, show: Callable[[str], None]) -> float:
    """Watch two rounds and a claim; return the time of the hello."""
    show("start the device, sign on, and press START GAME and END GAME again and again until this ends")
    await _until(lambda: bool(site.hellos), seconds)
    arrived = time.time()
    await _until(lambda: _ended(site) >= 2, seconds)
    show("press a hand that a meter pays")
    await _until(lambda: any(isinstance(one, Claim) for one in site.said), seconds / 4)
    await _until(lambda: _claims_decided(site) is not None, seconds / 4)
    return arrived


async def _without(
    site: SimulatedSite, what: Literal["takes_wagers", "speaks"], *, wait: float, seconds: float
) -> _Without:
    """Take something away from the device, see whether it starts rounds, and give it back."""
    setattr(site, what, False)
    await asyncio.sleep(wait)
    before = _started(site)
    await asyncio.sleep(_WATCH_SECONDS)
    meanwhile = _started(site) - before
    setattr(site, what, True)
    before = _started(site)
    await _until(lambda: _started(site) > before, seconds / 4)
    return _Without(meanwhile, _started(site) > before)


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


def _started(site: SimulatedSite) -> int:
    return sum(isinstance(one, RoundStarted) for one in site.said)


def _ended(site: SimulatedSite) -> int:
    return sum(isinstance(one, RoundEnded) for one in site.said)


async def _until(true: Callable[[], bool], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
