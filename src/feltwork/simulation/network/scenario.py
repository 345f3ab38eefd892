"""The scenario of a seed: the link, its versions, and the rates of faults and actions."""

import random
from dataclasses import dataclass, replace
from typing import TypeVar

from feltwork.money import CENT, DOLLAR, Micros
from feltwork.progressive.facts import Instant
from feltwork.progressive.link import NO_CAP, Level, Link, options_of
from feltwork.progressive.network.hub import HubTiming
from feltwork.progressive.network.site import SiteTiming
from feltwork.progressive.network.terms import NO_COUNTERSIGN, NetworkTerms
from feltwork.titles import registry

_T = TypeVar("_T")
SECOND: Instant = 1_000_000
MINUTE: Instant = 60 * SECOND
#: The start time of every run, in microseconds.
BEGIN: Instant = 1_800_000_000 * SECOND
HUB = "HUB"
#: Slower than in a card room, so a second of CPU time plays more hours.
HUB_TIMING = HubTiming(window=2 * SECOND, snapshot=4 * SECOND, report=8 * SECOND)
TICK: Instant = 2 * SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultWeights:
    """The rate of each fault; a seed has some of them often, some rarely and some never."""

    loss: float
    double: float
    late: float
    #: Faults per site and minute, or per minute at the hub.
    cut: float
    site_crash: float
    hub_crash: float
    #: Per commit: the process ends before anything is sent.
    crash_at_commit: float
    #: Per site and minute: a sum of other books arrives, and the hub stops the site or itself.
    rolled_back: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayWeights:
    """The rate of each action at the tables, in the pits and at the hub."""

    claim: float
    wrong: float
    misdeal: float
    correction: float
    settle: float
    change: float
    drop: float
    proceed: float
    leave: float
    #: How soon the pit acts on an open award.
    haste: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkScenario:
    """Everything that a seed decides before the first event."""

    seed: int
    link: Link
    versions: tuple[Link, ...]
    faults: FaultWeights
    play: PlayWeights
    #: Site -> its policy without the hub.
    sites: dict[str, SiteTiming]
    limit: Micros


def scenario_of(seed: int, sites: int) -> NetworkScenario:
    """Return the scenario of a seed."""
    rng = random.Random(f"scenario {seed}".encode())
    link = _link(rng)
    changed = replace(
        link,
        levels=tuple(
            replace(level, contribution=level.contribution + 200, seed=level.seed + 10 * DOLLAR)
            for level in link.levels
        ),
    )
    other = replace(link, levels=tuple(replace(level, reserve=level.reserve + 300) for level in link.levels))
    return NetworkScenario(
        seed=seed,
        link=link,
        versions=(link, changed, other),
        faults=FaultWeights(
            loss=_one_of(rng, 0.0, 0.01, 0.1, 0.3),
            double=_one_of(rng, 0.0, 0.02, 0.2),
            late=_one_of(rng, 0.0, 0.02, 0.2),
            cut=_one_of(rng, 0.0, 0.2, 0.5),
            site_crash=_one_of(rng, 0.0, 0.05, 0.2),
            hub_crash=_one_of(rng, 0.0, 0.05, 0.2),
            crash_at_commit=_one_of(rng, 0.0, 0.002, 0.01),
            # Drawn from its own generator: seeds play as they did before this fault was added.
            rolled_back=_one_of(random.Random(f"old backup {seed}".encode()), 0.0, 0.0, 0.3),
        ),
        play=PlayWeights(
            claim=_one_of(rng, 0.04, 0.1, 0.3),
            wrong=_one_of(rng, 0.0, 0.2, 0.5),
            misdeal=_one_of(rng, 0.0, 0.1),
            correction=_one_of(rng, 0.0, 0.1),
            settle=_one_of(rng, 0.0, 0.1, 0.5),
            change=_one_of(rng, 0.0, 0.2, 0.5),
            drop=_one_of(rng, 0.0, 0.1, 0.4),
            proceed=_one_of(rng, 0.0, 0.5),
            leave=_one_of(rng, 0.0, 0.0, 0.1),
            haste=_one_of(rng, 0.1, 0.7),
        ),
        sites={f"S{number}": _timing(rng) for number in range(1, sites + 1)},
        limit=_one_of(rng, 20 * DOLLAR, 10_000 * DOLLAR),
    )


def _link(rng: random.Random) -> Link:
    jackpot, paytable = "five_card", _one_of(rng, "01", "01", "ML01")
    levels = registry.paytable(jackpot, "jackpot", paytable).levels
    capped = rng.random() < 1 / 3
    seed = _one_of(rng, 1_000, 10_000) * DOLLAR
    return Link(
        id="N1",
        jackpot=jackpot,
        paytable=registry.paytable(jackpot, "jackpot", paytable),
        wager=_one_of(rng, DOLLAR, 5 * DOLLAR),
        levels=tuple(
            Level(
                name=name,
                seed=seed,
                contribution=1_733,
                reserve=_one_of(rng, 0, 517),
                unreasonable=100 * DOLLAR,
                cap=seed + 40 * DOLLAR + 7 * CENT if capped else NO_CAP,
            )
            for name in levels
        ),
        controls="nexus",
        lock_at="claim",
        executive_above=1_200 * DOLLAR,
        options=options_of(registry.jackpot(jackpot)),
        network=NetworkTerms(
            hub=HUB,
            several_sites=_one_of(rng, "order", "order", "shown"),
            countersign_above=_one_of(rng, NO_COUNTERSIGN, 5_000 * DOLLAR),
        ),
    )


def _timing(rng: random.Random) -> SiteTiming:
    if rng.random() < 2 / 3:
        return SiteTiming()
    return SiteTiming(
        cut_off="store_and_forward",
        most_rounds=_one_of(rng, 5, 1_000),
        most_time=_one_of(rng, 1, 60) * MINUTE,
    )


def _one_of(rng: random.Random, *choices: _T) -> _T:
    """Choose a value by the only generator method whose results are the same in every Python version."""
    return choices[int(rng.random() * len(choices))]
