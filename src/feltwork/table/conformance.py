"""Conformance checks and their results."""

from collections.abc import Iterable
from dataclasses import dataclass
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


def is_conformant(checks: Iterable[Check]) -> bool:
    """Whether every check was exercised and passed."""
    return all(one.verdict == "pass" for one in checks)
