"""Arguments and options that several commands share."""

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game

#: A password in a DSN: `password=` in either form, or after the user of a URL.
_PASSWORD = re.compile(r"password\s*=|://[^/@]*:[^/@]+@")

AsData = Annotated[bool, typer.Option("--json", help="Print JSON.")]
TitleName = Annotated[
    str, typer.Argument(metavar="TITLE", help="A title, as `feltwork titles` lists it.", show_default=False)
]
BetName = Annotated[str, typer.Argument(metavar="BET", help="One of its bets; optional for a jackpot.")]
PaytableId = Annotated[str, typer.Argument(metavar="PAYTABLE", help="The id of a paytable of the bet.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="A rule option, such as decks=6.")]

Dsn = Annotated[str, typer.Option("--dsn", envvar="FELTWORK_DSN", help="The PostgreSQL DSN of the books.")]
NatsUrl = Annotated[
    str, typer.Option("--nats", envvar="FELTWORK_NATS", help="The URL of the NATS server, or of each node.")
]
Keys = Annotated[Path | None, typer.Option(help="The folder with keys and certificates.")]
Approved = Annotated[Path | None, typer.Option(help="The list of approved components, a TOML file.")]
Hosts = Annotated[
    list[str] | None, typer.Option("--host", help="A host name or address of NATS, as devices see it.")
]


def given(dsn: str) -> str:
    """Return the DSN; raise if there is none, or if the command line shows its password."""
    if not dsn:
        raise ProblemsError([Problem("--dsn", "is not given", "pass --dsn, or set FELTWORK_DSN")])
    if _PASSWORD.search(dsn) and any(dsn in word for word in sys.argv):
        what = "everybody on this machine can read the password in the list of processes"
        raise ProblemsError([Problem("--dsn", what, "use passfile=FILE, or set FELTWORK_DSN")])
    return dsn


def print_json(data: object) -> None:
    """Print data as JSON."""
    typer.echo(json.dumps(data, ensure_ascii=False, indent=1))


def pairs(flag: str, texts: Iterable[str] | None, example: str) -> dict[str, str]:
    """Parse options written as NAME=VALUE."""
    values = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise ProblemsError([Problem(flag, f"{text!r} has no value", f"write it like {example!r}")])
        if name in values:
            raise ProblemsError([Problem(flag, f"{name} is given twice", "give it once")])
        values[name] = value
    return values


def bet_of(title: str, bet: str, identifier: str) -> tuple[str, str]:
    """Resolve bet and paytable: the single bet of a jackpot need not be named."""
    if not isinstance(registry.title(title), Game) and bet != "jackpot":
        return "jackpot", bet
    return bet, identifier


def named_paytable(title: str, bet: str, identifier: str) -> Paytable:
    """Find a released paytable; the error lists the choices."""
    from feltwork.library.inputs import paytable

    return paytable(title, *bet_of(title, bet, identifier))


def drafted_paytable(file: Path, *, title: str = "", bet: str = "") -> Paytable:
    """Read a draft paytable; raise if it is not for the title and bet, if given."""
    from feltwork.titles.paytables.parse import parse_paytable

    draft = parse_paytable(file.read_text(encoding="utf-8"), where=str(file))
    registry.title(draft.title)
    if title and (draft.title, draft.bet) != (title, bet or draft.bet):
        what = f"it is a paytable of {draft.title}/{draft.bet}"
        raise ProblemsError([Problem(str(file), what, f"name {draft.title} {draft.bet}, or another file")])
    return draft
