"""Commands that show what the titles say: the list, the rules, the paytables."""

from typing import Annotated

import typer

from feltwork import sources
from feltwork.money import DOLLAR
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.title import Game

TitleName = Annotated[str, typer.Argument(help="A title, as `feltwork titles` lists it.", show_default=False)]


def list_titles() -> None:
    """List every game and jackpot."""
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    table = Table(
        "title", "kind", "name", "bets by paytable", "jackpots that fit", box=None, header_style="bold"
    )
    for name in registry.names():
        title = registry.title(name)
        library = registry.library(name)
        if isinstance(title, Game):
            bets = "\n".join(f"{bet} ({', '.join(library.ids_of(bet))})" for bet in title.paytable_bets)
            fitting = ", ".join(jackpot.name for jackpot in registry.fitting(title))
            table.add_row(name, "game", title.title, bets, fitting)
        else:
            table.add_row(name, "jackpot", title.title, ", ".join(library.ids_of("jackpot")), "")
    console_for_tables().print(table)


def show_rules(title: TitleName) -> None:
    """Tell the rules of a title, with the source of every paragraph."""
    from rich.markdown import Markdown

    from feltwork.cli.console import console_for_tables

    text = registry.folder(title).joinpath("rules.md").read_text(encoding="utf-8")
    console = console_for_tables()
    console.print(Markdown(text.replace("[", "\\[")) if console.is_terminal else text, markup=False)
    console.print(f"Sources: {_letters_of(text)}.", markup=False)


def _letters_of(text: str) -> str:
    codes = dict.fromkeys(citation.split(".")[0] for citation in sources.citations(text))
    return "; ".join(f"{code} = {sources.letters()[code]}" for code in codes)


def show_paytable(
    title: TitleName,
    bet: Annotated[str, typer.Argument(help="A bet of a game; for a jackpot, an id.")] = "",
    identifier: Annotated[str, typer.Argument(metavar="ID", help="One paytable; all without it.")] = "",
) -> None:
    """Show paytables, row by row, each with its citation."""
    library = registry.library(title)
    if not isinstance(registry.title(title), Game) and bet not in ("", "jackpot"):
        bet, identifier = "jackpot", bet
    bets = tuple(dict.fromkeys(name for name, _ in library))
    if bet and bet not in bets:
        raise ProblemsError(
            [Problem(title, f"has no paytable for {bet!r}", f"choose from: {', '.join(bets)}")]
        )
    if bet and identifier:
        _print_paytable(registry.paytable(title, bet, identifier))
        return
    for name, known in library:
        if bet in ("", name):
            _print_paytable(library[name, known])


def _print_paytable(paytable: Paytable) -> None:
    from rich.table import Table

    from feltwork.cli.console import console_for_tables

    has_envy = any(row.envy for row in paytable.rows)
    columns = ["hand", "pays", *(["envy per $1"] if has_envy else []), "printed as"]
    table = Table(*columns, title=paytable.name, title_justify="left", box=None, header_style="bold")
    for row in paytable.rows:
        envy = [f"${row.envy // DOLLAR:,}" if row.envy else ""] if has_envy else []
        table.add_row(row.hand.replace("_", " "), str(row.pays), *envy, row.cites.rpartition(", ")[2])
    console = console_for_tables()
    console.print(table)
    for key, value in paytable.recommended.items():
        console.print(f"recommended {key}: {value}", markup=False)
    for cited in dict.fromkeys(sources.citations(" ".join(row.cites for row in paytable.rows))):
        console.print(f"source {cited}: {sources.paragraphs()[cited]}", markup=False, soft_wrap=True)
    console.print(f"fingerprint: {paytable.fingerprint}\n", markup=False)
