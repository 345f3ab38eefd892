"""The command that lists titles and prints rules and paytables."""

from typing import Annotated

import typer

from feltwork import money, sources
from feltwork.cli.arguments import AsData, BetName, bet_of, print_json
from feltwork.money import DOLLAR
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game


def show_titles(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="A title; default: a list of all.")] = "",
    bet: BetName = "",
    identifier: Annotated[str, typer.Argument(metavar="PAYTABLE", help="A paytable id; default: all.")] = "",
    as_data: AsData = False,
) -> None:
    """List every game and jackpot, or print the rules of one, or its paytables.

    A title's rules have a source for every paragraph, and its fingerprint; with a bet, or the paytable of a
    jackpot, each row of its paytables is printed with its citation.
    """
    if title and bet:
        _show_paytables(title, *bet_of(title, bet, identifier), as_data=as_data)
    elif title:
        _show_rules(title, as_data=as_data)
    elif as_data:
        print_json([_title_as_json(name) for name in registry.names()])
    else:
        _list_titles()


def _list_titles() -> None:
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


def _title_as_json(name: str) -> dict[str, object]:
    title, library = registry.title(name), registry.library(name)
    data: dict[str, object] = {
        "title": name,
        "kind": "game" if isinstance(title, Game) else "jackpot",
        "name": title.title,
        "fingerprint": registry.fingerprint(name),
        "paytables": {bet: list(library.ids_of(bet)) for bet in dict.fromkeys(bet for bet, _ in library)},
    }
    if isinstance(title, Game):
        data["jackpots"] = [jackpot.name for jackpot in registry.fitting(title)]
    return data


def _show_rules(title: str, *, as_data: bool) -> None:
    text = registry.folder(title).joinpath("rules.md").read_text(encoding="utf-8")
    letters = _letters_of(text)
    if as_data:
        print_json(
            {
                "title": title,
                "markdown": text,
                "sources": letters,
                "fingerprint": registry.fingerprint(title),
            }
        )
        return
    from rich.markdown import Markdown

    from feltwork.cli.console import console_for_tables

    console = console_for_tables()
    if console.is_terminal:
        console.print(Markdown(text.replace("[", "\\[")))
    else:
        console.print(text, markup=False, soft_wrap=True)
    legend = "; ".join(f"{code} = {letter}" for code, letter in letters.items())
    console.print(f"Sources: {legend or 'public rules'}.", markup=False, soft_wrap=not console.is_terminal)
    console.print(f"Fingerprint: {registry.fingerprint(title)}", markup=False, soft_wrap=True)


def _letters_of(text: str) -> dict[str, str]:
    codes = dict.fromkeys(citation.split(".")[0] for citation in sources.citations(text))
    return {code: str(sources.letters()[code]) for code in codes}


def _show_paytables(title: str, bet: str, identifier: str, *, as_data: bool) -> None:
    library = registry.library(title)
    bets = tuple(dict.fromkeys(name for name, _ in library))
    if bet not in bets:
        problem = Problem(title, f"has no paytable for {bet!r}", f"choose from: {', '.join(bets)}")
        raise ProblemsError([problem])
    if identifier:
        paytables = [registry.paytable(title, bet, identifier)]
    else:
        paytables = [library[name, known] for name, known in library if name == bet]
    if as_data:
        print_json([_paytable_as_json(paytable) for paytable in paytables])
        return
    for paytable in paytables:
        _print_paytable(paytable)


def _paytable_as_json(paytable: Paytable) -> dict[str, object]:
    return {
        "title": paytable.title,
        "bet": paytable.bet,
        "paytable": paytable.id,
        "levels": list(paytable.levels),
        "rows": [
            {"hand": row.hand, "pays": str(row.pays), "envy": money.text(row.envy), "cites": row.cites}
            for row in paytable.rows
        ],
        "recommended": dict(paytable.recommended),
        "fingerprint": paytable.fingerprint,
    }


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
