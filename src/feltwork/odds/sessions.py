"""Sessions: the risk of ruin of a bank, and the bank required for a risk.

One round changes the bank by a net result of the bet. A bank is ruined as soon as it no longer covers the
largest loss of a round. The probability is computed for all banks together, round by round backward from the
end of the session, from the exact probabilities of the net results in double precision, without simulation or
the assumption of a normal distribution.
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
#: Standard deviations above a session's mean loss beyond which a bank is safe.
_SAFE = 9
#: Limit on rounds times banks times net results; takes a second or two.
_MOST = 1_000_000_000


@dataclass(frozen=True, slots=True)
class BankSession:
    """A number of rounds with a bank, in units of the first wager."""

    rounds: int
    bank: int
    risk: Fraction
    #: The risk of ruin of the bank.
    ruin: float
    #: The smallest whole bank whose risk of ruin is at most ``risk``.
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
    """Compute the risk of ruin of a bank, and the bank required for a risk."""
    per_unit = lcm(*(net.denominator for net in nets))
    most = max((-net for net in nets), default=Fraction(1))
    mean = -sum((net * chance for net, chance in nets.items()), Fraction(0))
    variance = float(sum((net * net * chance for net, chance in nets.items()), Fraction(0)) - mean**2)
    safe = min(
        float(rounds * most), max(float(rounds * mean), 0.0) + _SAFE * sqrt(rounds * variance)
    ) + float(most)
    size = (ceil(safe) + 1) * per_unit
    if rounds * size * len(nets) > _MOST:
        what = f"a session of {rounds:,} rounds of this bet is too large to compute"
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
    """Return the chance of ruin by bank; ``need`` is the amount a bank must cover before each round."""
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
