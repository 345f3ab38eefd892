"""Change the code in small ways, a random choice of them, and see whether the tests notice.

    just mutants --package operations --count 150 --seed 1

A change of a function is made in a forked process, after the tests are collected; any other change in a
process of its own. The checkout stays as it is. For each change the tests run that execute its line: the
fastest ten, then tests of 40 s from as many files as possible, those of its own package first. ``--at
FILE:LINE`` takes every change of a line, and all tests that execute it; ``--suite`` the tests of one folder.
"""

import argparse
import gc
import json
import math
import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.books.conftest import running_server
from tools.break_functions import QUIET, clear_caches, silence
from tools.coverage_by_test import PACKAGES, ROOT, SUITES, Test, recorded_tests
from tools.mutations import Mutant, mutants, mutated

_FIRST = 10
#: How long all tests of a mutant may take together, as recorded.
_MORE = 40.0
#: How long they may take longer than recorded.
_SLACK = 120
_SURVIVED = 77


@dataclass(frozen=True, slots=True)
class Trial:
    """A mutant and the tests that could notice it, the most likely first."""

    mutant: Mutant
    tests: tuple[str, ...]
    #: Whether it has to be there before the tests are collected.
    is_early: bool
    seconds: float


def sample(package: str, count: int, seed: int) -> list[Mutant]:
    """A random choice of the mutants of a package, in the order of the files."""
    place = ROOT / "src/feltwork" / package
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
    found = [one for file in files for one in mutants(file, str(file.relative_to(ROOT)))]
    chosen = random.Random(seed).sample(found, min(count, len(found)))
    return sorted(chosen, key=lambda one: (one.file, one.place))


def trial(mutant: Mutant, tests: Mapping[str, Test], seconds: float) -> Trial:
    """The tests of a mutant: those that execute its line, or else its function, or else its file."""
    first, last = mutant.around
    every = {line for one in tests.values() for line in one.lines.get(mutant.file, ())}
    for wanted in ({mutant.line}, every & set(range(first, last + 1)), every):
        found = {name: one for name, one in tests.items() if wanted & one.lines.get(mutant.file, set())}
        if found:
            break
    own = f"tests/{Path(mutant.file).parts[2]}/"
    if mutant.is_outside_functions:
        # A default or a constant may matter to a test that executes no line of its file.
        found |= {name: one for name, one in tests.items() if name.startswith(own)}
    fastest = sorted(found, key=lambda name: found[name].seconds)
    more = sorted(_by_turns(fastest[_FIRST:]), key=lambda name: not name.startswith(own))
    sums = accumulate(found[name].seconds for name in more)
    more = [name for name, total in zip(more, sums, strict=True) if total <= seconds]
    # In the order of the files, so that what a file needs is made once.
    chosen = sorted(fastest[:_FIRST]) + sorted(more)
    # What no test executes may be executed while the tests are collected.
    return Trial(mutant, tuple(chosen), wanted is every, sum(found[name].seconds for name in chosen))


def _by_turns(names: Sequence[str]) -> Iterator[str]:
    """The first of each file, then the second of each file, and so on."""
    seen: dict[str, int] = {}
    turns = []
    for place, name in enumerate(names):
        file = name.partition("::")[0]
        turns.append((seen.setdefault(file, 0), place, name))
        seen[file] += 1
    return (name for _, _, name in sorted(turns))


class MutantRunner:
    """A plugin of pytest: in place of running the tests, try one mutant after the other."""

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.trials = trials
        self.outcomes: list[str] = []
        self.server: Any = None
        #: Tests that pass without a change.
        self.sound: set[pytest.Item] = set()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        with ExitStack() as stack:
            if any("server" in getattr(item, "fixturenames", ()) for item in session.items):
                self.server = stack.enter_context(running_server())
            for one in self.trials:
                began = time.monotonic()
                self.outcomes.append(self._outcome(one, [items[name] for name in one.tests if name in items]))
                said = (
                    f"{self.outcomes[-1]} {one.mutant} ({len(one.tests)}, {time.monotonic() - began:.0f} s)\n"
                )
                os.write(2, said.encode())
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any], request: Any) -> Any:
        """All processes share one PostgreSQL."""
        if fixturedef.argname == "server" and fixturedef.scope == "session" and self.server is not None:
            fixturedef.cached_result = (self.server, fixturedef.cache_key(request), None)
            return self.server
        return None

    def _outcome(self, one: Trial, items: Sequence[pytest.Item]) -> str:
        if not items:
            return "not run"
        seconds = _SLACK + 10 * one.seconds
        code, failed = _fork(one, items, seconds)
        if code is None:
            return "timed out"
        if failed is not None and failed not in self.sound:
            if _fork(None, [failed], seconds)[1] is not None:
                return f"not known, since {failed.nodeid} fails already:"
            self.sound.add(failed)
        return "survived" if code == _SURVIVED else "killed"


