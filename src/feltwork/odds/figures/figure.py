"""A figure, and the families that figures of one kind belong to."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product
from typing import TypeAlias

from feltwork.problem import Problem, ProblemsError

#: How many significant digits a decimal is written with.
DIGITS = 15
#: Parameters that take any value written like this; of the others only the listed values exist.
OPEN = {
    "decks": r"[1-9]\d?",
    "envy": r"\d{1,2}",
    "contribution": r"\d+(\.\d+)?",
    "seed": r"\d+(\.\d+)?(,\d+(\.\d+)?)*",
    # What other paytables and games there are, the registry knows.
    "paytable": r".+",
    "game": r".+",
}


@dataclass(frozen=True, slots=True)
class Estimate:
    """A sampled value, which never passes for an exact one."""

    mean: Decimal
    standard_error: Decimal


Value: TypeAlias = Fraction | Estimate


@dataclass(frozen=True, slots=True)
class Figure:
    """One number about a bet."""

    id: str
    value: Value
    unit: str
    method: str

    @property
    def decimal(self) -> str:
        """The value as people read it."""
        if isinstance(self.value, Estimate):
            return str(self.value.mean)
        return decimal(self.value)

    def as_json(self) -> dict[str, object]:
        """The figure in the shape that programs read."""
        if isinstance(self.value, Estimate):
            exact: dict[str, object] = {"exact": False, "standard_error": str(self.value.standard_error)}
        else:
            exact = {"value": f"{self.value.numerator}/{self.value.denominator}", "exact": True}
        return {**exact, "decimal": self.decimal, "unit": self.unit, "method": self.method}


def decimal(value: Fraction, digits: int = DIGITS) -> str:
    """A fraction to so many significant digits."""
    with localcontext() as context:
        context.prec = digits
        return format(Decimal(value.numerator) / Decimal(value.denominator), "f")


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Figures that differ in their parameters only: ``title/bet/{paytable}/kind?decks=...``."""

    #: The id without its query; braces name a parameter that stands in the path.
    path: str
    unit: str
    method: str
    compute: Callable[..., Value]
    #: The values of each parameter that a full listing prints, those of the path first.
    listed: Mapping[str, Sequence[str]]
    #: Further parameters of the query, which follow from those listed.
    implied: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda _: {}
    #: Whether a full listing prints it; a figure that serves a printed one only is found by its id.
    is_listed: bool = True

    def ids(self) -> Iterator[str]:
        """The ids of a full listing."""
        for values in product(*self.listed.values()):
            chosen = dict(zip(self.listed, values, strict=True))
            yield self._id({**chosen, **self.implied(chosen)})

    def _id(self, chosen: Mapping[str, str]) -> str:
        in_path = re.findall(r"\{(\w+)\}", self.path)
        query = "&".join(f"{name}={value}" for name, value in chosen.items() if name not in in_path)
        return self.path.format(**chosen) + (f"?{query}" if query else "")

    def figure(self, identifier: str) -> Figure | None:
        """The figure of that id, if it is one of this family."""
        path, _, query = identifier.partition("?")
        match = re.fullmatch(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(self.path)), path)
        if match is None:
            return None
        chosen = match.groupdict() | dict(part.partition("=")[::2] for part in query.split("&") if part)
        first = next(self.ids())
        expected = set(match.groupdict()) | set(re.findall(r"[?&](\w+)=", first))
        if set(chosen) != expected:
            what = "its parameters are not those asked for"
            raise ProblemsError([Problem(identifier, what, f"write it like {first}")])
        self._verify(identifier, chosen, first)
        return Figure(identifier, self.compute(**chosen), self.unit, self.method)

    def _verify(self, identifier: str, chosen: Mapping[str, str], first: str) -> None:
        """Refuse values that are not written as they must be, or do not exist."""
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
