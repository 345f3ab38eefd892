"""Every refusal that any test here provokes is complete: a place, what is wrong, a remedy, and the row."""

import re
from collections.abc import Iterable

import pytest

from feltwork.problem import Problem, ProblemsError

ROW = re.compile(r"(WA|LT|GEN)-\d\d")
PLACE = re.compile(r"(link|house jackpot|table) \S+|[LH]\d+, (table|award|adjustment|merchandise|seat) ")
#: Words that are written in capitals because buttons and reasons are.
CAPITALS = re.compile(
    r"(START GAME|END GAME|COIN IN|GAME OVER|MISDEAL|CONFIRM|CORRECT SEAT|J-POT|[A-Z]+_[A-Z_]+|WIN) "
)


def verify_problem(problem: Problem) -> None:
    assert PLACE.match(problem.where), problem
    for text in (problem.what, problem.remedy):
        assert not ROW.search(text), problem
        assert text[0] in "$-0123456789\"'" or text[0].islower() or CAPITALS.match(text), problem
        assert re.search("[a-z]", text), problem
    assert ROW.fullmatch(problem.requirement), problem


@pytest.fixture(autouse=True)
def _every_refusal_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    original = ProblemsError.__init__

    def checked(self: ProblemsError, problems: Iterable[Problem]) -> None:
        problems = tuple(problems)
        for problem in problems:
            verify_problem(problem)
        original(self, problems)

    monkeypatch.setattr(ProblemsError, "__init__", checked)
