"""A figure, and the family of figures that differ only in their parameters."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

from feltwork.problem import Problem, ProblemsError

#: Significant digits of a decimal.
DIGITS = 15
#: Parameters that take any value of this form; all others take only their listed values.
OPEN = {
    "decks": r"[1-9]\d?",
    "envy": r"\d{1,2}",
    "contribution": r"\d+(\.\d+)?",
    "seed": r"\d+(\.\d+)?(,\d+(\.\d+)?)*",
    "paytable": r".+",
    "game": r".+",
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One number about a bet."""

    id: str
    value: Fraction
    unit: str
    method: str

    @property
    def decimal(self) -> str:
        """The value as a decimal number."""
        return decimal(self.value)

    def as_json(self) -> dict[str, object]:
        """Return the figure for programs."""
        return {
            "value": f"{self.value.numerator}/{self.value.denominator}",
            "exact": True,
            "decimal": self.decimal,
            "unit": self.unit,
            "method": self.method,
        }


def decimal(value: Fraction, digits: int = DIGITS) -> str:
    """Write a fraction with a number of significant digits."""
    with localcontext() as context:
        context.prec = digits
        return format(Decimal(value.numerator) / Decimal(value.denominator), "f")


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Figures that differ in their parameters only: ``title/bet/{paytable}/kind?decks=...``."""

    #: The id without its query; braces name a parameter in the path.
    path: str
    unit: str
    method: str
    compute: Callable[..., Fraction]
    #: The values that a full listing prints for each parameter, path parameters first.
    listed: Mapping[str, Sequence[str]]
    #: Query parameters that follow from the listed ones.
    implied: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda _: {}
    #: Whether a full listing prints it; a figure that only checks a letter is found by its id.
    is_listed: bool = True

    def ids(self) -> Iterator[str]:
        """Yield the ids of a full listing."""
        for values in product(*self.listed.values()):
            chosen = dict(zip(self.listed, values, strict=True))
            yield self._id({**chosen, **self.implied(chosen)})

    def _id(self, chosen: Mapping[str, str]) -> str:
        in_path = re.findall(r"\{(\w+)\}", self.path)
        query = "&".join(f"{name}={value}" for name, value in chosen.items() if name not in in_path)
        return self.path.format(**chosen) + (f"?{query}" if query else "")

    def figure(self, identifier: str) -> Figure | None:
        """Return the figure with an id, or None if it belongs to another family."""
        path, _, query = identifier.partition("?")
        match = re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(self.path)), path)
        if match is None:
            return None
        chosen = match.groupdict() | dict(part.partition("=")[::2] for part in query.split("&") if part)
        first = next(self.ids())
        expected = set(match.groupdict()) | set(re.findall(r"[?&](\w+)=", first))
        if set(chosen) != expected:
            what = "it has missing or unknown parameters"
            raise ProblemsError([Problem(identifier, what, f"write it like {first}")])
        self._verify(identifier, chosen, first)
        return Figure(identifier, self.compute(**chosen), self.unit, self.method)

    def _verify(self, identifier: str, chosen: Mapping[str, str], first: str) -> None:
        """Refuse malformed or unknown parameter values."""
        problems = []
        for name, value in chosen.items():
            known = self.listed.get(name, ())
            if name in OPEN and not re.fullmatch(OPEN[name], value, re.ASCII):
                problems.append(Problem(identifier, f"{name} cannot be {value!r}", f"write it like {first}"))
            elif name not in OPEN and value not in known:
                remedy = f"choose from: {', '.join(known)}"
                problems.append(Problem(identifier, f"{name} cannot be {value!r}", remedy))
        if problems:
            raise ProblemsError(problems)
