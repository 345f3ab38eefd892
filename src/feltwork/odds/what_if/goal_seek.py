"""Goal seek: the whole-number pays that bring a figure closest to a goal."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from heapq import nsmallest
from itertools import product
from math import prod

from feltwork.odds.figures.figure import decimal
from feltwork.odds.sheet import counted_bet
from feltwork.odds.what_if.answer import ComputedFigure, WhatIfAnswer, figures_of, inversions
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.fields import question_from
from feltwork.odds.what_if.what_if import what_if
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.paytables.paytable import Odds, Paytable, Row, Share

#: Limit on combinations per search; if each requires solving the game again, it counts as twenty.
MOST = 20_000
_SOLVED = 20
#: Solutions that one search returns.
SHOWN = 100
_MOST_PAY = 1_000_000


@dataclass(frozen=True, slots=True)
class Solution:
    """Pays and the resulting figure."""

    pays: Mapping[str, int]
    #: The same pays as a paytable writes them.
    written: Mapping[str, str]
    figure: ComputedFigure
    distance: Fraction
    #: Rows that pay less than a row that comes more often.
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoalSearch:
    """The solutions of a search, nearest first."""

    figure: str
    target: Fraction
    unit: str
    combinations: int
    solutions: tuple[Solution, ...]

    def as_json(self) -> dict[str, object]:
        """Return the search for programs."""
        return {
            "goal": {"figure": self.figure, "value": str(self.target), "unit": self.unit},
            "combinations": self.combinations,
            "solutions": [
                {
                    "pays": dict(solution.pays),
                    "written": dict(solution.written),
                    self.figure: solution.figure.as_json(),
                    "distance": {"value": str(solution.distance), "decimal": decimal(solution.distance)},
                    "remarks": list(solution.remarks),
                }
                for solution in self.solutions
            ],
        }


def goal_seek(
    paytable: Paytable, fields: Mapping[str, str], goal: str, vary: Mapping[str, str], *, most: int = MOST
) -> GoalSearch:
    """Try every combination of whole pays in the ranges; a range is ``3..6``, or ``50..90/10`` in steps."""
    ranges = _ranges(paytable, vary)
    combinations = prod(len(values) for values in ranges.values())
    _verify_size(paytable, combinations, most)
    start = question_from(paytable, {**fields, "sampled": "no"})
    given_pays = {
        name.removeprefix("pays."): text for name, text in fields.items() if name.startswith("pays.")
    }
    given_pays = {hand: text for hand, text in given_pays.items() if text.strip() and hand not in ranges}
    name, target, unit = _goal(goal, what_if(start))
    rows = {row.hand: row for row in paytable.rows}

    def priced(pays: tuple[int, ...]) -> Solution:
        chosen = dict(zip(ranges, pays, strict=True))
        written = {hand: _pay(rows[hand], pay) for hand, pay in chosen.items()}
        answer = what_if(replace(start, paytable=edited(paytable, {**given_pays, **written})))
        figure = figures_of(answer)[name]
        return Solution(chosen, written, figure, abs(figure.value - target), inversions(answer))

    solutions: Iterable[Solution] = (priced(pays) for pays in product(*ranges.values()))
    nearest = nsmallest(SHOWN, solutions, key=lambda solution: (solution.distance, *solution.pays.values()))
    return GoalSearch(name, target, unit, combinations, tuple(nearest))


def _goal(goal: str, answer: WhatIfAnswer) -> tuple[str, Fraction, str]:
    """Parse a goal such as ``house_edge=5%``."""
    name, _, text = goal.partition("=")
    name, text = name.strip(), text.strip()
    known = {key: figure for key, figure in figures_of(answer).items() if figure.how != "sampled"}
    if name not in known:
        near = get_close_matches(name, known, n=1)
        guess = f"did you mean {near[0]}? " if near else ""
        what = f"{name or goal!r} is not a figure of {answer.question.paytable.name}"
        raise ProblemsError([Problem("goal", what, f"{guess}choose from: {', '.join(known)}")])
    unit = known[name].unit
    of_a_whole = unit.startswith("of ")
    if not re.fullmatch(r"-?\$?\d{1,12}(\.\d{1,9})?%?", text, re.ASCII) or text.endswith("%") != of_a_whole:
        what = f"{text!r} is not a {'percentage' if of_a_whole else 'number'}"
        raise ProblemsError([Problem("goal", what, f"write it like {name}={'5%' if of_a_whole else '500'}")])
    value = Fraction(re.sub(r"[$%]", "", text))
    return name, value / 100 if of_a_whole else value, unit


def _ranges(paytable: Paytable, vary: Mapping[str, str]) -> dict[str, range]:
    """Parse the range of each row."""
    rows = {row.hand: row for row in paytable.rows}
    ranges, problems = {}, []
    for hand, text in vary.items():
        match = re.fullmatch(r"(\d{1,7})\.\.(\d{1,7})(?:/(\d{1,7}))?", text.strip(), re.ASCII)
        low, high, step = (int(part or 1) for part in match.groups()) if match else (0, 0, 0)
        if hand not in rows:
            near = get_close_matches(hand, rows, n=1)
            guess = f"did you mean {near[0]}? " if near else ""
            what = f"{paytable.name} has no such row"
            problems.append(Problem(hand, what, f"{guess}choose from: {', '.join(rows)}"))
        elif isinstance(rows[hand].pays, Share):
            problems.append(Problem(hand, "pays from a meter", "vary a row with a fixed pay"))
        elif not match or not step or not 1 <= low <= high <= _MOST_PAY:
            problems.append(Problem(hand, f"{text!r} is not a range", "write it like 3..6, or 50..90/10"))
        else:
            ranges[hand] = range(low, high + 1, step)
    if not vary:
        problems.append(Problem("vary", "no row is varied", "give a range, such as flush=3..6"))
    if problems:
        raise ProblemsError(problems)
    return ranges


def _verify_size(paytable: Paytable, combinations: int, most: int) -> None:
    bet = counted_bet(paytable.title, paytable.bet)
    limit = most // _SOLVED if bet.solve is not None or bet.decide is not None else most
    if combinations > limit:
        what = f"the ranges have {combinations:,} combinations, and a search tries at most {limit:,}"
        raise ProblemsError([Problem("vary", what, "vary fewer rows, or in steps: 50..90/10")])


def _pay(row: Row, pay: int) -> str:
    """Write a pay as the row does: *for* stays *for*."""
    is_for = isinstance(row.pays, Odds) and not row.pays.stake_returned
    return f"{pay} {'for' if is_for else 'to'} 1"
