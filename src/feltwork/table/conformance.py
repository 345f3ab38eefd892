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


def check(name: str, says: str, requirement: str, *, passed: bool | None, detail: str = "") -> Check:
    """Make a check; None means that it was not exercised."""
    verdict: Verdict = "not seen" if passed is None else "pass" if passed else "fail"
    return Check(name=name, says=says, requirement=requirement, verdict=verdict, detail=detail)


def of_all_links(found: Mapping[str, Sequence[Check]]) -> list[Check]:
    """One list from the checks of each link: of every check the worst, with the name of its link."""
    worst_first: tuple[Verdict, ...] = ("fail", "not seen", "pass")
    named = [
        [replace(one, detail=f"{link}: {one.detail}") if len(found) > 1 else one for one in checks]
        for link, checks in found.items()
    ]
    return [min(same, key=lambda one: worst_first.index(one.verdict)) for same in zip(*named, strict=True)]


def is_conformant(checks: Iterable[Check]) -> bool:
    """Whether every check was exercised and passed."""
    return all(one.verdict == "pass" for one in checks)
