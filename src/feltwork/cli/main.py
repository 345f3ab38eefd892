"""The ``feltwork`` command: its subcommands by audience, and its error output."""

import ast
import json
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.core import TyperGroup

from feltwork import __version__
from feltwork.cli.errors import problems_of
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from typer._click import Context, HelpFormatter

#: Each command and its function. Only the requested one is imported: settling a round must not wait for
#: numpy, nor --help for a web framework.
SECTIONS = {
    "Look around": {"demo": "run.demo:demo"},
    "Rules and odds": {
        "titles": "rules.titles:show_titles",
        "settle": "rules.rounds:settle_file",
        "figures": "odds.odds:show_figures",
        "odds": "odds.odds:show_odds",
        "what-if": "odds.what_if:what_if",
        "certify": "odds.certify:certify",
        "advise": "odds.play:advise",
        "simulate": "odds.play:simulate",
        "verify": "odds.odds:verify_letters",
    },
    "Set up a site": {
        "check": "setup.floor_file:check_floor",
        "init": "setup.init:init",
        "install": "setup.install:install",
        "apply": "run.serve:apply_file",
        "doctor": "setup.doctor:doctor",
    },
    "Run it": {
        "up": "run.up:up",
        "backup": "setup.recovery:backup",
        "restore": "setup.recovery:restore",
    },
    "Verify it": {
        "rehearse": "proof.rehearse:rehearse",
        "audit": "proof.audit:audit_books",
        "export": "proof.export:export_books",
    },
    "Programs that units start": {
        "serve": "run.serve:serve",
        "bookkeeper": "run.bookkeeper:bookkeeper",
        "table": "run.table:run_table",
        "standby": "setup.standby:standby",
    },
}
COMMANDS = {name: where for commands in SECTIONS.values() for name, where in commands.items()}
#: Commands for device makers, laboratories and authors of titles: `feltwork dev NAME`.
DEV = {
    "new-title": "rules.new_title:new_title",
    "deal": "rules.rounds:deal",
    "conformance": "proof.conformance:prove_conformance",
    "device-settings": "proof.conformance:print_device_settings",
    "components": "run.bookkeeper:list_components",
    "compare-bundles": "proof.bundle_comparison:print_bundle_comparison",
}
_FOR_DEVELOPERS = "Commands for device makers, laboratories and authors of titles."
_DEVELOPERS = {"More": {"dev": _FOR_DEVELOPERS}}
#: Old name -> what does the same, until 0.3.
MOVED = {
    **{name: f"feltwork dev {name}" for name in DEV},
    "rules": "feltwork titles TITLE",
    "paytable": "feltwork titles TITLE BET PAYTABLE",
    "posting": "feltwork check FLOOR --posting",
    "submission": "feltwork check FLOOR --submission FOLDER",
    "keys": "feltwork init --keys FOLDER",
    "notify": "feltwork doctor --notifications FILE",
    "log-stuck": "feltwork doctor --log-stuck",
    "recovery-set": "feltwork backup",
    "promote": "feltwork standby promote",
    "rejoin": "feltwork standby rejoin",
    "sample": "feltwork audit --sample SEED",
    "record-retention": "feltwork audit --drop-audit-month MONTH",
    "heads": "feltwork export --heads",
    "export-data": "feltwork export --data",
    "parked": "the page of parked messages in the pit",
    "floor": "python -m lab.floor, in the source",
    "torture": "python -m lab.torture, in the source",
}
_WIDEST = max(map(len, [*COMMANDS, *DEV]))


class _BySection(TyperGroup):
    """Help in sections, with the first sentence of each command."""

    def format_commands(self, ctx: "Context", formatter: "HelpFormatter") -> None:
        """Write the sections without importing the commands."""
        del ctx
        sections = {"For developers": DEV} if self.name == "dev" else {**SECTIONS, **_DEVELOPERS}
        for section, commands in sections.items():
            with formatter.section(section):
                formatter.write_dl([(f"{name:{_WIDEST}}", _says(where)) for name, where in commands.items()])


def application(argument: str = "", developers: str = "") -> typer.Typer:
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
    if argument in ("", "dev"):
        dev = typer.Typer(cls=_BySection, help=_FOR_DEVELOPERS, no_args_is_help=True, rich_markup_mode=None)
        _add(dev, DEV, developers)
        app.add_typer(dev, name="dev")
    if argument != "dev":
        _add(app, COMMANDS, argument)
    return app


def _add(app: typer.Typer, commands: Mapping[str, str], only: str) -> None:
    """Add one of the commands, none for --help, or all."""
    if only == "--help":
        app.callback()(lambda: None)
        return
    for name in [only] if only in commands else commands:
        module, _, function = commands[name].partition(":")
        app.command(name)(getattr(import_module(f"feltwork.cli.{module}"), function))


def _says(where: str) -> str:
    """Read the first sentence of a command's docstring from its source; other text stands for itself."""
    if ":" not in where:
        return where
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
    words = [*sys.argv[1:3], "--help", "--help"]
    try:
        if now := MOVED.get(words[0]):
            problem = Problem(f"feltwork {words[0]}", f"is now {now}", "use that; the old name goes with 0.3")
            raise ProblemsError([problem])
        application(*words[:2])()
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
