"""numpy, imported on first use: advice from cached counts takes less time than importing numpy."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
else:

    class _Numpy:
        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("numpy"), name)

    np = _Numpy()

__all__ = ["np"]
