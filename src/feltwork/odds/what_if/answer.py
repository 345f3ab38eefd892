"""An answer to what if: figures that say how they were found, and two answers held against each other."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from feltwork.odds.figures.figure import decimal
from feltwork.odds.pricing import RowReturn
from feltwork.odds.what_if.question import Question

__all__ = ["Change", "ComputedFigure", "How", "RowReturn", "WhatIfAnswer", "compare"]

How: TypeAlias = Literal["exact", "rounded", "sampled"]


@dataclass(frozen=True, slots=True)
class ComputedFigure:
    """One figure: its value, how it was found, and how far off it may be."""

    value: Fraction
    unit: str
    how: How = "exact"
    error: Fraction = Fraction(0)

    def as_json(self) -> dict[str, object]:
        """The figure in the shape that programs read."""
        told: dict[str, object] = {"decimal": decimal(self.value), "unit": self.unit, "how": self.how}
        if self.how == "exact":
            return {"value": str(self.value), **told}
        return {**told, "within": decimal(self.error, 3)}


@dataclass(frozen=True, slots=True)
class WhatIfAnswer:
    """Everything that follows."""

    question: Question
    method: str
    rows: tuple[RowReturn, ...]
    bet: Mapping[str, ComputedFigure]
    meters: Mapping[str, Mapping[str, ComputedFigure]]
    strategy: tuple[str, ...]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """The answer in the shape that programs read."""
        return {
            "name": self.question.paytable.name,
            "fingerprint": self.question.paytable.fingerprint,
            "options": dict(self.question.options),
            "method": self.method,
            "rows": [
                {
                    "hand": row.hand,
                    "pays": row.pays,
                    "probability": str(row.probability),
                    "returns": None if row.returns is None else str(row.returns),
                    "decimal": None if row.returns is None else decimal(row.returns),
                }
                for row in self.rows
            ],
            "bet": {name: found.as_json() for name, found in self.bet.items()},
            "meters": {
                level: {name: found.as_json() for name, found in figures.items()}
                for level, figures in self.meters.items()
            },
            "strategy": list(self.strategy),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Change:
    """One figure before and after."""

    name: str
    before: ComputedFigure | None
    after: ComputedFigure | None

    @property
    def difference(self) -> Fraction | None:
        """After less before, where both are known."""
        return self.after.value - self.before.value if self.before and self.after else None


def compare(before: WhatIfAnswer, after: WhatIfAnswer) -> list[Change]:
    """Two settings, or two paytables, figure by figure; a meter's figures carry its name."""
    one, other = _flat(before), _flat(after)
    return [Change(name, one.get(name), other.get(name)) for name in dict.fromkeys((*one, *other))]


def _flat(answer: WhatIfAnswer) -> dict[str, ComputedFigure]:
    meters = {
        f"{level}.{name}": found
        for level, figures in answer.meters.items()
        for name, found in figures.items()
    }
    return {**answer.bet, **meters}
