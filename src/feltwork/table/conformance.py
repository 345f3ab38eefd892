"""Conformance: a list of what a device or a server must do, and whether it was seen to do it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["pass", "fail", "not seen"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that the other side must do."""

    name: str
    says: str
    requirement: str
    verdict: Verdict
    detail: str = ""


def check(name: str, says: str, requirement: str, *, passed: bool | None, detail: str = "") -> Check:
    """A check with its verdict; none is for what there was no occasion to see."""
    verdict: Verdict = "not seen" if passed is None else "pass" if passed else "fail"
    return Check(name=name, says=says, requirement=requirement, verdict=verdict, detail=detail)


def is_conformant(checks: Iterable[Check]) -> bool:
    """Whether everything was seen, and nothing was wrong."""
    return all(one.verdict == "pass" for one in checks)
