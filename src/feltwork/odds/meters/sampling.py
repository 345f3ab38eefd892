"""Sampled meters, for shares or caps without a closed form: many links are simulated in parallel.

The random seed is fixed, so two settings differ by their terms and not by luck. Every result has an interval.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from feltwork.odds.lazy_numpy import np
from feltwork.odds.meters.distribution import MeterLaw

if TYPE_CHECKING:
    import numpy.typing as npt

Floats: TypeAlias = "npt.NDArray[np.float64]"
LINKS = 2_000
BATCHES = 20
#: Half of a 99.9% interval in standard errors, for means of twenty batches (Student, 19).
WIDTH = 3.883
#: The same for a count, from the normal distribution.
WIDTH_OF_COUNT = 3.291
MOST_EVENTS = 1_200
#: Limits on events simulated to reach the long-run state, and on events recorded in it.
LONGEST = 12_000
KEPT = 600
DRAWN_FROM = 20_240


@dataclass(frozen=True, slots=True)
class Sampled:
    """A sampled figure and half of its confidence interval."""

    value: float
    within: float


@dataclass(frozen=True, slots=True)
class Sample:
    """Meters and reserves at each share in the long run, one row per link."""

    meters: Floats
    reserves: Floats
    #: The mean growth of the reserve per trial.
    grown_per_trial: float

    def mean(self) -> Sampled:
        """The mean meter at a hit."""
        return _estimate(self.meters, np.mean)

    def deviation(self) -> Sampled:
        """The standard deviation of the meter at a hit."""
        return _estimate(self.meters, np.std)

    def quantile(self, chance: float) -> Sampled:
        """A quantile of the meter at a hit."""
        return _estimate(self.meters, lambda part: np.quantile(part, chance))

    def above(self, amount: float) -> Sampled:
        """The probability that the meter is above an amount at a hit."""
        return _estimate(self.meters, lambda part: np.mean(part > amount))

    def reserve_below(self, amount: float) -> Sampled:
        """The probability that the reserve is below an amount at a hit."""
        return _estimate(self.reserves, lambda part: np.mean(part < amount))

    def shortfall(self, amount: float) -> Sampled:
        """The mean shortfall of the reserve at a hit."""
        return _estimate(self.reserves, lambda part: np.mean(np.clip(amount - part, 0, None)))


def _estimate(links: Floats, statistic: "Callable[[Floats], np.floating[Any]]") -> Sampled:
    return over_batches([float(statistic(part)) for part in np.array_split(links, BATCHES)])


def over_batches(values: Sequence[float]) -> Sampled:
    """Estimate by batch means, because consecutive jackpots are correlated."""
    spread = float(np.std(values, ddof=1)) / BATCHES**0.5
    return Sampled(float(np.mean(values)), WIDTH * spread)


@dataclass
class _Links:
    """Simulated links, advanced from one share to the next."""

    law: MeterLaw
    meter: Floats
    reserve: Floats
    random: "np.random.Generator"

    def __post_init__(self) -> None:
        shares, fixed = self.law.shares, self.law.fixed
        self.parts = np.array([float(share) for share, _ in shares] + [0.0] * len(fixed))
        self.amounts = np.array([0.0] * len(shares) + [float(amount) for amount, _ in fixed])
        chances = np.array([float(chance) for _, chance in (*shares, *fixed)])
        self.any_share = float(chances.sum())
        #: Mean of the exponential time that rounds up to a geometric number.
        self.mean_wait = -1 / np.log1p(-self.any_share)
        self.borders = np.cumsum(chances / self.any_share)[:-1]
        self.cap = float("inf") if self.law.cap is None else float(self.law.cap)

    def grow(self, trials: Floats) -> None:
        """Advance trials without a share; growth above the cap goes to the reserve."""
        grown = self.meter + float(self.law.growth) * trials
        self.meter = np.minimum(grown, self.cap)
        self.reserve = self.reserve + float(self.law.reserved) * trials + (grown - self.meter)

    def take(self) -> None:
        """Pay a share or a fixed amount; after a full payout, restart at the seed plus the reserve.

        A meter that cannot cover a fixed amount is emptied and marked in ``dry``.
        """
        event = np.searchsorted(self.borders, self.random.random(self.meter.size), side="right")
        part, left = self.parts[event], self.meter - self.amounts[event]
        self.dry = left < 0
        self.whole = part == 1
        self.meter = np.maximum(left, 0) * (1 - part)
        whole = self.whole
        room = np.where(whole, np.clip(self.cap - float(self.law.seed), 0, None), 0)
        moved = np.minimum(self.reserve, room)
        self.meter = self.meter + np.where(whole, float(self.law.seed), 0) + moved
        self.reserve = self.reserve - moved

    def waits(self) -> Floats:
        """Draw the number of trials up to and including the next pay."""
        return np.ceil(self.random.exponential(self.mean_wait, self.meter.size))


def _fresh(law: MeterLaw) -> _Links:
    start = np.full(LINKS, float(law.seed))
    return _Links(law, start, np.zeros(LINKS), np.random.default_rng(DRAWN_FROM))


@lru_cache(maxsize=64)
def sample(law: MeterLaw) -> Sample:
    """Simulate the meter and the reserve at each pay in the long run."""
    links = _fresh(law)
    events = min(LONGEST, events_to_settle(law))
    later = min(events, 2 * KEPT)
    every = -(-later // KEPT)
    meters, reserves = [], []
    trials = grown = 0.0
    for event in range(events + later):
        wait = links.waits()
        links.grow(wait)
        if event >= events and not event % every:
            meters.append(links.meter)
            reserves.append(links.reserve)
        if event >= events:
            trials += float(wait.mean())
        links.take()
        if event == events - 1:
            grown = -float(links.reserve.mean())
    grown += float(links.reserve.mean())
    return Sample(np.stack(meters, axis=1), np.stack(reserves, axis=1), grown / trials)


def events_to_settle(law: MeterLaw) -> int:
    """Return the number of pays until the start no longer matters.

    Near a cap the reserve is a random walk whose settling time grows with the square of
    (mean - seed) / (cap - mean).
    """
    cycle = float(sum(chance for _, chance in (*law.shares, *law.fixed)) / law.whole)
    cycles = 8.0
    if law.cap is not None and law.pays_only_whole and law.mean < law.cap:
        cycles += 16 * float((law.mean - law.seed) / (law.cap - law.mean)) ** 2
    return max(24, round(cycles * cycle))


def settles(law: MeterLaw) -> bool:
    """Whether a simulation reaches the long-run state of the reserve."""
    strands = law.cap is not None and law.pays_only_whole and law.mean >= law.cap
    return strands or events_to_settle(law) <= LONGEST


@lru_cache(maxsize=64)
def dry_risk(law: MeterLaw) -> Sampled:
    """Simulate how often fixed pays empty a meter between its seed and its next full payout."""
    links = _fresh(law)
    dry, open_ = np.zeros(LINKS, dtype=bool), np.ones(LINKS, dtype=bool)
    for _ in range(LONGEST):
        links.grow(links.waits())
        links.take()
        dry |= open_ & links.dry
        open_ &= ~(links.whole | links.dry)
        if not open_.any():
            break
    share, z = float(dry.mean()), WIDTH_OF_COUNT**2 / LINKS
    middle = (share + z / 2) / (1 + z)
    # Wilson's interval, which does not collapse at 0 or 1; runs that are still open widen it.
    within = (z * share * (1 - share) + z * z / 4) ** 0.5 / (1 + z)
    return Sampled(middle, within + float(open_.mean()))


def quantiles_over(law: MeterLaw, trials: Sequence[int], chances: Sequence[float]) -> list[list[float]]:
    """Simulate quantiles of the meter after each number of trials, starting at the seed."""
    links = _fresh(law)
    due = links.waits()
    now, rows = 0.0, []
    for until in trials:
        at = np.full(LINKS, now)
        for _ in range(MOST_EVENTS):
            acting = due <= until
            if not acting.any():
                break
            steps = np.where(acting, due - at, 0)
            links.grow(steps)
            at = at + steps
            before = (links.meter, links.reserve)
            links.take()
            links.meter = np.where(acting, links.meter, before[0])
            links.reserve = np.where(acting, links.reserve, before[1])
            due = np.where(acting, due + links.waits(), due)
        links.grow(until - at)
        now = float(until)
        rows.append([float(meter) for meter in np.quantile(links.meter, chances)])
    return rows
