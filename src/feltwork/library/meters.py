"""Simulated meters of a jackpot."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from feltwork.library.extras import says_what_it_needs
from feltwork.library.inputs import (
    Options,
    PaytableInput,
    Value,
    option_texts,
    rate_text,
    read_paytable,
    text_of,
)
from feltwork.odds.meters.curve import Curve, curve
from feltwork.odds.meters.sampling import Sampled, sample, settles
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.question import Question, verify
from feltwork.odds.what_if.what_if import meter_laws
from feltwork.problem import Problem, ProblemsError

#: One value for every meter, or values by the level of a meter.
PerLevel: TypeAlias = Value | Mapping[str, Value]
_CHANCES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterSimulation:
    """One meter on 2,000 simulated links: dollars, each with half of its 99.9% interval."""

    seed: Fraction
    #: The amount that one wager adds to the meter.
    growth: Fraction
    #: The average number of wagers from one full payout to the next.
    wagers_per_hit: Fraction
    #: The long-run mean and standard deviation of the meter when it pays.
    mean: Sampled
    deviation: Sampled
    #: By probability: 0.05, 0.25, 0.5, 0.75 and 0.95.
    quantiles: Mapping[float, Sampled]
    #: The same quantiles by the number of wagers since the seed.
    curve: Curve


@says_what_it_needs
def simulate_meter(
    paytable: PaytableInput,
    *,
    seed: PerLevel = "",
    contribution: PerLevel = "",
    reserve: PerLevel = "",
    cap: PerLevel = "",
    wager: Value = "",
    options: Options | None = None,
) -> dict[str, MeterSimulation]:
    """Simulate the meters of a jackpot, by level; omitted terms take the recommended or usual values.

    Write amounts like ``"25000"`` and rates like ``"24%"``. The same terms give the same figures.
    """
    parsed_paytable = read_paytable(paytable)
    if not parsed_paytable.levels:
        raise ProblemsError(
            [Problem(parsed_paytable.name, "pays from no meter", "choose a jackpot's paytable")]
        )
    fields = {"wager": text_of(wager), **option_texts(options)}
    for name, term in {"seed": seed, "contribution": contribution, "reserve": reserve, "cap": cap}.items():
        levels = term if isinstance(term, Mapping) else dict.fromkeys(parsed_paytable.levels, term)
        write = rate_text if name in ("contribution", "reserve") else text_of
        fields |= {f"{name}.{level}": write(value) for level, value in levels.items()}
    question = question_from(parsed_paytable, fields)
    verify(question)
    return _simulated(question)


def _simulated(question: Question) -> dict[str, MeterSimulation]:
    simulations = {}
    for level, law in meter_laws(question).items():
        if not settles(law):
            what = "takes too long to reach its long-run state"
            raise ProblemsError([Problem(level, what, "raise its cap, or remove it")])
        drawn = sample(law)
        simulations[level] = MeterSimulation(
            seed=law.seed,
            growth=law.growth,
            wagers_per_hit=1 / law.whole,
            mean=drawn.mean(),
            deviation=drawn.deviation(),
            quantiles={chance: drawn.quantile(chance) for chance in _CHANCES},
            curve=curve(law),
        )
    return simulations
