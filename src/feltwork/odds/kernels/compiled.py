"""A typed wrapper around numba."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a counting loop and cache the machine code.

    Kernels release the GIL and run in ordinary threads, which compiles much faster than numba's parallel
    loops and lets two requests count at the same time.
    """
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True)(function))