def _fork(
    one: Trial | None, items: Sequence[pytest.Item], seconds: float
) -> tuple[int | None, pytest.Item | None]:
    """The exit code of a process with the mutant, None if it takes too long, and the test that failed."""
    context = multiprocessing.get_context("fork")
    place = context.Value("i", -1)
    process = context.Process(target=_run_in_fork, args=(one, items, place))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return None, None
    return process.exitcode, items[place.value] if place.value >= 0 else None


def _run_in_fork(one: Trial | None, items: Sequence[pytest.Item], failed: Any) -> None:
    """End with 77 if no test fails."""
    silence()
    try:
        if one is not None and (one.is_early or not _change_functions(one.mutant)):
            command = (sys.executable, __file__, "--alone", json.dumps(asdict(one)))
            os._exit(subprocess.run(command, check=False).returncode)
        for place, item in enumerate(items):
            following = items[place + 1] if place + 1 < len(items) else None
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=following)):
                failed.value = place
                os._exit(0)
    except BaseException:
        os._exit(0)
    os._exit(_SURVIVED)


def _change_functions(mutant: Mutant) -> bool:
    """Give the changed code to every function that has the original one; False if none has."""
    file = ROOT / mutant.file
    original = compile(file.read_text(), file, "exec", dont_inherit=True)
    codes = dict(_different(original, compile(mutated(file, mutant), file, "exec", dont_inherit=True)))
    if original in codes:
        return False
    having = [one for one in gc.get_objects() if isinstance(one, FunctionType) and one.__code__ in codes]
    try:
        for function in having:
            function.__code__ = codes[function.__code__]
    except ValueError:  # a variable of an outer function is no longer needed
        return False
    clear_caches(".".join(Path(mutant.file).with_suffix("").parts[1:3]))
    return bool(having)


def _different(original: CodeType, changed: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The code objects that differ by more than what is defined in them."""
    ours = [one for one in original.co_consts if isinstance(one, CodeType)]
    theirs = [one for one in changed.co_consts if isinstance(one, CodeType)]
    if original == changed:
        return
    is_module = original.co_name == "<module>"
    if not is_module or len(ours) != len(theirs) or _outside(original) != _outside(changed):
        yield original, changed
    if len(ours) == len(theirs):
        for mine, its in zip(ours, theirs, strict=True):
            yield from _different(mine, its)


def _outside(code: CodeType) -> tuple[object, ...]:
    constants = tuple(repr(one) for one in code.co_consts if not isinstance(one, CodeType))
    return code.co_code, constants, code.co_names


class _Loader(SourceFileLoader):
    """Loads one module with a change."""

    mutant: Mutant

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        return spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, _name: str) -> CodeType:
        return compile(mutated(Path(self.path), self.mutant), self.path, "exec", dont_inherit=True)


def _try_alone(said: Mapping[str, Any]) -> int:
    """Run the tests in this process, which has not loaded the module yet."""
    mutant = Mutant(**said["mutant"])
    name = mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    for loaded in [one for one in sys.modules if one.partition(".")[0] in ("feltwork", "tests")]:
        del sys.modules[loaded]
    loader = _Loader(name, str(ROOT / mutant.file))
    loader.mutant = mutant
    sys.meta_path.insert(0, loader)
    code = pytest.main([*QUIET, "-x", "-p", "no:randomly", *(str(ROOT / test) for test in said["tests"])])
    return _SURVIVED if code == pytest.ExitCode.OK else 0


def try_all(trials: Sequence[Trial]) -> list[str]:
    """What happens to each mutant."""
    runner = MutantRunner(trials)
    files = dict.fromkeys(str(ROOT / test.partition("::")[0]) for one in trials for test in one.tests)
    code = pytest.main([*QUIET, "-p", "no:randomly", *files], plugins=[runner])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"pytest ends with {code!r}")
    return runner.outcomes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--package", choices=PACKAGES, action="append")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suite", choices=SUITES, action="append")
    parser.add_argument("--at", action="append", default=[], metavar="FILE:LINE")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--alone", type=json.loads, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.alone:
        return _try_alone(asked.alone)
    if asked.at:
        files = dict.fromkeys(one.partition(":")[0] for one in asked.at)
        every = [one for file in files for one in mutants(ROOT / file, file)]
        chosen = [one for one in every if f"{one.file}:{one.line}" in asked.at]
    else:
        names = asked.package or PACKAGES
        chosen = [one for name in names for one in sample(name, asked.count, asked.seed)]
    tests = recorded_tests(asked.suite or SUITES)
    trials = [trial(one, tests, math.inf if asked.at else _MORE) for one in chosen]
    outcomes = try_all(trials)
    if asked.json:
        rows = [{**asdict(one.mutant), "outcome": said} for one, said in zip(trials, outcomes, strict=True)]
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        caught = sum(said in ("killed", "timed out") for said in outcomes)
        sys.stdout.write(f"{caught} of {len(trials)} killed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
