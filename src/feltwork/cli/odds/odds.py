"""Commands of the mathematician: figures, a report on a bet, the verdict on every printed figure."""

import re
import time
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
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
from feltwork.odds.bets import counted
from feltwork.odds.figures import catalog
from feltwork.odds.figures.figure import Figure, decimal
from feltwork.odds.title_odds import odds_of
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

if TYPE_CHECKING:
    from rich.console import Console

    from feltwork.odds.report import FigureReport
    from feltwork.odds.verify import Verdict

T = TypeVar("T")
#: The longest id with its parameters, its value and its verdict.
_ROOM_FOR_IDS = 120


def show_figures(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(help="Ids, or patterns such as 'crazy_4/*'; everything without one."),
    ] = None,
    as_data: AsData = False,
    recompute: Annotated[
        bool, typer.Option("--recompute", help="Re-derive shipped certificates first; some minutes.")
    ] = False,
) -> None:
    """Print exact figures: house edges, hit frequencies, odds, break-even meters."""
    from feltwork.cli.console import with_progress

    if recompute:
        _recompute()
    found = [catalog.figure(one) for one in with_progress(list(catalog.matching(patterns or [])), "counting")]
    if as_data:
        print_json({figure.id: figure.as_json() for figure in found})
        return
    _print_figures(found)


def _print_figures(found: list[Figure]) -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    table = Table("figure", "value", "unit", box=None, header_style="bold")
    table.columns[0].no_wrap = table.columns[1].no_wrap = True
    table.columns[1].justify = "right"
    for figure in found:
        table.add_row(_id_lines(figure.id, console), figure.decimal, figure.unit)
    console.print(table)


def _id_lines(identifier: str, console: "Console") -> str:
    """An id on one line; on a narrow terminal each parameter stands on its own, and nothing is cut."""
    return identifier if console.width >= _ROOM_FOR_IDS else re.sub(r"([?&])", r"\n  \1", identifier)


def show_odds(
    title: TitleName,
    bet: BetName = "",
    identifier: PaytableId = "",
    option: Options = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="A drafted paytable to price instead of a printed one.")
    ] = None,
    as_data: AsData = False,
) -> None:
    """Report on a bet or a base game: distribution, edge, variance, strategy, method.

    Without a bet it is the base game; without a paytable, all that the bet has.
    """
    from feltwork.odds import report

    start = time.perf_counter()
    options = pairs("--option", option, "decks=6")
    bet, identifier = bet_of(title, bet, identifier)
    if file is not None:
        reports = [report.bet_report(drafted_paytable(file), options)]
    elif not bet:
        reports = [report.base_report(title, options)]
    else:
        counted(title, bet)
        ids = (identifier,) if identifier else registry.library(title).ids_of(bet)
        reports = [report.bet_report(registry.paytable(title, bet, one), options) for one in ids]
    if as_data:
        print_json([one.as_json() for one in reports])
        return
    for one in reports:
        _print_report(one)
    typer.echo(f"took {time.perf_counter() - start:.2f} s")


def _print_report(report: "FigureReport") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    options = ", ".join(f"{name}={value}" for name, value in report.options.items())
    console.print(f"[bold]{report.name}[/bold]{f'  ({options})' if options else ''}")
    heads = ("outcome", "pays", "deals", "one in", "probability", "returns")
    table = Table(*heads, box=None, header_style="dim", padding=(0, 1, 0, 0))
    for place, column in enumerate(table.columns[1:], 1):
        column.justify = "right"
        # A number that is cut is a wrong number: words make room.
        column.no_wrap = place > 1
    for line in report.lines:
        one_in = decimal(1 / line.probability, 6) if line.probability else "never"
        deals = f"{line.deals:,}" if line.deals else ""
        chance, returns = (decimal(value, 6) for value in (line.probability, line.returns or Fraction(0)))
        table.add_row(line.hand.replace("_", " "), line.pays, deals, one_in, chance, returns)
    console.print(table)
    for name, value in report.figures.items():
        console.print(f"{name}: [bold]{decimal(value, 10)}[/bold]")
    for sentence in report.strategy:
        console.print(f"· {sentence}", markup=False)
    console.print(f"method: {report.method}\n", style="dim", markup=False)


def verify_letters(
    as_data: AsData = False,
    html: Annotated[Path | None, typer.Option(help="Write the verdicts as a page with charts.")] = None,
) -> None:
    """Hold every figure that the letters print against ours."""
    from feltwork.cli.console import with_progress
    from feltwork.odds import verify

    printed = list(verify.printed_figures())
    found = [verify.verdict(one, verify.rivals(one, printed)) for one in with_progress(printed, "verifying")]
    if html is not None:
        from feltwork.cli.odds.verdict_page import verdict_page

        html.write_text(verdict_page(verify.distinct(found)), encoding="utf-8")
        typer.echo(f"written: {html}")
        return
    if as_data:
        print_json([one.as_json() for one in found])
        return
    _print_verdicts(found)


_STYLES = {"agrees": "green", "disputed": "red", "contradicts itself": "magenta", "stated": "dim"}


def _print_verdicts(found: "Iterable[Verdict]") -> None:
    """One line a figure, the same print of the same figure only once; reasons below."""
    from rich.table import Table
    from rich.text import Text

    from feltwork.cli.console import console_for_tables
    from feltwork.odds.verify import distinct

    table = Table("figure", "printed", "ours", "verdict", box=None, header_style="bold")
    table.columns[0].no_wrap = True
    console = console_for_tables()
    seen = distinct(found)
    for one in seen:
        value = one.ours.value if one.ours else None
        ours = one.printed.written(value) if isinstance(value, Fraction) else ""
        cells = (_id_lines(one.printed.id, console), one.printed.text, ours)
        table.add_row(*cells, Text(one.word, _STYLES[one.word]))
    console.print(table)
    for one in seen:
        if one.word not in ("agrees", "stated"):
            head = Text(
                f"\n{one.printed.id}, printed {one.printed.text} [{one.printed.cites}]: {one.word}\n", "bold"
            )
            console.print(head + Text(one.why, "not bold"))
    counts = Counter(one.word for one in seen)
    console.print("\n" + ", ".join(f"{count} {word}" for word, count in counts.items()))


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
