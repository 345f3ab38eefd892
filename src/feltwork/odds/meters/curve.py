"""Quantiles of a meter over time, starting at its seed; exact where there is a closed form."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from feltwork.odds.meters.distribution import MeterLaw
from feltwork.odds.meters.sampling import quantiles_over

CHANCES = (Fraction(5, 100), Fraction(25, 100), Fraction(50, 100), Fraction(75, 100), Fraction(95, 100))
POINTS = 48


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The meter after a number of trials, one amount for each of ``CHANCES``."""

    trials: int
    meters: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Curve:
    """The meter over time."""

    moments: tuple[CurvePoint, ...]
    how: Literal["exact", "sampled"]


def curve(law: MeterLaw, *, waits: int = 3) -> Curve:
    """Compute quantiles over several mean waiting times for a hit."""
    last = int(waits / law.whole)
    trials = sorted({max(1, last * step // POINTS) for step in range(1, POINTS + 1)})
    start = CurvePoint(0, (float(law.seed),) * len(CHANCES))
    if law.is_plain and not law.reserved:
        moments = [
            CurvePoint(at, tuple(float(_exact(law, at, chance)) for chance in CHANCES)) for at in trials
        ]
        return Curve((start, *moments), "exact")
    drawn = quantiles_over(law, trials, [float(chance) for chance in CHANCES])
    moments = [CurvePoint(at, tuple(meters)) for at, meters in zip(trials, drawn, strict=True)]
    return Curve((start, *moments), "sampled")


def _exact(law: MeterLaw, trials: int, chance: Fraction) -> Fraction:
    """Return a quantile of the meter; the trials since the last hit, or since opening, are geometric."""
    age = law.trials_until(chance) - 1
    return law.seed + law.growth * min(age, trials)
