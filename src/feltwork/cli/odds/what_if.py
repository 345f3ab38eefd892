"""The what-if command: other pays, meter terms, floors or paytables."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import (
    AsData,
    BetName,
    Options,
    PaytableId,
    drafted_paytable,
    named_paytable,
    pairs,
    print_json,
)
from feltwork.cli.odds import comparison
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

if TYPE_CHECKING:
    from rich.table import Table

    from feltwork.odds.sessions import BankSession
    from feltwork.odds.verify import Verdict
    from feltwork.odds.what_if.answer import WhatIfAnswer
    from feltwork.odds.what_if.card_removal import CardRemoval
    from feltwork.odds.what_if.volatility import Band

#: The number of solutions printed.
_NEAREST = 12
Pays = Annotated[
    list[str] | None,
    typer.Option(
        "--pays",
        help="Another pay, such as 'flush=5 to 1', a row more, or a row less: 'flush=none'; may be repeated.",
    ),
]
Others = Annotated[
    list[str] | None,
    typer.Option(
        "--compare", help="Another paytable of the bet, or a drafted file, to compare with; may be repeated."
    ),
]
Out = Annotated[Path | None, typer.Option(help="Write the figures to a file: .csv or .xlsx.")]
Several = Annotated[str, typer.Option(help="One value per meter, highest first, separated by commas.")]
MeterToday = Annotated[
    str, typer.Option(help="What the meters show now, highest first: the edge of a wager today.")
]
Goal = Annotated[str, typer.Option(help="A figure and its value, such as 'house_edge=5%'; needs --vary.")]
Varied = Annotated[
    list[str] | None,
    typer.Option("--vary", help="Whole pays to try for a row, such as 'flush=3..6'; may be repeated."),
]

Exposed = Annotated[str, typer.Option(help="Cards seen before the bet, such as 'As Kd', or how many.")]
Removal = Annotated[
    bool, typer.Option("--removal", help="The effect of each card that is gone, and what counting wins.")
]


def what_if(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="A title, or a folder of drafts.")],
    bet: BetName = "",
    identifier: PaytableId = "",
    pays: Pays = None,
    option: Options = None,
    seed: Several = "",
    reserve: Several = "",
    contribution: Several = "",
    cap: Several = "",
    meter: MeterToday = "",
    wager: Annotated[str, typer.Option(help="The wager, such as 5.00.")] = "",
    tables: Annotated[str, typer.Option(help="The number of tables.")] = "",
    seats: Annotated[str, typer.Option(help="Seats at a table.")] = "",
    rounds_per_hour: Annotated[str, typer.Option(help="Rounds per hour at a table.")] = "",
    betting: Annotated[str, typer.Option(help="The share of seats that bet, such as 50%.")] = "",
    others: Annotated[str, typer.Option(help="Other bettors at the table, for envy.")] = "",
    within: Annotated[str, typer.Option(help="Two hits within this many wagers count as back to back.")] = "",
    bank: Annotated[str, typer.Option(help="A player's bank, in wagers.")] = "",
    session: Annotated[str, typer.Option(help="The rounds of a session.")] = "",
    risk: Annotated[str, typer.Option(help="The risk of ruin to find a bank for, such as 5%.")] = "",
    exposed: Exposed = "",
    compare: Others = None,
    draft: Annotated[Path | None, typer.Option(help="Write the edited paytable as TOML.")] = None,
    out: Out = None,
    goal: Goal = "",
    vary: Varied = None,
    removal: Removal = False,
    as_data: AsData = False,
) -> None:
    """Compare figures before and after a change of pays, seeds, rates, caps or floor.

    With --goal, find the pays that bring a figure closest to a value. A folder gives one table of its drafts.
    """
    terms = {"seed": seed, "reserve": reserve, "contribution": contribution, "cap": cap, "meter": meter}
    floor = {"tables": tables, "seats": seats, "rounds_per_hour": rounds_per_hour, "betting": betting}
    around = {**floor, "wager": wager, "others": others, "within": within, "sampled": "yes"}
    around |= {"bank": bank, "session": session, "risk": risk, "exposed": exposed}
    around |= pairs("--option", option, "decks=6")
    own: list[object] = [bank, session, risk, removal]
    if Path(title).is_dir():
        comparison.verify_folder(
            title, [bet, identifier, *terms.values(), pays, compare, draft, goal, vary, *own]
        )
        comparison.print_folder(Path(title), around, out=out, as_data=as_data)
        return
    paytable = named_paytable(title, bet, identifier)
    changed = _changed(paytable, terms, pays)
    fields = {**changed, **around}
    if goal or vary:
        _verify_goal(goal, refused=[compare, draft, out, *own], pays=changed, vary=vary)
        _seek(paytable, fields, goal, pairs("--vary", vary, "flush=3..6"), as_data=as_data)
        return
    against = [_other(paytable, other) for other in compare or ()]
    _draft(paytable, fields, draft)
    if len(against) > 1:
        comparison.verify_alone(removal)
        comparison.print_comparison(paytable, fields, against, out=out, as_data=as_data)
        return
    _answer(paytable, fields, other=next(iter(against), None), out=out, removal=removal, as_data=as_data)


def _changed(paytable: Paytable, terms: Mapping[str, str], pays: list[str] | None) -> dict[str, str]:
    """Return the fields for changed terms and pays."""
    changed = {
        f"{name}.{level}": value
        for name, text in terms.items()
        for level, value in _for_each(name, text, paytable)
    }
    return changed | {f"pays.{row}": pay for row, pay in pairs("--pays", pays, "flush=5 to 1").items()}


def _verify_goal(
    goal: str, *, refused: Sequence[object], pays: Mapping[str, str], vary: list[str] | None
) -> None:
    """Refuse options that a goal search would ignore."""
    problems = []
    if not goal:
        problems.append(Problem("--vary", "there is no goal", "add --goal, such as house_edge=5%"))
    if any(refused):
        what = "excludes --compare, --draft, --out, --removal and the options of a session"
        problems.append(Problem("--goal", what, "use --pays with what it finds"))
    for row in pairs("--vary", vary, "flush=3..6"):
        if f"pays.{row}" in pays:
            problems.append(Problem(row, "is in --pays and in --vary", "give it once"))
    if problems:
        raise ProblemsError(problems)


def _seek(
    paytable: Paytable, fields: dict[str, str], goal: str, vary: Mapping[str, str], *, as_data: bool
) -> None:
    from feltwork.odds.what_if.goal_seek import goal_seek

    result = goal_seek(paytable, fields, goal, vary)
    if as_data:
        print_json(result.as_json())
        return
    from rich.table import Table

    from feltwork.cli.console import console_for_tables
    from feltwork.odds.what_if.figure_labels import in_unit, label, written

    console = console_for_tables()
    console.print(
        f"[bold]{paytable.name}[/bold]  {label(result.figure)} near {in_unit(result.target, result.unit)}"
    )
    heads = (hand.replace("_", " ") for hand in vary)
    table = Table(*heads, label(result.figure).lower(), "distance", "", box=None, header_style="dim")
    for column in table.columns[:-1]:
        column.justify = "right"
    for solution in result.solutions[:_NEAREST]:
        distance = in_unit(solution.distance, result.unit)
        table.add_row(
            *solution.written.values(), written(solution.figure), distance, " ".join(solution.remarks)
        )
    console.print(table)
    count = min(_NEAREST, len(result.solutions))
    console.print(f"The nearest {count} of {result.combinations:,} combinations.", style="dim")


def _draft(paytable: Paytable, fields: dict[str, str], file: Path | None) -> None:
    """Write the edited paytable if a file is given."""
    if file is None:
        return
    from feltwork.odds.what_if.fields import question_from
    from feltwork.titles.paytables.write import as_toml

    file.write_text(as_toml(question_from(paytable, fields).paytable, cites="a draft"), encoding="utf-8")
    typer.echo(f"Wrote {file}.", err=True)


def _answer(
    paytable: Paytable,
    fields: dict[str, str],
    *,
    other: Paytable | None,
    out: Path | None,
    removal: bool,
    as_data: bool,
) -> None:
    from feltwork.odds.verify import verdicts_on
    from feltwork.odds.what_if.card_removal import card_removal
    from feltwork.odds.what_if.comparison import change_table
    from feltwork.odds.what_if.fields import before_and_after
    from feltwork.odds.what_if.sensitivity import hold_bands, sensitivity, session_of
    from feltwork.odds.what_if.what_if import what_if

    comparison.verify_name(out)
    before, after = before_and_after(paytable, fields, other=other)
    answers = [what_if(before), what_if(after)]
    if out is not None:
        comparison.write(out, change_table(*answers))
    costs = sensitivity(after)
    spread, lasting = hold_bands(answers[1]), session_of(after)
    counted = card_removal(after) if removal else None
    if as_data:
        bench = {"sensitivity": {hand: str(cost) for hand, cost in costs.items()}}
        bands = [band.as_json() for band in spread]
        before_and_now = {"before": answers[0].as_json(), "after": answers[1].as_json()}
        lasts = {"session": lasting.as_json() if lasting else None}
        removed = {"removal": counted.as_json() if counted else None} if removal else {}
        print_json({**before_and_now, **bench, "hold_bands": bands, **lasts, **removed})
        return
    _print(answers, costs, spread, lasting, verdicts_on(paytable))
    if removal:
        _print_removal(counted)


def _print_removal(removal: "CardRemoval | None") -> None:
    from feltwork.cli.console import console_for_tables
    from feltwork.odds.what_if.figure_labels import removal_lines

    console = console_for_tables()
    for line in removal_lines(removal):
        console.print(line, highlight=False)


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
    return drafted_paytable(Path(other), title=paytable.title, bet=paytable.bet)


def _print(
    answers: "list[WhatIfAnswer]",
    costs: "Mapping[str, Fraction]",
    spread: "Sequence[Band]",
    lasting: "BankSession | None",
    printed: "Sequence[Verdict]",
) -> None:
    from feltwork.cli.console import console_for_tables
    from feltwork.odds.what_if.figure_labels import (
        bet_name,
        figure_name,
        in_unit,
        options_text,
        session_text,
    )
    from feltwork.odds.what_if.question import terms_of

    console = console_for_tables()
    before, after = answers
    name = after.question.paytable.name
    console.print(f"[bold]{bet_name(name)}[/bold]", name, style="dim")
    if after.question.options:
        console.print(options_text(after.question.options), markup=False)
    if terms := terms_of(after.question):
        console.print(f"Terms: {options_text(terms)}", markup=False)
    console.print(_rows_table(before, after, costs))
    console.print()
    console.print(_figures_table(before, after))
    if spread:
        console.print("Hold with a chance of 90%:")
    for band in spread:
        low, high = (in_unit(value, "of the wager") for value in (band.low, band.high))
        within = f", each ± {in_unit(band.error, 'of the wager')}" if band.how == "sampled" else ""
        console.print(f"  {band.rounds:>10,} rounds: {low} to {high}{within}", highlight=False)
    if lasting is not None:
        console.print(session_text(lasting), highlight=False)
    for verdict in printed:
        line = f"Printed: {figure_name(verdict.printed.id)} = {verdict.printed.text} ({verdict.word})"
        console.print(line, markup=False)
    for note in after.notes:
        console.print(f"· {note}", markup=False)
    console.print(
        "~ marks a simulated figure with a 99.9% interval; others are exact or rounded.",
        style="dim",
    )


def _rows_table(before: "WhatIfAnswer", after: "WhatIfAnswer", costs: "Mapping[str, Fraction]") -> "Table":
    from rich.table import Table

    from feltwork.odds.what_if.answer import removed_rows
    from feltwork.odds.what_if.figure_labels import returns_text

    table = Table("row", "pays before", "after", "one in", "returns before", "after", "+1 costs", box=None)
    table.header_style = "dim"
    for column in table.columns[1:]:
        column.justify = "right"
    first = {row.hand: row for row in before.rows}
    for row in after.rows:
        was = first.get(row.hand)
        one_in = f"{float(1 / row.probability):,.2f}" if row.probability else "never"
        returns = [returns_text(line.returns) if line else "" for line in (was, row)]
        changed = row.pays if was is None or was.pays != row.pays else "same"
        cost = returns_text(costs[row.hand]) if row.hand in costs else ""
        table.add_row(row.hand.replace("_", " "), was.pays if was else "", changed, one_in, *returns, cost)
    for row in removed_rows(before, after):
        table.add_row(row.hand.replace("_", " "), row.pays, "removed", "", returns_text(row.returns), "", "")
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
