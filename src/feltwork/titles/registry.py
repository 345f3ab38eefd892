"""Finds the titles: the folders beside this module, and packages that name themselves ``feltwork.titles``.

A title is imported when it is asked for, so that settling one round does not read every other game.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module, metadata
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType

from feltwork.paytables.library import Library
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.title import Game, Jackpot

_HOMES = ("feltwork.titles.games", "feltwork.titles.jackpots")


@cache
def _modules() -> dict[str, str]:
    """Every title's name and the module that declares it; ours come first and cannot be replaced."""
    found: dict[str, str] = {}
    for home in _HOMES:
        for folder in sorted(files(home).iterdir(), key=lambda entry: entry.name):
            if folder.is_dir() and folder.joinpath("__init__.py").is_file():
                found[folder.name] = f"{home}.{folder.name}"
    for entry_point in metadata.entry_points(group="feltwork.titles"):
        found.setdefault(entry_point.name, entry_point.value)
    return found


def names() -> tuple[str, ...]:
    """The names of all titles."""
    return tuple(_modules())


def own_names() -> tuple[str, ...]:
    """The names of the titles that come with Feltwork."""
    return tuple(name for name, module in _modules().items() if module.startswith(_HOMES))


@cache
def title(name: str) -> Game | Jackpot:
    """The title of that name."""
    declared: Game | Jackpot = _module(name).TITLE
    return declared


def game(name: str) -> Game:
    """The game of that name."""
    found = title(name)
    if not isinstance(found, Game):
        raise ProblemsError([Problem(name, "is a jackpot, not a game", f"name a game: {_listed(games())}")])
    return found


def jackpot(name: str) -> Jackpot:
    """The jackpot of that name."""
    found = title(name)
    if not isinstance(found, Jackpot):
        raise ProblemsError(
            [Problem(name, "is a game, not a jackpot", f"name a jackpot: {_listed(jackpots())}")]
        )
    return found


def games() -> Iterator[Game]:
    """All games."""
    return (found for found in map(title, names()) if isinstance(found, Game))


def jackpots() -> Iterator[Jackpot]:
    """All jackpots."""
    return (found for found in map(title, names()) if isinstance(found, Jackpot))


def folder(name: str) -> Traversable:
    """The folder of a title, with its rules, paytables, printed figures and worked rounds."""
    return files(_module(name))


@cache
def library(name: str) -> Library:
    """The paytables of a title."""
    return Library(folder(name).joinpath("paytables"), name)


def paytable(name: str, bet: str, identifier: str) -> Paytable:
    """One paytable; a wrong id is answered with those that exist."""
    try:
        return library(name)[bet, identifier]
    except KeyError:
        known = ", ".join(library(name).ids_of(bet)) or "none"
        problem = Problem(f"{name}/{bet}", f"there is no paytable {identifier!r}", f"choose from: {known}")
        raise ProblemsError([problem]) from None


def fitting(game_: Game) -> tuple[Jackpot, ...]:
    """The jackpots that a game shows the right cards for."""
    return tuple(one for one in jackpots() if any(fits(one, variant, game_) for variant in one.variants))


def fits(jackpot_: Jackpot, variant: str, game_: Game) -> bool:
    """Whether the game offers a view that the jackpot looks at."""
    return any(view in game_.views for view in jackpot_.views[variant])


def _module(name: str) -> ModuleType:
    module = _modules().get(name)
    if module is None:
        raise ProblemsError([Problem(name, "there is no such title", f"choose from: {', '.join(names())}")])
    return import_module(module)


def _listed(titles: Iterator[Game] | Iterator[Jackpot]) -> str:
    return ", ".join(found.name for found in titles)
