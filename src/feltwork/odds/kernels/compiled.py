"""One door to numba, so that the rest of the package stays typed."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a counting loop and keep the machine code on disk.

    Kernels release the interpreter lock and are run side by side by ordinary threads. That costs far less to
    compile than numba's own parallel loops, and two requests may count at the same time.
    """
    return cast(Callable[P, R], numba.njit(cache=True, nogil=True)(function))
