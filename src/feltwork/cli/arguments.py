"""What several commands are asked in the same words: a title, a bet, a paytable, options, JSON."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from feltwork.paytables.parse import parse_paytable
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.title import Game

AsData = Annotated[bool, typer.Option("--json", help="Answer with JSON.")]
TitleName = Annotated[
    str, typer.Argument(metavar="TITLE", help="A title, as `feltwork titles` lists it.", show_default=False)
]
BetName = Annotated[
    str, typer.Argument(metavar="BET", help="One of its bets; of a jackpot it may be left out.")
]
PaytableId = Annotated[str, typer.Argument(metavar="PAYTABLE", help="A paytable of the bet, by its id.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="What changes the counts, such as decks=6.")
]


def print_json(told: object) -> None:
    """An answer for programs."""
    typer.echo(json.dumps(told, ensure_ascii=False, indent=1))


def pairs(flag: str, texts: Iterable[str] | None, example: str) -> dict[str, str]:
    """Options that are written as NAME=VALUE."""
    found = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise ProblemsError([Problem(flag, f"{text!r} says no value", f"write it like {example!r}")])
        found[name] = value
    return found


def bet_of(title: str, bet: str, identifier: str) -> tuple[str, str]:
    """The bet and the paytable that are meant: a jackpot has one bet, which nobody has to name."""
    if not isinstance(registry.title(title), Game) and bet != "jackpot":
        return "jackpot", bet
    return bet, identifier


def named_paytable(title: str, bet: str, identifier: str) -> Paytable:
    """One released paytable, or a refusal that lists what can be named."""
    bet, identifier = bet_of(title, bet, identifier)
    library = registry.library(title)
    bets = sorted({name for name, _ in library})
    if bet not in bets:
        what = f"has no paytable for {bet!r}" if bet else "it is not said which bet"
        raise ProblemsError([Problem(title, what, f"choose from: {', '.join(bets)}")])
    ids = library.ids_of(bet)
    if not identifier and len(ids) > 1:
        what = "it is not said which paytable"
        raise ProblemsError([Problem(f"{title}/{bet}", what, f"choose from: {', '.join(ids)}")])
    return registry.paytable(title, bet, identifier or ids[0])


def drafted_paytable(file: Path) -> Paytable:
    """A paytable that somebody has written or edited."""
    return parse_paytable(file.read_text(encoding="utf-8"), where=str(file))
