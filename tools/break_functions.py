"""Break every function that is cited for a paragraph of a letter, and see that a round or a test notices.

A broken function returns something else than it should: the opposite of a truth, one more than a number,
nothing in place of findings, and no refusal. The worked rounds that prove the paragraph must then settle
differently, or every test with the marker ``letter`` for this function must fail.
"""

import gc
import importlib
import inspect
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import _lru_cache_wrapper
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.titles.worked_rounds import differences, worked_rounds
from tools.letters import ROOT, cited_by_functions, marked_tests, rounds

_RUN = "lambda *args, **named: __run_broken__(*args, **named)"
_CALL: CodeType = compile(_RUN, __file__, "eval").co_consts[0]
QUIET = (
    *("-q", "--no-header", "--no-summary", "--tb=no", "--assert=plain", "-o", "addopts="),
    *("-p", "no:cacheprovider", "-p", "no:xdist"),
)


@dataclass(frozen=True, slots=True)
class Breakage:
    """A function to break, the worked rounds by paragraph that it cites, and the tests that should notice."""

    function: str
    rounds: Mapping[str, tuple[str, ...]]
    tests: tuple[str, ...]
    #: The paragraphs that the tests are about.
    tested: frozenset[str]


def breakages() -> list[Breakage]:
    """Every cited function."""
    cited, marked = cited_by_functions(), marked_tests()
    names = sorted({*cited, *(test.function for test in marked)})
    return [
        Breakage(
            name,
            {paragraph: rounds().get(paragraph, ()) for paragraph in cited.get(name, ())},
            tuple(dict.fromkeys(test.test for test in marked if test.function == name)),
            frozenset(paragraph for test in marked if test.function == name for paragraph in test.paragraphs),
        )
        for name in names
    ]


def find(name: str) -> FunctionType:
    """The function of a dotted name below ``feltwork``."""
    module, _, function = name.rpartition(".")
    original = inspect.unwrap(getattr(importlib.import_module(f"feltwork.{module}"), function))
    if not isinstance(original, FunctionType):
        raise AttributeError(f"{name} is no function")
    return original


def break_function(function: FunctionType) -> None:
    """Break a function in place, so that every module that imported it has the broken one."""
    original = FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    original.__kwdefaults__ = function.__kwdefaults__
    function.__globals__["__run_broken__"] = _broken(original)
    function.__defaults__ = function.__kwdefaults__ = None
    function.__code__ = _CALL


def _broken(original: FunctionType) -> Callable[..., object]:
    def run(*args: Any, **keywords: Any) -> object:
        try:
            return _other(original(*args, **keywords))
        except Exception:
            return None

    return run


def _other(value: object) -> object:
    """A value of the same kind, but not this one."""
    if inspect.isgenerator(value):
        return iter(()) if list(value) else iter((None,))
    match value:
        case bool():
            other: object = not value
        case int() | Fraction():
            other = value + 1
        case str():
            other = "" if value else "?"
        case dict():
            other = {} if value else {None: None}
        case tuple() | list() | frozenset() | set():
            other = type(value)(() if value else (None,))
        case _:
            other = None
    return other


class FunctionBreaker:
    """A plugin of pytest: in place of running the tests, break one function after the other."""

    def __init__(self, chosen: Iterable[Breakage]) -> None:
        self.chosen = list(chosen)
        self.items: dict[str, list[pytest.Item]] = {}
        self.unnoticed: list[str] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            self.items.setdefault(item.nodeid.partition("[")[0], []).append(item)
        # What the tests need is computed once here, and not once in every process.
        self.unnoticed = [f"{name} fails already" for name in self.items if self._fails(name)]
        with multiprocessing.get_context("fork").Pool(2, initializer=silence, maxtasksperchild=1) as pool:
            results = pool.imap_unordered(self._break, range(len(self.chosen)), chunksize=1)
            self.unnoticed += [line for lines in results for line in lines]
        return True

    def __reduce__(self) -> tuple[object, ...]:
        """A forked process has the plugin already."""
        return _the_plugin, ()

    def _break(self, place: int) -> list[str]:
        """Break the function in this process, and list what does not notice."""
        breakage = self.chosen[place]
        try:
            break_function(find(breakage.function))
        except (ImportError, AttributeError) as error:
            return [f"{breakage.function}: {error}"]
        deaf = self._deaf(breakage)
        if deaf:  # unless a result that was computed before hides it
            clear_caches()
            deaf = self._deaf(breakage)
        return [f"{breakage.function}: {what}" for what in deaf]

    def _deaf(self, breakage: Breakage) -> list[str]:
        deaf = [
            f"no round of {paragraph}, no test"
            for paragraph, names in breakage.rounds.items()
            if paragraph not in breakage.tested and not any(map(_differs, names))
        ]
        return deaf + [test for test in breakage.tests if not self._fails(test)]

    def _fails(self, test: str) -> bool:
        return any(report.failed for item in self.items[test] for report in runtestprotocol(item, log=False))


_plugins: list[FunctionBreaker] = []


def _the_plugin() -> FunctionBreaker:
    return _plugins[-1]


def _differs(name: str) -> bool:
    title, _, file = name.partition("/")
    try:
        return any(
            differences(worked_round)
            for worked_round in worked_rounds(title)
            if worked_round.file == f"{file}.toml"
        )
    except Exception:
        return True


def clear_caches(below: str = "") -> None:
    """Forget what functions of a package have computed."""
    for cache in [candidate for candidate in gc.get_objects() if isinstance(candidate, _lru_cache_wrapper)]:
        if cache.__module__.startswith(below):
            cache.cache_clear()


def silence() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def unnoticed(chosen: Iterable[Breakage]) -> list[str]:
    """What does not notice, each function broken in a process of its own."""
    breaker = FunctionBreaker(chosen)
    _plugins.append(breaker)
    tests = dict.fromkeys(str(ROOT / test) for breakage in breaker.chosen for test in breakage.tests)
    code = pytest.main([*QUIET, *tests], plugins=[breaker])
    return breaker.unnoticed if code == pytest.ExitCode.OK else [f"pytest ends with {code!r}"]


def main() -> int:
    started, chosen = time.monotonic(), breakages()
    lines = unnoticed(chosen)
    seconds = time.monotonic() - started
    sys.stdout.write("\n".join([*sorted(lines), f"{len(chosen)} functions broken in {seconds:.0f} s", ""]))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
