"""The HTTP API, one module with a ``router`` per subject."""

from importlib import import_module
from pkgutil import iter_modules

from fastapi import APIRouter


def routers() -> list[APIRouter]:
    """The router of every module."""
    modules = (import_module(f"{__package__}.{module.name}") for module in iter_modules(__path__))
    return [module.router for module in modules]
