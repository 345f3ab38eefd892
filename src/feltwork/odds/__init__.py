"""Odds: exact counts of deals, and what any paytable returns on them.

The package can be called, because the library offers its function `feltwork.odds` under the same name.
"""

import sys
from importlib import import_module
from types import ModuleType


class _CallableModule(ModuleType):
    """This package as a function; the library is above it in the layers, so it is found by name."""

    def __call__(self, *args: object, **keywords: object) -> object:
        return import_module("feltwork.library.odds").odds(*args, **keywords)


sys.modules[__name__].__class__ = _CallableModule
