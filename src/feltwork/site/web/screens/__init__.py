"""The screens, one folder each: its page, templates, script and style.

A screen is a folder with a ``page.py`` that defines a ``router``. Templates are found by file name, scripts
and styles under ``/static``. A new folder is served without registration.
"""

from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter

#: Screens served only if the application enables them.
ON_REQUEST = frozenset({"demo"})


@cache
def folders() -> tuple[Path, ...]:
    """The folder of every screen."""
    here = Path(str(files(__package__)))
    return tuple(sorted(page.parent for page in here.glob("*/page.py")))


def routers() -> list[APIRouter]:
    """The routers of all screens; documents first, because their paths are more specific."""
    names = [folder.name for folder in folders() if folder.name not in ON_REQUEST]
    names.sort(key=lambda name: name != "documents")
    modules = [import_module(f"{__package__}.{name}.page") for name in names]
    return [module.router for module in modules if hasattr(module, "router")]
