"""The command that creates the package of a new title."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

#: The names in the template, which is itself a working package.
_NAME, _TITLE = "my_title", "My Title"
_NAME_RULE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def new_title(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The title's name, such as lucky_two.")],
    title: Annotated[str, typer.Option(help="What the layout calls it; default: from the name.")] = "",
    folder: Annotated[Path, typer.Option(help="Where the package is made.")] = Path(),
) -> None:
    """Create the package of a new title: a small working game with rules, odds and tests, to edit."""
    if not _NAME_RULE.fullmatch(name):
        remedy = "use small letters, digits and underscores, such as lucky_two"
        raise ProblemsError([Problem(name, "is not a name for a title", remedy)])
    if name in registry.names():
        raise ProblemsError([Problem(name, "a title with this name already exists", "choose another name")])
    package = folder / name
    if package.exists():
        raise ProblemsError([Problem(str(package), "is there already", "choose another name or --folder")])
    called = {
        _NAME: name,
        _NAME.replace("_", "-"): name.replace("_", "-"),
        _TITLE: title or name.replace("_", " ").title(),
    }
    _copy(files("feltwork.cli.rules").joinpath("title_template"), package, called)
    typer.echo(f"Next: pip install --editable {package} --group dev. Then follow {package}/README.md")


def _copy(source: Traversable, target: Path, called: dict[str, str]) -> None:
    """Copy files and folders, replacing the names in paths and texts."""
    target.mkdir(parents=True)
    for entry in source.iterdir():
        path = target / _renamed(entry.name, called)
        if entry.is_dir() and entry.name != "__pycache__":
            _copy(entry, path, called)
        elif entry.is_file():
            path.write_text(_renamed(entry.read_text(encoding="utf-8"), called), encoding="utf-8")


def _renamed(text: str, called: dict[str, str]) -> str:
    for old, new in called.items():
        text = text.replace(old, new)
    return text
