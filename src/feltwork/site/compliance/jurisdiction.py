"""Jurisdictions: dated data files with their sources, and their rulings on a day."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from feltwork import money
from feltwork.money import Micros
from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.requirements import READ

#: The value of an amount or number without a bound.
NONE = "none"
_FOLDER = files("feltwork.site.compliance").joinpath("jurisdictions")
_FIRST = date.min
#: The fewest rules of its own that make a jurisdiction more than a generic check with notes.
_LEAST_READ = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The value of one rule on one day, with source and evidence mark."""

    name: str
    value: object
    says: str
    requirement: str
    source: str
    #: The evidence mark, as for requirements.
    mark: str
    #: The day from which it applies; the earliest date if the rule is not dated.
    since: date = _FIRST
    #: The open question about it; empty if there is none.
    uncertain: str = ""
    #: The previous value.
    before: object = None

    @property
    def cited(self) -> str:
        """The source, which is no citation where the text was not read."""
        return self.source if self.mark in {*READ, "-"} else f"{self.source} (text unread)"

    @property
    def amount(self) -> Micros | None:
        """The value as money, or None without a bound."""
        return None if self.value == NONE else money.parse(str(self.value))

    @property
    def number(self) -> int | None:
        """The value as a number, or None without a bound."""
        return None if self.value == NONE else int(str(self.value))

    @property
    def rate(self) -> int:
        """The value in basis points."""
        return money.parse_rate(str(self.value))

    @property
    def flag(self) -> bool:
        """The value as yes or no."""
        return self.value is True

    def verify_alike(self, value: object) -> None:
        """Raise if a value cannot be this rule's: of another type, or not an amount if one is required."""
        if value == NONE and not isinstance(self.value, bool | list):
            return
        if type(value) is not type(self.value):
            raise ValueError(f"{value!r} is not of the kind of {self.value!r}")
        if isinstance(value, str) and _is_amount(str(self.value)):
            money.parse(value)

    @property
    def names(self) -> tuple[str, ...]:
        """The value as a list of words."""
        return tuple(map(str, self.value)) if isinstance(self.value, list) else (str(self.value),)


@dataclass(frozen=True, slots=True)
class Jurisdiction:
    """The rules of a place, each as rulings in date order."""

    id: str
    name: str
    rules: Mapping[str, tuple[Ruling, ...]] = field(repr=False)
    #: Whether an executive's badge alone confirms a win above the executive level; otherwise two people sign.
    executive_alone: bool
    #: How many of its rules are its own and were read in their own text.
    read: int

    @property
    def offered_as(self) -> str:
        """The name under which it is offered: generic, where too few of its rules were read."""
        is_known = self.id == "generic" or self.read >= _LEAST_READ
        return self.name if is_known else f"generic, with notes of {self.name}"

    @property
    def basis(self) -> str:
        """What a check under it rests on, and what it therefore is not."""
        knows, law = "rules that several states share", "any"
        if self.id != "generic":
            letters = ", and the approval letters" if self.rules["approval_letters"][-1].flag else ""
            knows = f"{self.read} rule{'' if self.read == 1 else 's'} of {self.name}{letters}"
            law = self.name.partition(",")[0]
        return f"Checked against {knows}. This is not a review of {law} law. See docs/limits.md."

    def on(self, day: date) -> "Rulings":
        """The rulings on a day."""
        return Rulings(self, {name: _in_force(line, day) for name, line in self.rules.items()})


@dataclass(frozen=True, slots=True)
class Rulings:
    """All rulings of a jurisdiction on one day."""

    jurisdiction: Jurisdiction
    in_force: Mapping[str, Ruling] = field(repr=False)

    def __getitem__(self, name: str) -> Ruling:
        return self.in_force[name]

    def confirmed(self, name: str, value: object, reference: str) -> "Rulings":
        """The rulings with one uncertain rule confirmed by a cited text."""
        ruling = replace(self.in_force[name], value=value, uncertain="", source=reference)
        return Rulings(self.jurisdiction, {**self.in_force, name: ruling})


def ids() -> tuple[str, ...]:
    """Return the ids of the available jurisdictions."""
    names = (entry.name for entry in _FOLDER.iterdir() if entry.name.endswith(".toml"))
    return tuple(sorted(name.removesuffix(".toml") for name in names))


@cache
def jurisdiction(identifier: str) -> Jurisdiction:
    """Return a jurisdiction by id; its rules override those of the one it is based on."""
    if identifier not in ids():
        remedy = f"choose from: {', '.join(ids())}"
        raise ProblemsError([Problem("jurisdiction", f"there is no {identifier!r}", remedy)])
    data = tomllib.loads(_FOLDER.joinpath(f"{identifier}.toml").read_text(encoding="utf-8"))
    ground = jurisdiction(data["based_on"]).rules if "based_on" in data else {}
    own = {name: _line(name, rule) for name, rule in data.items() if isinstance(rule, dict)}
    alone = data.get("executive_alone", False)
    read = sum(line[-1].mark in {"V", "P"} and not line[-1].uncertain for line in own.values())
    return Jurisdiction(data["id"], data["name"], {**ground, **own}, executive_alone=alone, read=read)


def _line(name: str, rule: Mapping[str, Any]) -> tuple[Ruling, ...]:
    """Return the rulings of one rule in date order."""
    dated = sorted(rule.get("values", [{"is": rule.get("is")}]), key=lambda value: value.get("from", _FIRST))
    line: list[Ruling] = []
    for value in dated:
        line.append(
            Ruling(
                name=name,
                value=value["is"],
                says=rule["says"],
                requirement=value.get("requirement", rule["requirement"]),
                source=rule.get("source", "no rule of its own"),
                mark=rule.get("mark", "-"),
                since=value.get("from", _FIRST),
                uncertain=value.get("uncertain", ""),
                before=line[-1].value if line else None,
            )
        )
    return tuple(line)


def _is_amount(text: str) -> bool:
    try:
        money.parse(text)
    except ValueError:
        return False
    return True


def _in_force(line: tuple[Ruling, ...], day: date) -> Ruling:
    """Return the latest ruling in effect; before the first, no bound is known, so the first applies."""
    return next((ruling for ruling in reversed(line) if ruling.since <= day), line[0])
