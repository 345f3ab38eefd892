"""The ``feltwork`` command: its subcommands by audience, and its error output."""

import ast
import json
import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from feltwork import __version__
from feltwork.cli.errors import problems_of

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

#: Each command and its function. Only the requested one is imported: settling a round must not wait for
#: numpy, nor --help for a web framework.
SECTIONS = {
    "Look around": {"demo": "run.demo:demo"},
    "Rules": {
        "titles": "rules.titles:list_titles",
        "rules": "rules.titles:show_rules",
        "paytable": "rules.titles:show_paytable",
        "new-title": "rules.new_title:new_title",
        "deal": "rules.rounds:deal",
        "settle": "rules.rounds:settle_file",
    },
    "Odds": {
        "figures": "odds.odds:show_figures",
        "odds": "odds.odds:show_odds",
        "verify": "odds.odds:verify_letters",
        "what-if": "odds.what_if:what_if",
        "certify": "odds.certify:certify",
        "advise": "odds.play:advise",
        "simulate": "odds.play:simulate",
    },
    "Set up a site": {
        "check": "setup.floor_file:check_floor",
        "posting": "setup.floor_file:show_posting",
        "submission": "setup.submission:write_submission",
        "notify": "setup.notifications:notify",
        "install": "setup.install:install",
        "init": "setup.init:init",
        "apply": "run.serve:apply_file",
        "keys": "proof.conformance:make_keys",
        "device-settings": "proof.conformance:print_device_settings",
        "components": "run.bookkeeper:list_components",
        "doctor": "setup.doctor:doctor",
        "log-stuck": "setup.doctor:log_stuck",
    },
    "Run it": {
        "up": "run.up:up",
        "serve": "run.serve:serve",
        "bookkeeper": "run.bookkeeper:bookkeeper",
        "table": "run.table:run_table",
        "parked": "run.parked:parked",
        "promote": "setup.standby:promote",
        "rejoin": "setup.standby:rejoin",
        "recovery-set": "setup.recovery:recovery_set",
        "restore": "setup.recovery:restore",
    },
    "Verify it": {
        "rehearse": "proof.rehearse:rehearse",
        "audit": "proof.audit:audit_books",
        "export": "proof.audit:export_books",
        "export-data": "proof.data_export:export_data",
        "compare-bundles": "proof.bundle_comparison:print_bundle_comparison",
        "sample": "proof.audit:sample_awards",
        "heads": "proof.day_heads:sign_days",
        "record-retention": "proof.record_retention:keep_records",
        "conformance": "proof.conformance:prove_conformance",
    },
}
COMMANDS = {name: where for commands in SECTIONS.values() for name, where in commands.items()}
_WIDEST = max(map(len, COMMANDS))


class _BySection(TyperGroup):
    """Help in sections, with the first sentence of each command."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the sections without importing the commands."""
        del ctx
        for section, commands in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(f"{name:{_WIDEST}}", _says(where)) for name, where in commands.items()])


def application(argument: str = "") -> typer.Typer:
    """Build the application with one command, with none for --help, or with all of them."""
    app = typer.Typer(
        cls=_BySection,
        help="Casino table games and jackpots: rules, exact odds, and books that can be replayed.",
        epilog="See `feltwork COMMAND --help`. Most commands take --json.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_feltwork)
    if argument in ("--help", "--version"):
        return app
    for name in [argument] if argument in COMMANDS else COMMANDS:
        module, _, function = COMMANDS[name].partition(":")
        app.command(name)(getattr(import_module(f"feltwork.cli.{module}"), function))
    return app


def _says(where: str) -> str:
    """Read the first sentence of a command's docstring from its source."""
    module, _, function = where.partition(":")
    tree = _source(module)
    (node,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == function)
    text = " ".join((ast.get_docstring(node) or "").split())
    return text.partition(". ")[0].rstrip(".") + "."


@cache
def _source(module: str) -> ast.Module:
    spec = find_spec(f"feltwork.cli.{module}")
    assert spec is not None, module
    assert spec.origin is not None, module
    return ast.parse(Path(spec.origin).read_text(encoding="utf-8"))


def _print_version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"feltwork {__version__}")
        raise typer.Exit


def _feltwork(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options before a command."""


def main() -> None:
    """Run a command; print errors that a person can fix with their remedies, or as JSON."""
    try:
        application(sys.argv[1] if len(sys.argv) > 1 else "--help")()
    except KeyboardInterrupt:
        sys.exit(130)  # while a command loads; later, typer says it
    except Exception as error:
        problems = problems_of(error)
        if not problems:
            raise
        if "--json" in sys.argv:
            errors = [
                {name: getattr(problem, name) for name in ("where", "what", "remedy")} for problem in problems
            ]
            sys.stdout.write(json.dumps({"errors": errors}, ensure_ascii=False) + "\n")
        else:
            for problem in problems:
                sys.stderr.write(f"error: {problem.where}: {problem.what}\n  → {problem.remedy}\n")
        sys.exit(2)
