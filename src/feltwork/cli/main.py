"""The ``feltwork`` command: its subcommands, and how a problem is told to the person who caused it."""

import sys
from typing import Annotated

import typer

from feltwork import __version__
from feltwork.cli import rounds, titles
from feltwork.problem import ProblemsError

app = typer.Typer(
    help="The open system behind the felt: rules that run, exact odds, jackpots that can be replayed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("titles")(titles.list_titles)
app.command("rules")(titles.show_rules)
app.command("paytable")(titles.show_paytable)
app.command("deal")(rounds.deal)
app.command("settle")(rounds.settle_file)


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"feltwork {__version__}")
        raise typer.Exit


@app.callback()
def _feltwork(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Nothing but the options that stand before a command."""


def main() -> None:
    """Run a command; what is wrong with its input goes to standard error, one line a problem."""
    try:
        app()
    except ProblemsError as error:
        for problem in error.problems:
            sys.stderr.write(f"error: {problem.where}: {problem.what}\n  → {problem.remedy}\n")
        sys.exit(2)
    except OSError as error:
        sys.stderr.write(f"error: {error.filename}: {error.strerror}\n  → name a file that can be read\n")
        sys.exit(2)
