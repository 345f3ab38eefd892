"""Conformance checks and their results."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["pass", "fail", "not seen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One requirement of the protocol."""

    name: str
    says: str
    requirement: str
    verdict: Verdict
    detail: str = ""


def check(name: str, statement: str, requirement: str, *, passed: bool | None, detail: str = "") -> Check:
    """Make a check; None means that it was not exercised."""
    verdict: Verdict = "not seen" if passed is None else "pass" if passed else "fail"
    return Check(name=name, says=statement, requirement=requirement, verdict=verdict, detail=detail)


def of_all_links(checks_by_link: Mapping[str, Sequence[Check]]) -> list[Check]:
    """Merge the checks of all links, keeping the worst result of each check with its link's name."""
    worst_first: tuple[Verdict, ...] = ("fail", "not seen", "pass")
    rows = [
        [
            replace(entry, detail=f"{link}: {entry.detail}") if len(checks_by_link) > 1 else entry
            for entry in checks
        ]
        for link, checks in checks_by_link.items()
    ]
    return [min(same, key=lambda entry: worst_first.index(entry.verdict)) for same in zip(*rows, strict=True)]


def is_conformant(checks: Iterable[Check]) -> bool:
    """Whether every check was exercised and passed."""
    return all(entry.verdict == "pass" for entry in checks)
