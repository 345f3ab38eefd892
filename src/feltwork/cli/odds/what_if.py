"""The what-if command: other pays, meter terms, floors or paytables."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import (
    AsData,
    BetName,
    Options,
    PaytableId,
    TitleName,
    drafted_paytable,
    named_paytable,
    pairs,
    print_json,
)
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

if TYPE_CHECKING:
    from rich.table import Table

    from feltwork.odds.verify import Verdict
    from feltwork.odds.what_if.answer import WhatIfAnswer

Several = Annotated[str, typer.Option(help="One value per meter, highest first, separated by commas.")]


def what_if(
    title: TitleName,
    bet: BetName = "",
    identifier: PaytableId = "",
    pays: Annotated[
        list[str] | None, typer.Option("--pays", help="Another pay, such as 'flush=5 to 1'; may be repeated.")
    ] = None,
    option: Options = None,
    seed: Several = "",
    reserve: Several = "",
    contribution: Several = "",
    cap: Several = "",
    wager: Annotated[str, typer.Option(help="The wager, such as 5.00.")] = "",
    tables: Annotated[str, typer.Option(help="The number of tables.")] = "",
    seats: Annotated[str, typer.Option(help="Seats at a table.")] = "",
    rounds_per_hour: Annotated[str, typer.Option(help="Rounds per hour at a table.")] = "",
    betting: Annotated[str, typer.Option(help="The share of seats that bet, such as 50%.")] = "",
    others: Annotated[str, typer.Option(help="Other bettors at the table, for envy.")] = "",
    within: Annotated[str, typer.Option(help="Two hits within this many wagers count as back to back.")] = "",
    compare: Annotated[
        str,
        typer.Option("--compare", help="Another paytable of the bet, or a drafted file, to compare with."),
    ] = "",
    draft: Annotated[Path | None, typer.Option(help="Write the edited paytable as TOML.")] = None,
    as_data: AsData = False,
) -> None:
    """Compare figures before and after a change of pays, seeds, rates, caps or floor."""
    paytable = named_paytable(title, bet, identifier)
    terms = {"seed": seed, "reserve": reserve, "contribution": contribution, "cap": cap}
    changed = {
        f"{name}.{level}": value
        for name, text in terms.items()
        for level, value in _for_each(name, text, paytable)
    }
    changed |= {f"pays.{row}": pay for row, pay in pairs("--pays", pays, "flush=5 to 1").items()}
    floor = {"tables": tables, "seats": seats, "rounds_per_hour": rounds_per_hour, "betting": betting}
    around = {**floor, "wager": wager, "others": others, "within": within, "sampled": "yes"}
    around |= pairs("--option", option, "decks=6")
    _answer(paytable, {**changed, **around}, other=compare, draft=draft, as_data=as_data)


def _answer(
    paytable: Paytable, fields: dict[str, str], *, other: str, draft: Path | None, as_data: bool
) -> None:
    from feltwork.odds.verify import verdicts_on
    from feltwork.odds.what_if.fields import before_and_after
    from feltwork.odds.what_if.what_if import what_if

    against = _other(paytable, other) if other else None
    before, after = before_and_after(paytable, fields, other=against)
    answers = [what_if(before), what_if(after)]
    if draft is not None:
        from feltwork.paytables.write import as_toml

        draft.write_text(as_toml(after.paytable, cites="a draft"), encoding="utf-8")
        typer.echo(f"Wrote {draft}.", err=True)
    if as_data:
        print_json({"before": answers[0].as_json(), "after": answers[1].as_json()})
        return
    _print(answers, verdicts_on(paytable))


def _for_each(name: str, text: str, paytable: Paytable) -> list[tuple[str, str]]:
    values = [part for part in text.split(",") if part]
    if not values:
        return []
    if len(values) != len(paytable.levels):
        levels = ", ".join(paytable.levels) or "none"
        what = f"has {len(values)} values, and the meters of {paytable.name} are: {levels}"
        raise ProblemsError([Problem(f"--{name}", what, "give one value for each meter")])
    return list(zip(paytable.levels, values, strict=True))


def _other(paytable: Paytable, other: str) -> Paytable:
    if not other.endswith(".toml"):
        return registry.paytable(paytable.title, paytable.bet, other)
    return drafted_paytable(Path(other))


def _print(answers: "list[WhatIfAnswer]", printed: "Sequence[Verdict]") -> None:
    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    before, after = answers
    options = ", ".join(f"{name}={value}" for name, value in after.question.options.items())
    console.print(f"[bold]{after.question.paytable.name}[/bold]{f'  ({options})' if options else ''}")
    console.print(_rows_table(before, after))
    console.print()
    console.print(_figures_table(before, after))
    for verdict in printed:
        line = f"printed: {verdict.printed.id} = {verdict.printed.text} ({verdict.word})"
        console.print(line, markup=False)
    for note in after.notes:
        console.print(f"· {note}", markup=False)
    console.print(
        "~ marks a simulated figure with a 99.9 % interval; others are exact or rounded to thirty digits.",
        style="dim",
    )


def _rows_table(before: "WhatIfAnswer", after: "WhatIfAnswer") -> "Table":
    from rich.table import Table

    from feltwork.odds.figures.figure import decimal
    from feltwork.odds.what_if.figure_labels import returns_text

    table = Table("row", "pays before", "after", "one in", "returns before", "after", box=None)
    table.header_style = "dim"
    for column in table.columns[1:]:
        column.justify = "right"
    first = {row.hand: row for row in before.rows}
    for row in after.rows:
        was = first.get(row.hand)
        one_in = decimal(1 / row.probability, 7) if row.probability else "never"
        returns = [returns_text(line.returns) if line else "" for line in (was, row)]
        changed = row.pays if was is None or was.pays != row.pays else "same"
        table.add_row(row.hand.replace("_", " "), was.pays if was else "", changed, one_in, *returns)
    return table


def _figures_table(before: "WhatIfAnswer", after: "WhatIfAnswer") -> "Table":
    from rich.table import Table

    from feltwork.odds.what_if.answer import compare
    from feltwork.odds.what_if.figure_labels import in_unit, label, written

    table = Table("figure", "before", "after", "difference", box=None)
    table.header_style = "dim"
    for column in table.columns[1:]:
        column.justify = "right"
    for change in compare(before, after):
        level, _, _ = change.name.rpartition(".")
        cells = [written(figure) if figure else "" for figure in (change.before, change.after)]
        figure = change.after or change.before
        assert figure is not None, change.name
        difference = in_unit(change.difference, figure.unit) if change.difference else ""
        sampled = "~ " if figure.how == "sampled" else ""
        name = f"{sampled}{level + ': ' if level else ''}{label(change.name)}"
        table.add_row(name, *cells, difference)
    return table
