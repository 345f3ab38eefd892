"""Sessions: the risk that a bank does not last, and the bank that a risk needs.

One round changes the bank by a net result of the bet. A bank is ruined as soon as it no longer covers the
most that a round can lose. The chance is computed for every bank at once, round by round backwards from the
end of the session, from the exact probabilities of the net results in double precision; nothing is simulated
and no normal distribution is assumed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, sqrt
from typing import TYPE_CHECKING

from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    import numpy as np

#: Net results of one round in units of the first wager, with their probabilities.
Nets = Mapping[Fraction, Fraction]
#: Beyond this many standard deviations of a session above its mean loss, a bank is safe.
_SAFE = 9
#: Rounds times banks times net results that are tried; a second or two.
_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class BankSession:
    """A number of rounds with a bank, in units of the first wager."""

    rounds: int
    bank: int
    risk: Fraction
    #: The chance that the bank does not last.
    ruin: float
    #: The smallest whole bank whose risk is not above the one given.
    required_bank: int

    def as_json(self) -> dict[str, object]:
        """Return the session for programs."""
        return {
            "rounds": self.rounds,
            "bank": self.bank,
            "ruin": round(self.ruin, 9),
            "risk": str(self.risk),
            "required_bank": self.required_bank,
        }


def session(nets: Nets, *, rounds: int, bank: int, risk: Fraction) -> BankSession:
    """Compute the risk of ruin of a bank, and the bank for a risk."""
    per_unit = lcm(*(net.denominator for net in nets))
    most = max((-net for net in nets), default=Fraction(1))
    mean = -sum((net * chance for net, chance in nets.items()), Fraction(0))
    variance = float(sum((net * net * chance for net, chance in nets.items()), Fraction(0)) - mean**2)
    safe = min(
        float(rounds * most), max(float(rounds * mean), 0.0) + _SAFE * sqrt(rounds * variance)
    ) + float(most)
    size = (ceil(safe) + 1) * per_unit
    if rounds * size * len(nets) > _MOST:
        what = f"{rounds:,} rounds of this bet have too many banks to try"
        raise ProblemsError([Problem("session", what, "ask for fewer rounds")])
    need = int(most * per_unit)
    steps = [(int(net * per_unit), float(chance)) for net, chance in nets.items()]
    chances = _ruin_of_every_bank(steps, rounds, size, need)
    at = bank * per_unit
    ruined = 1.0 if at < need else float(chances[at]) if at < size else 0.0
    enough = next(
        (units for units in range(ceil(most), ceil(safe) + 1) if chances[units * per_unit] <= float(risk)),
        ceil(safe) + 1,
    )
    return BankSession(rounds, bank, risk, ruined, enough)


def _ruin_of_every_bank(
    steps: list[tuple[int, float]], rounds: int, size: int, need: int
) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """Return the chance of ruin by bank; ``need`` is what a bank must cover before each round."""
    import numpy as np

    chances = np.zeros(size)
    chances[:need] = 1.0
    for _ in range(rounds):
        after = np.zeros(size)
        for net, chance in steps:
            if net >= size:
                continue
            if net >= 0:
                after[: size - net] += chance * chances[net:]
            else:
                after[-net:] += chance * chances[: size + net]
        after[:need] = 1.0
        chances = after
    return chances
