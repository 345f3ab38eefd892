"""Commands of the mathematician: figures, a report on a bet, the verdict on every printed figure."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from feltwork.odds.bets import BETS
from feltwork.odds.figures import catalogue
from feltwork.odds.figures.figure import Figure, decimal
from feltwork.paytables.parse import parse_paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.title import Game

if TYPE_CHECKING:
    from feltwork.odds.report import Report
    from feltwork.odds.verify import Verdict

T = TypeVar("T")
AsData = Annotated[bool, typer.Option("--json", help="Answer with JSON.")]


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
    if recompute:
        _recompute()
    found = [
        catalogue.figure(one) for one in _with_progress(list(catalogue.matching(patterns or [])), "counting")
    ]
    if as_data:
        typer.echo(json.dumps({figure.id: figure.as_json() for figure in found}, indent=1))
        return
    _print_figures(found)


def _print_figures(found: list[Figure]) -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    table = Table("figure", "value", "unit", box=None, header_style="bold")
    table.columns[0].overflow = "fold"
    table.columns[1].justify = "right"
    for figure in found:
        table.add_row(figure.id, figure.decimal, figure.unit)
    console_for_tables().print(table)


def show_odds(
    title: Annotated[str, typer.Argument(help="A title.", show_default=False)],
    bet: Annotated[str, typer.Argument(help="A bet; without it the base game, or the jackpot.")] = "",
    identifier: Annotated[str, typer.Argument(metavar="PAYTABLE", help="A paytable of the bet.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="What changes the counts, such as decks=6.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="A drafted paytable to price instead of a printed one.")
    ] = None,
    as_data: AsData = False,
) -> None:
    """Report on a bet or a base game: distribution, edge, variance, strategy, method."""
    from feltwork.odds import report

    start = time.perf_counter()
    options = dict(_key_value(text) for text in option or [])
    if not isinstance(registry.title(title), Game) and bet != "jackpot":
        bet, identifier = "jackpot", bet
    if file is not None:
        drafted = parse_paytable(file.read_text(encoding="utf-8"), where=str(file))
        reports = [report.bet_report(drafted, options)]
    elif not bet:
        reports = [report.base_report(title, options)]
    else:
        ids = (identifier,) if identifier else registry.library(title).ids_of(bet)
        reports = [report.bet_report(registry.paytable(title, bet, one), options) for one in ids]
        _require(title, bet, reports)
    if as_data:
        typer.echo(json.dumps([one.as_json() for one in reports], indent=1))
        return
    for one in reports:
        _print_report(one)
    typer.echo(f"took {time.perf_counter() - start:.2f} s")


def _require(title: str, bet: str, reports: list[T]) -> None:
    if not reports:
        known = ", ".join(sorted(name for one, name in BETS if one == title)) or "none"
        raise ProblemsError([Problem(f"{title}/{bet}", "there is no such bet", f"choose from: {known}")])


def _key_value(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ProblemsError([Problem("--option", f"{text!r} says no value", "write it like decks=6")])
    return name, value


def _print_report(report: "Report") -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    options = ", ".join(f"{name}={value}" for name, value in report.options.items())
    console.print(f"[bold]{report.name}[/bold]{f'  ({options})' if options else ''}")
    table = Table(
        "outcome", "pays", "deals", "one in", "probability", "returns", box=None, header_style="dim"
    )
    for column in table.columns[1:]:
        column.justify = "right"
    for line in report.lines:
        one_in = decimal(1 / line.probability, 6) if line.probability else "never"
        deals = f"{line.deals:,}" if line.deals else ""
        chance, returns = (decimal(value, 6) for value in (line.probability, line.returns))
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
    from feltwork.odds import verify

    printed = list(verify.printed_figures())
    found = [verify.verdict(one, verify.rivals(one, printed)) for one in _with_progress(printed, "verifying")]
    if html is not None:
        from feltwork.cli.verdict_page import verdict_page

        html.write_text(verdict_page(verify.distinct(found)), encoding="utf-8")
        typer.echo(f"written: {html}")
        return
    if as_data:
        typer.echo(json.dumps([one.as_json() for one in found], indent=1))
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
    table.columns[0].overflow = "fold"
    seen = distinct(found)
    for one in seen:
        value = one.ours.value if one.ours else None
        ours = one.printed.written(value) if isinstance(value, Fraction) else ""
        table.add_row(one.printed.id, one.printed.text, ours, Text(one.word, _STYLES[one.word]))
    console = console_for_tables()
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
    """Derive every shipped certificate anew and refuse to go on if one differs."""
    from feltwork.odds.blackjack import parlay
    from feltwork.odds.blackjack.rules import Rules
    from feltwork.odds.cover_all import certificate

    differing = []
    if certificate.recomputed() != certificate.shipped():
        differing.append("caribbean_stud/cover_all")
    for soft_17 in ("stand", "hit"):
        rules = Rules(decks=6, soft_17="hit" if soft_17 == "hit" else "stand")
        if parlay.certify(rules, "1") != parlay.certificate(rules, "1"):
            differing.append(f"blackjack/house_money parlay, soft 17 {soft_17}")
    if differing:
        problems = [
            Problem(name, "its certificate differs", "ship the one derived now") for name in differing
        ]
        raise ProblemsError(problems)
    typer.echo("every certificate was derived anew and is the same", err=True)


def _with_progress(items: list[T], doing: str) -> Iterator[T]:
    """The items one by one, with a bar on a terminal where the work takes more than a moment."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        yield from bar.track(items, description=doing)
