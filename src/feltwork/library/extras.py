"""Functions that need more than the base install, and say so when they are called."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from feltwork.problem import Problem, ProblemsError

P = ParamSpec("P")
T = TypeVar("T")
_EXTRAS = {"numpy": "odds", "numba": "odds", "pyarrow": "arrow"}


def says_what_it_needs(function: Callable[P, T]) -> Callable[P, T]:
    """Turn a missing library into a problem that names the extra to install."""

    @wraps(function)
    def called(*args: P.args, **keywords: P.kwargs) -> T:
        try:
            return function(*args, **keywords)
        except ModuleNotFoundError as error:
            extra = _EXTRAS.get((error.name or "").partition(".")[0])
            if extra is None:
                raise
            what = f"needs {error.name}, which is not installed"
            raise ProblemsError(
                [Problem(function.__name__, what, f"pip install 'feltwork[{extra}]'")]
            ) from error

    return called
