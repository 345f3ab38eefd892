"""The registry of titles: built-in folders, and packages with a ``feltwork.titles`` entry point.

A title is imported on first use, so settling one round does not load every other game.
"""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType

from feltwork.problem import Problem, ProblemsError
from feltwork.titles.paytables.library import Library
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game, Jackpot

_HOMES = ("feltwork.titles.games", "feltwork.titles.jackpots")


@cache
def _own_modules() -> dict[str, str]:
    """Map each built-in title to the module that declares it."""
    modules: dict[str, str] = {}
    for home in _HOMES:
        for folder in sorted(files(home).iterdir(), key=lambda entry: entry.name):
            if folder.is_dir() and folder.joinpath("__init__.py").is_file():
                modules[folder.name] = f"{home}.{folder.name}"
    return modules


@cache
def _modules() -> dict[str, str]:
    """Map each title to the module that declares it; a plug-in cannot replace a built-in title."""
    from importlib import metadata

    modules = dict(_own_modules())
    for entry_point in metadata.entry_points(group="feltwork.titles"):
        modules.setdefault(entry_point.name, entry_point.value)
    return modules


def names() -> tuple[str, ...]:
    """Return the names of all titles."""
    return tuple(_modules())


def own_names() -> tuple[str, ...]:
    """Return the names of the built-in titles."""
    return tuple(_own_modules())


@cache
def title(name: str) -> Game | Jackpot:
    """Return a title by name."""
    declared: Game | Jackpot = _module(name).TITLE
    return declared


def game(name: str) -> Game:
    """Return a game by name."""
    declared = title(name)
    if not isinstance(declared, Game):
        raise ProblemsError([Problem(name, "is a jackpot, not a game", f"name a game: {_listed(games())}")])
    return declared


def jackpot(name: str) -> Jackpot:
    """Return a jackpot by name."""
    declared = title(name)
    if not isinstance(declared, Jackpot):
        raise ProblemsError(
            [Problem(name, "is a game, not a jackpot", f"name a jackpot: {_listed(jackpots())}")]
        )
    return declared


def games() -> Iterator[Game]:
    """Iterate over all games."""
    return (entry for entry in map(title, names()) if isinstance(entry, Game))


def jackpots() -> Iterator[Jackpot]:
    """Iterate over all jackpots."""
    return (entry for entry in map(title, names()) if isinstance(entry, Jackpot))


def folder(name: str) -> Traversable:
    """Return the folder of a title, with its rules, paytables, printed figures and worked rounds."""
    return files(_module(name))


@cache
def fingerprint(name: str) -> str:
    """Return the SHA-256 of the names and contents of all files of a title, wherever it is installed."""
    digest = hashlib.sha256()
    for path, file in sorted(_files_of(folder(name), "")):
        digest.update(f"{path}\0".encode())
        digest.update(hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def _files_of(entry: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder with their relative paths, without compiled Python files."""
    for child in entry.iterdir():
        inner = f"{path}/{child.name}" if path else child.name
        if child.is_dir() and child.name != "__pycache__":
            yield from _files_of(child, inner)
        elif child.is_file():
            yield inner, child


@cache
def library(name: str) -> Library:
    """Return the paytables of a title."""
    return Library(folder(name).joinpath("paytables"), name)


def paytable(name: str, bet: str, identifier: str) -> Paytable:
    """Return a paytable; an unknown id is refused with the list of known ones."""
    try:
        return library(name)[bet, identifier]
    except KeyError:
        known = ", ".join(library(name).ids_of(bet)) or "none"
        problem = Problem(f"{name}/{bet}", f"there is no paytable {identifier!r}", f"choose from: {known}")
        raise ProblemsError([problem]) from None


def fitting(game_: Game) -> tuple[Jackpot, ...]:
    """Return the jackpots that can be played on a game."""
    return tuple(
        entry for entry in jackpots() if any(fits(entry, variant, game_) for variant in entry.variants)
    )


def fits(jackpot_: Jackpot, variant: str, game_: Game) -> bool:
    """Whether the game offers a view that the jackpot uses."""
    return any(view in game_.views for view in jackpot_.views[variant])


def _module(name: str) -> ModuleType:
    module = _own_modules().get(name) or _modules().get(name)
    if module is None:
        raise ProblemsError([Problem(name, "there is no such title", f"choose from: {', '.join(names())}")])
    return import_module(module)


def _listed(titles: Iterator[Game] | Iterator[Jackpot]) -> str:
    return ", ".join(entry.name for entry in titles)
