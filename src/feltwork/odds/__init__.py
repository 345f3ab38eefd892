"""Odds: exact counts of deals, and the return of any paytable on them.

The package is callable because the library exposes its function `feltwork.odds` under the same name.
"""

import sys
from importlib import import_module
from types import ModuleType


class _CallableModule(ModuleType):
    """Callable package; the library is a layer above it, so it is imported by name."""

    def __call__(self, *args: object, **keywords: object) -> object:
        return import_module("feltwork.library.odds").odds(*args, **keywords)


sys.modules[__name__].__class__ = _CallableModule
