"""The ``feltwork`` command: its subcommands, and how a problem is told to the person who caused it."""

import sys
from importlib import import_module
from typing import Annotated

import typer

from feltwork import __version__
from feltwork.problem import ProblemsError

#: Each command and the function that runs it. Only the one that is asked for is imported: settling a round
#: must not wait for numpy, and listing titles must not wait for a web framework.
COMMANDS = {
    "titles": "feltwork.cli.titles:list_titles",
    "rules": "feltwork.cli.titles:show_rules",
    "paytable": "feltwork.cli.titles:show_paytable",
    "deal": "feltwork.cli.rounds:deal",
    "settle": "feltwork.cli.rounds:settle_file",
    "figures": "feltwork.cli.odds:show_figures",
    "odds": "feltwork.cli.odds:show_odds",
    "verify": "feltwork.cli.odds:verify_letters",
    "what-if": "feltwork.cli.what_if:what_if",
    "certify": "feltwork.cli.certify:certify",
    "check": "feltwork.cli.floor:check_floor",
    "posting": "feltwork.cli.floor:show_posting",
    "init": "feltwork.cli.install:init",
    "serve": "feltwork.cli.service:serve",
    "apply": "feltwork.cli.service:apply_file",
    "audit": "feltwork.cli.service:audit_books",
    "export": "feltwork.cli.service:export_books",
    "doctor": "feltwork.cli.doctor:doctor",
    "bookkeeper": "feltwork.cli.bookkeeper:bookkeeper",
    "components": "feltwork.cli.bookkeeper:list_components",
    "demo": "feltwork.cli.demo:demo",
    "up": "feltwork.cli.up:up",
    "table": "feltwork.cli.table:run_table",
    "keys": "feltwork.cli.conformance:make_keys",
    "conformance": "feltwork.cli.conformance:prove_conformance",
    "floor": "feltwork.cli.live:play_floor",
    "torture": "feltwork.cli.live:torture_floor",
}


def application(asked: str = "") -> typer.Typer:
    """The application with the command that is asked for, or with all of them."""
    app = typer.Typer(
        help="The open system behind the felt: rules that run, exact odds, jackpots that can be replayed.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_feltwork)
    for name in [asked] if asked in COMMANDS else COMMANDS:
        module, _, function = COMMANDS[name].partition(":")
        app.command(name)(getattr(import_module(module), function))
    return app


def _print_version(asked: bool) -> None:
    if asked:
        typer.echo(f"feltwork {__version__}")
        raise typer.Exit


def _feltwork(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Nothing but the options that stand before a command."""


def main() -> None:
    """Run a command; what is wrong with its input goes to standard error, one line a problem."""
    try:
        application(sys.argv[1] if len(sys.argv) > 1 else "")()
    except ProblemsError as error:
        for problem in error.problems:
            sys.stderr.write(f"error: {problem.where}: {problem.what}\n  → {problem.remedy}\n")
        sys.exit(2)
    except UnicodeDecodeError:
        sys.stderr.write("error: the file is not text in UTF-8\n  → save it as UTF-8 and try again\n")
        sys.exit(2)
    except OSError as error:
        sys.stderr.write(f"error: {error.filename}: {error.strerror}\n  → name a file that can be read\n")
        sys.exit(2)
