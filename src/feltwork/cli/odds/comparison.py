"""Side-by-side comparison of paytables on the command line, and export of tables to files."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from feltwork.cli.arguments import drafted_paytable, print_json
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.paytables.paytable import Paytable

if TYPE_CHECKING:
    from feltwork.odds.what_if.answer import WhatIfAnswer
    from feltwork.odds.what_if.comparison import Table

#: The figures printed for a folder of drafts; an output file has all of them.
_SHOWN = ("house_edge", "hold", "hit_frequency", "standard_deviation")


def write(file: Path, table: "Table") -> None:
    """Write a table as CSV or XLSX, depending on the file name."""
    from feltwork import spreadsheet

    verify_name(file)
    if file.suffix == ".xlsx":
        file.write_bytes(spreadsheet.as_xlsx(*table))
    else:
        file.write_text(spreadsheet.as_csv(*table), encoding="utf-8", newline="")
    typer.echo(f"Wrote {file}.", err=True)


def verify_name(file: Path | None) -> None:
    """Refuse a file that is neither CSV nor XLSX."""
    if file is not None and file.suffix not in (".csv", ".xlsx"):
        raise ProblemsError([Problem("--out", f"{file} is no table", "name it .csv or .xlsx")])


def print_comparison(
    paytable: Paytable,
    fields: Mapping[str, str],
    others: Sequence[Paytable],
    *,
    out: Path | None,
    as_data: bool,
) -> None:
    """Print the pays and figures of several paytables, one column each."""
    from feltwork.odds.what_if.comparison import compare_with, comparison_table

    verify_name(out)
    if any(fields.get(name) for name in ("bank", "session", "risk")):
        what = "a session is of one paytable"
        raise ProblemsError([Problem("--session", what, "leave out --bank, --session and --risk")])
    answers = compare_with(paytable, fields, others)
    if out is not None:
        write(out, comparison_table(answers))
    if as_data:
        print_json({"paytables": [answer.as_json() for answer in answers]})
        return
    _print_side_by_side(answers)


def _print_side_by_side(answers: "Sequence[WhatIfAnswer]") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables
    from feltwork.odds.what_if.comparison import pays_side_by_side, side_by_side
    from feltwork.odds.what_if.figure_labels import label, written

    console = console_for_tables()
    question = answers[0].question
    console.print(f"[bold]{question.paytable.title}/{question.paytable.bet}[/bold]")
    ids = [answer.question.paytable.id for answer in answers]
    table = Table("", *ids, box=None, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for hand, pays in pays_side_by_side(answers).items():
        table.add_row(hand.replace("_", " "), *pays)
    table.add_section()
    for name, figures in side_by_side(answers).items():
        level = name.rpartition(".")[0]
        head = f"{level}: {label(name)}" if level else label(name)
        table.add_row(head, *(written(figure) if figure else "" for figure in figures))
    console.print(table)


def verify_folder(folder: str, refused: Sequence[object]) -> None:
    """Refuse options that have no meaning for a folder of drafts."""
    if any(refused):
        what = "is a folder, and each draft in it has its own bet, pays and terms"
        remedy = "give options, wager and floor only, or name a title"
        raise ProblemsError([Problem(folder, what, remedy)])


def verify_alone(removal: bool) -> None:
    """Refuse the effect of removal for several paytables."""
    if removal:
        what = "is about one paytable"
        raise ProblemsError([Problem("--removal", what, "leave --compare out, or name one other")])


def print_folder(folder: Path, fields: Mapping[str, str], *, out: Path | None, as_data: bool) -> None:
    """Print the figures of every draft in a folder, or its problem."""
    from feltwork.odds.what_if.comparison import batch_table

    verify_name(out)
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise ProblemsError([Problem(str(folder), "has no drafts", "put paytables into it, as .toml files")])
    answers = {file.name: _answer(file, fields) for file in files}
    if out is not None:
        write(out, batch_table(answers))
    if as_data:
        print_json(
            {
                name: {"problem": answer} if isinstance(answer, str) else answer.as_json()
                for name, answer in answers.items()
            }
        )
    else:
        _print_folder(answers)
    if any(isinstance(answer, str) for answer in answers.values()):
        raise typer.Exit(1)


def _answer(file: Path, fields: Mapping[str, str]) -> "WhatIfAnswer | str":
    from feltwork.odds.what_if.fields import question_from
    from feltwork.odds.what_if.what_if import what_if

    try:
        return what_if(question_from(drafted_paytable(file), fields))
    except (ProblemsError, UnicodeDecodeError) as error:
        return str(error)


def _print_folder(answers: "Mapping[str, WhatIfAnswer | str]") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables
    from feltwork.odds.what_if.figure_labels import label, written

    console = console_for_tables()
    heads = (label(name) for name in _SHOWN)
    table = Table("file", "paytable", *heads, box=None, header_style="dim")
    for column in table.columns[2:]:
        column.justify = "right"
    for name, answer in answers.items():
        if not isinstance(answer, str):
            figures = (written(answer.bet[figure]) if figure in answer.bet else "" for figure in _SHOWN)
            table.add_row(name, answer.question.paytable.name, *figures)
    console.print(table)
    for name, answer in answers.items():
        if isinstance(answer, str):
            console.print(f"{name}: {answer}", markup=False, highlight=False)
