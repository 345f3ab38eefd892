"""Commands for figures, reports on bets, and verdicts on printed figures."""

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from feltwork.cli.arguments import (
    AsData,
    BetName,
    Options,
    PaytableId,
    TitleName,
    bet_of,
    drafted_paytable,
    pairs,
    print_json,
)
from feltwork.odds.figures import catalog
from feltwork.odds.figures.figure import Figure
from feltwork.odds.sheet import counted_bet
from feltwork.odds.title_odds import odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

if TYPE_CHECKING:
    from rich.console import Console

    from feltwork.odds.report import FigureReport
    from feltwork.odds.verify import Verdict

T = TypeVar("T")
#: The width needed for the longest id with its value and verdict.
_ROOM_FOR_IDS = 120


def show_figures(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(help="Ids, or patterns such as 'crazy_4/*'; default: all."),
    ] = None,
    as_data: AsData = False,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Recount the shipped certificates first; takes minutes.")
    ] = False,
) -> None:
    """Print exact figures: house edges, hit frequencies, odds, break-even meters."""
    from feltwork.cli.console import with_progress

    if recompute:
        _recompute()
    ids = list(catalog.matching(patterns or []))
    figures = [catalog.figure(identifier) for identifier in with_progress(ids, "counting")]
    if as_data:
        print_json({figure.id: figure.as_json() for figure in figures})
        return
    _print_figures(figures)


def _print_figures(figures: list[Figure]) -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    table = Table("figure", "value", "unit", box=None, header_style="bold")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    table.columns[1].justify = "right"
    for figure in figures:
        table.add_row(_id_lines(figure.id, console), figure.decimal, figure.unit)
    console.print(table)


def _id_lines(identifier: str, console: "Console") -> str:
    """Write an id on one line, or one parameter per line on a narrow terminal."""
    return identifier if console.width >= _ROOM_FOR_IDS else re.sub(r"([?&])", r"\n  \1", identifier)


def show_odds(
    title: TitleName,
    bet: BetName = "",
    identifier: PaytableId = "",
    option: Options = None,
    file: Annotated[Path | None, typer.Option("--file", help="Price a drafted paytable from a file.")] = None,
    as_data: AsData = False,
) -> None:
    """Report on a bet or a base game: distribution, edge, variance, strategy, method.

    Without a bet, report on the base game; without a paytable, on all paytables of the bet.
    """
    from feltwork.odds.figures import shipped_reports

    start = time.perf_counter()
    options = pairs("--option", option, "decks=6")
    bet, identifier = bet_of(title, bet, identifier)
    if file is not None and identifier:
        raise ProblemsError([Problem("--file", "a paytable is named as well", "name one of them")])
    if file is not None:
        reports = shipped_reports.bet_reports(drafted_paytable(file, title=title, bet=bet), options)
    elif not bet:
        reports = [shipped_reports.base_report(title, options)]
    else:
        paytables = [registry.paytable(title, bet, known) for known in _ids(title, bet, identifier, options)]
        reports = [
            entry for paytable in paytables for entry in shipped_reports.bet_reports(paytable, options)
        ]
    if as_data:
        print_json([entry.as_json() for entry in reports])
        return
    for entry in reports:
        _print_report(entry)
    typer.echo(f"Took {time.perf_counter() - start:.2f} s.")


def _ids(title: str, bet: str, identifier: str, options: Mapping[str, str]) -> Sequence[str]:
    """Return the paytable ids to report on; the option that ids are named after can select one."""
    known = registry.library(title).ids_of(bet)
    choice = options.get(counted_bet(title, bet).named_by_id) if options or not known else None
    if identifier or choice not in known:
        return (identifier,) if identifier else known
    return (choice,)


