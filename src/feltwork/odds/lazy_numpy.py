"""numpy, loaded when it is first used: advice from kept counts answers before numpy alone would be loaded."""

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
