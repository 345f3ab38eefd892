"""Several paytables side by side, and a folder of drafts in one table."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from feltwork.odds.figures.figure import decimal
from feltwork.odds.what_if.answer import ComputedFigure, WhatIfAnswer, compare, figures_of
from feltwork.odds.what_if.fields import fields_for, question_from
from feltwork.odds.what_if.what_if import what_if
from feltwork.titles.paytables.paytable import Paytable

#: A table for a spreadsheet: column names, and rows.
Table = tuple[list[str], list[list[object]]]


def compare_with(
    paytable: Paytable, fields: Mapping[str, str], others: Iterable[Paytable]
) -> list[WhatIfAnswer]:
    """Answer the question for a paytable and others of the same bet, on equal terms."""
    first = what_if(question_from(paytable, fields))
    around = ((other, fields_for(paytable, fields, other)) for other in others)
    return [first, *(what_if(question_from(other, other_fields)) for other, other_fields in around)]


def side_by_side(answers: Sequence[WhatIfAnswer]) -> dict[str, list[ComputedFigure | None]]:
    """Return every figure of several answers by name; None where an answer lacks it."""
    figures_by_answer = [figures_of(answer) for answer in answers]
    names = dict.fromkeys(name for figures in figures_by_answer for name in figures)
    return {name: [figures.get(name) for figures in figures_by_answer] for name in names}


def pays_side_by_side(answers: Sequence[WhatIfAnswer]) -> dict[str, list[str]]:
    """Return the pays of every row of several answers; empty where a paytable lacks the row."""
    pays_by_answer = [{row.hand: row.pays for row in answer.rows} for answer in answers]
    longest_first = sorted(answers, key=lambda answer: -len(answer.rows))
    hands = dict.fromkeys(row.hand for answer in longest_first for row in answer.rows)
    return {hand: [pays.get(hand, "") for pays in pays_by_answer] for hand in hands}


def comparison_table(answers: Sequence[WhatIfAnswer]) -> Table:
    """Write several answers as one table: a line for each pay and figure, a column for each paytable."""
    names = ["figure", *(answer.question.paytable.name for answer in answers), "unit"]
    rows: list[list[object]] = [
        [f"pays {hand}", *pays, ""] for hand, pays in pays_side_by_side(answers).items()
    ]
    for name, figures in side_by_side(answers).items():
        unit = next(figure.unit for figure in figures if figure is not None)
        rows.append([name, *(number(figure.value if figure else None) for figure in figures), unit])
    return names, rows


def change_table(before: WhatIfAnswer, after: WhatIfAnswer) -> Table:
    """Write what changed as a table; percentages are fractions of one."""
    first = {row.hand: row.returns for row in before.rows}
    second = {row.hand: row.returns for row in after.rows}
    rows: list[list[object]] = [
        [f"return of {hand}", number(first.get(hand)), number(second.get(hand)), "of the wager", "exact"]
        for hand in dict.fromkeys((*second, *first))
    ]
    for change in compare(before, after):
        figure = change.after or change.before
        assert figure is not None, change.name
        values = (number(side.value if side else None) for side in (change.before, change.after))
        rows.append([change.name, *values, figure.unit, figure.how])
    return ["figure", "before", "after", "unit", "method"], rows


def number(value: Fraction | None) -> Decimal | None:
    """Return a figure as a decimal for a spreadsheet."""
    return None if value is None else Decimal(decimal(value))


def batch_table(answers: Mapping[str, WhatIfAnswer | str]) -> Table:
    """Write the answers of a folder as one table: a line for each file, with its figures or its problem."""
    figures_by_file = {
        file: figures_of(answer) for file, answer in answers.items() if isinstance(answer, WhatIfAnswer)
    }
    names = list(dict.fromkeys(name for figures in figures_by_file.values() for name in figures))
    rows: list[list[object]] = []
    for file, answer in answers.items():
        if isinstance(answer, str):
            rows.append([file, "", answer, *[None] * len(names)])
            continue
        figures = figures_by_file[file]
        values = [number(figures[name].value) if name in figures else None for name in names]
        rows.append([file, answer.question.paytable.name, "", *values])
    return ["file", "paytable", "problem", *names], rows
