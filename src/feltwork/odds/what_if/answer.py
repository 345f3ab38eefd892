"""The answer to a what-if question, and the comparison of two answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor, log10
from typing import Literal, TypeAlias

from feltwork.odds.distribution import html_table
from feltwork.odds.figures.figure import DIGITS, decimal
from feltwork.odds.pricing import RowReturn, net_pay
from feltwork.odds.what_if.question import Question, terms_of
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Odds, Paytable

__all__ = [
    "Change",
    "ComputedFigure",
    "How",
    "WhatIfAnswer",
    "compare",
    "figures_of",
    "inversions",
    "removed_rows",
]

#: A fraction, a closed form to thirty digits, double precision or a bound with its error, or a simulation.
How: TypeAlias = Literal["exact", "rounded", "numeric", "sampled"]


@dataclass(frozen=True, slots=True)
class ComputedFigure:
    """A figure with its method and its error bound."""

    value: Fraction
    unit: str
    how: How = "exact"
    error: Fraction = Fraction(0)

    def as_json(self) -> dict[str, object]:
        """Return the figure for programs."""
        if self.how == "exact":
            value = {"value": str(self.value), "decimal": decimal(self.value)}
            return {**value, "unit": self.unit, "how": self.how}
        within = decimal(self.error, 3)
        return {"decimal": self._rounded(), "unit": self.unit, "how": self.how, "within": within}

    def _rounded(self) -> str:
        """Write only the digits that the error leaves certain, so every machine writes the same text."""
        if not self.value or not self.error:
            return decimal(self.value)
        known = floor(log10(abs(self.value) / self.error))
        return decimal(self.value, min(max(known, 3), DIGITS))


@dataclass(frozen=True, slots=True, repr=False)
class WhatIfAnswer:
    """All figures that follow from a question."""

    question: Question
    method: str
    rows: tuple[RowReturn, ...]
    bet: Mapping[str, ComputedFigure]
    meters: Mapping[str, Mapping[str, ComputedFigure]]
    strategy: tuple[str, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        figures = ", ".join(
            f"{name} {float(figure.value):.6g}" for name, figure in list(self.bet.items())[:2]
        )
        return f"<WhatIfAnswer {self.question.paytable.name}: {figures}>"

    def _repr_html_(self) -> str:
        figures = figures_of(self).items()
        rows = ([name, f"{float(figure.value):.8g}", figure.unit, figure.how] for name, figure in figures)
        return html_table((self.question.paytable.name, "value", "unit", "how"), rows)

    def as_json(self) -> dict[str, object]:
        """Return the answer for programs."""
        return {
            "name": self.question.paytable.name,
            "fingerprint": self.question.paytable.fingerprint,
            "options": dict(self.question.options),
            "terms": terms_of(self.question),
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
            "bet": {name: figure.as_json() for name, figure in self.bet.items()},
            "meters": {
                level: {name: figure.as_json() for name, figure in figures.items()}
                for level, figures in self.meters.items()
            },
            "strategy": list(self.strategy),
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class Change:
    """A figure before and after."""

    name: str
    before: ComputedFigure | None
    after: ComputedFigure | None

    @property
    def difference(self) -> Fraction | None:
        """After minus before, where both are known."""
        return self.after.value - self.before.value if self.before and self.after else None


def compare(before: WhatIfAnswer, after: WhatIfAnswer) -> list[Change]:
    """Compare two settings or two paytables; a meter's figures are prefixed with its name."""
    first, second = figures_of(before), figures_of(after)
    return [Change(name, first.get(name), second.get(name)) for name in dict.fromkeys((*first, *second))]


def inversions(answer: WhatIfAnswer) -> tuple[str, ...]:
    """Say which rows of a draft, but not of its original, pay less than a row that comes more often."""
    paytable = answer.question.paytable
    library = registry.library(paytable.title)
    released = library.get((paytable.bet, paytable.id.removesuffix("-draft")))
    often = {line.hand: line.probability for line in answer.rows if line.probability}
    usual = _inverted(released, often) if released else {}
    return tuple(
        f"{_plain(hand)} pays less than {_plain(other)}, which comes more often."
        for hand, other in _inverted(paytable, often).items()
        if hand not in usual
    )


def _inverted(paytable: Paytable, often: Mapping[str, Fraction]) -> dict[str, str]:
    pays = {
        row.hand: net_pay(row) for row in paytable.rows if isinstance(row.pays, Odds) and row.hand in often
    }
    inverted = {}
    for hand, pay in pays.items():
        above = [other for other, more in pays.items() if more > pay and often[other] > often[hand]]
        if above:
            inverted[hand] = above[0]
    return inverted


def _plain(hand: str) -> str:
    return hand.replace("_", " ")


def removed_rows(before: WhatIfAnswer, after: WhatIfAnswer) -> list[RowReturn]:
    """Return the rows that only the first answer has."""
    remaining_hands = {row.hand for row in after.rows}
    return [row for row in before.rows if row.hand not in remaining_hands]


def figures_of(answer: WhatIfAnswer) -> dict[str, ComputedFigure]:
    """Return every figure by name; a meter's figures are prefixed with its name."""
    meters = {
        f"{level}.{name}": figure
        for level, figures in answer.meters.items()
        for name, figure in figures.items()
    }
    return {**answer.bet, **meters}