def _print_report(report: "FigureReport") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables
    from feltwork.odds.what_if.figure_labels import bet_name, options_text, returns_text, written

    console = console_for_tables()
    console.print(f"[bold]{bet_name(report.name)}[/bold]", report.name, style="dim")
    if report.options:
        console.print(options_text(report.options), markup=False)
    heads = ("outcome", "pays", "deals", "one in", "probability", "returns")
    table = Table(*heads, box=None, header_style="dim", padding=(0, 1, 0, 0))
    for place, column in enumerate(table.columns[1:], 1):
        column.justify = "right"
        # Never truncate a number; wrap the words instead.
        column.no_wrap = place > 1
    for line in report.lines:
        one_in = f"{float(1 / line.probability):,.2f}" if line.probability else "never"
        deals = f"{line.deals:,}" if line.deals else ""
        chance = f"{float(line.probability * 100):.5f}%"
        returns = "from the meter" if "% of" in line.pays else returns_text(line.returns)
        table.add_row(line.hand.replace("_", " "), line.pays, deals, one_in, chance, returns)
    if report.lines:
        console.print(table)
    for name, figure in report.computed.items():
        label = name.removesuffix(" (one in)")
        console.print(f"{label[:1].upper()}{label[1:]}: [bold]{written(figure)}[/bold]")
    for sentence in report.strategy:
        console.print(f"· {sentence}", markup=False)
    console.print(f"Method: {report.method}.\n", style="dim", markup=False)


def verify_letters(
    as_data: AsData = False,
    full: Annotated[bool, typer.Option("--all", help="List every figure, with the reasons.")] = False,
) -> None:
    """Check every figure printed in the letters against ours."""
    from feltwork.cli.console import with_progress
    from feltwork.odds import verify

    printed = list(verify.printed_figures())
    results = [
        verify.verdict(figure, verify.rivals(figure, printed))
        for figure in with_progress(printed, "verifying")
    ]
    if as_data:
        print_json([result.as_json() for result in results])
        return
    verdicts = verify.distinct(results)
    if full:
        _print_verdicts(verdicts)
    for title, of_title in groupby(verdicts, key=lambda result: result.printed.title):
        typer.echo(f"{title}: {_counted(of_title)}")
    typer.echo(f"All: {_counted(verdicts)}{'' if full else '; --all lists them with the reasons'}")


def _counted(results: "Iterable[Verdict]") -> str:
    counts = Counter(result.word for result in results)
    return ", ".join(f"{count} {word}" for word, count in counts.items())


_STYLES = {"agrees": "green", "disputed": "red", "contradicts itself": "magenta", "stated": "dim"}


def _print_verdicts(verdicts: "Sequence[Verdict]") -> None:
    """Print one line per distinct figure, with the reasons below."""
    from rich.table import Table
    from rich.text import Text

    from feltwork.cli.console import console_for_tables

    table = Table("figure", "printed", "ours", "verdict", box=None, header_style="bold")
    table.columns[0].no_wrap = True
    console = console_for_tables()
    for result in verdicts:
        our_text = result.printed.written(result.ours.value) if result.ours else ""
        cells = (_id_lines(result.printed.id, console), result.printed.text, our_text)
        table.add_row(*cells, Text(result.word, _STYLES[result.word]))
    console.print(table)
    for result in verdicts:
        if result.why and result.word != "stated":
            printed = result.printed
            head = Text(f"\n{printed.id}, printed {printed.text} [{printed.cites}]: {result.word}\n", "bold")
            console.print(head + Text(result.why, "not bold"))
    console.print()


def _recompute() -> None:
    """Recount every shipped certificate, and stop if one differs."""
    from feltwork.cli.console import with_progress

    certificates = [pair for name in registry.names() for pair in odds_of(name).certificates.items()]
    differing = [name for name, is_same in with_progress(certificates, "recounting") if not is_same()]
    if differing:
        raise ProblemsError(
            [
                Problem(name, "its certificate differs from the recount", "ship the new one")
                for name in differing
            ]
        )
    typer.echo("Every certificate was recounted and is the same.", err=True)
