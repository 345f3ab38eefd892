"""Change the code in small ways, a random choice of them, and see whether the tests notice.

    just mutants --package operations --count 150 --seed 1

A change of a function is made in a forked process, after the tests are collected; any other change in a
process of its own. The checkout stays as it is. For each change the tests run that execute its line: the
fastest ten, then tests of 40 s from as many files as possible, those of its own package first. A change of
``operations`` that survives is tried again by tests that start the bookkeeper, the service and table
controllers as processes, each of which loads the changed module. ``--at FILE:LINE`` takes every change of a
line, and all tests that execute it; ``--suite`` the tests of one folder; ``--processes-only`` leaves out the
forked processes.
"""

import argparse
import ast
import gc
import json
import math
import multiprocessing
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
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
#: Where a package is tested that has no suite of its own.
_SUITE_OF = {"operations": "web"}
#: How long one mutant may take with the tests that start processes.
_PROCESS_SECONDS = 600
#: Tests that start the bookkeeper, the service and table controllers as processes, the fastest first.
_PROCESS_TESTS = (
    *("bookkeeper/test_admission.py", "bookkeeper/test_welcome.py", "bookkeeper/test_repeats.py"),
    *("bookkeeper/test_quota.py", "bookkeeper/test_sign_on.py", "bookkeeper/test_two_jackpots.py"),
    *("bookkeeper/test_faults.py", "bookkeeper/test_keeping.py", "bookkeeper/test_start.py"),
    *("table/test_controller.py", "table/test_cut.py", "rehearsal/test_rehearse.py"),
)


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
    every_mutant = [mutant for file in files for mutant in mutants(file, str(file.relative_to(ROOT)))]
    chosen = random.Random(seed).sample(every_mutant, min(count, len(every_mutant)))
    return sorted(chosen, key=lambda mutant: (mutant.file, mutant.place))


def trial(mutant: Mutant, tests: Mapping[str, Test], seconds: float) -> Trial:
    """The tests of a mutant: those that execute its line, or else its function, or else its file."""
    first, last = mutant.around
    every = {line for test in tests.values() for line in test.lines.get(mutant.file, ())}
    for lines in ({mutant.line}, every & set(range(first, last + 1)), every):
        executing = {name: test for name, test in tests.items() if lines & test.lines.get(mutant.file, set())}
        if executing:
            break
    package = Path(mutant.file).parts[2]
    own = f"tests/{_SUITE_OF.get(package, package)}/"
    if mutant.is_outside_functions:
        # A default or a constant may matter to a test that executes no line of its file.
        executing |= {name: test for name, test in tests.items() if name.startswith(own)}
    fastest = sorted(executing, key=lambda name: executing[name].seconds)
    more = sorted(_by_turns(fastest[_FIRST:]), key=lambda name: not name.startswith(own))
    sums = accumulate(executing[name].seconds for name in more)
    more = [name for name, total in zip(more, sums, strict=True) if total <= seconds]
    # In the order of the files, so that what a file needs is made once.
    chosen = sorted(fastest[:_FIRST]) + sorted(more)
    # What no test executes may be executed while the tests are collected.
    return Trial(mutant, tuple(chosen), lines is every, sum(executing[name].seconds for name in chosen))


def _by_turns(names: Sequence[str]) -> Iterator[str]:
    """The first of each file, then the second of each file, and so on."""
    turn_by_file: dict[str, int] = {}
    turns = []
    for place, name in enumerate(names):
        file = name.partition("::")[0]
        turns.append((turn_by_file.setdefault(file, 0), place, name))
        turn_by_file[file] += 1
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
            for trial in self.trials:
                began = time.monotonic()
                self.outcomes.append(
                    self._outcome(trial, [items[name] for name in trial.tests if name in items])
                )
                seconds = time.monotonic() - began
                _report(f"{self.outcomes[-1]} {trial.mutant} ({len(trial.tests)}, {seconds:.0f} s)")
        return True

    @pytest.hookimpl(tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any], request: Any) -> Any:
        """All processes share one PostgreSQL."""
        if fixturedef.argname == "server" and fixturedef.scope == "session" and self.server is not None:
            fixturedef.cached_result = (self.server, fixturedef.cache_key(request), None)
            return self.server
        return None

    def _outcome(self, trial: Trial, items: Sequence[pytest.Item]) -> str:
        if not items:
            return "not run"
        seconds = _SLACK + 10 * trial.seconds
        code, failed = _fork(trial, items, seconds)
        if code is None:
            return "timed out"
        if failed is not None and failed not in self.sound:
            if _fork(None, [failed], seconds)[1] is not None:
                return f"not known, since {failed.nodeid} fails already:"
            self.sound.add(failed)
        return "survived" if code == _SURVIVED else "killed"


def _report(line: str) -> None:
    """Print past pytest, which keeps what is written otherwise."""
    os.write(2, f"{line}\n".encode())


def _fork(
    trial: Trial | None, items: Sequence[pytest.Item], seconds: float
) -> tuple[int | None, pytest.Item | None]:
    """The exit code of a process with the mutant, None if it takes too long, and the test that failed."""
    context = multiprocessing.get_context("fork")
    place = context.Value("i", -1)
    process = context.Process(target=_run_in_fork, args=(trial, items, place))
    process.start()
    process.join(seconds)
    if process.is_alive():
        process.kill()
        process.join()
        return None, None
    return process.exitcode, items[place.value] if place.value >= 0 else None


def _run_in_fork(trial: Trial | None, items: Sequence[pytest.Item], failed: Any) -> None:
    """End with 77 if no test fails."""
    silence()
    try:
        if trial is not None and (trial.is_early or not _change_functions(trial.mutant)):
            os._exit(_SURVIVED if _run_in_processes(trial.mutant, trial.tests) else 0)
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
    having = [
        candidate
        for candidate in gc.get_objects()
        if isinstance(candidate, FunctionType) and candidate.__code__ in codes
    ]
    try:
        for function in having:
            function.__code__ = codes[function.__code__]
    except ValueError:  # a variable of an outer function is no longer needed
        return False
    clear_caches(".".join(Path(mutant.file).with_suffix("").parts[1:3]))
    return bool(having)


def _different(original: CodeType, changed: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """The code objects that differ by more than what is defined in them."""
    original_parts = [constant for constant in original.co_consts if isinstance(constant, CodeType)]
    changed_parts = [constant for constant in changed.co_consts if isinstance(constant, CodeType)]
    if original == changed:
        return
    is_module = original.co_name == "<module>"
    if not is_module or len(original_parts) != len(changed_parts) or _outside(original) != _outside(changed):
        yield original, changed
    if len(original_parts) == len(changed_parts):
        for before, its in zip(original_parts, changed_parts, strict=True):
            yield from _different(before, its)


def _outside(code: CodeType) -> tuple[object, ...]:
    constants = tuple(repr(constant) for constant in code.co_consts if not isinstance(constant, CodeType))
    return code.co_code, constants, code.co_names


def _run_in_processes(mutant: Mutant | None, tests: Sequence[str]) -> bool:
    """Whether the tests pass in a process that loads the changed module, as do all that it starts."""
    command = [sys.executable, "-m", "pytest", *QUIET, "-x", "-p", "no:randomly", *tests]
    environment = dict(os.environ)
    with tempfile.NamedTemporaryFile("w", suffix=".py") as code:
        if mutant is not None:
            module = mutant.file.removeprefix("src/").removesuffix(".py").replace("/", ".")
            code.write(ast.unparse(mutated(ROOT / mutant.file, mutant)))
            code.flush()
            environment |= {
                "PYTHONPATH": str(ROOT / "tools/mutant_process"),
                "FELTWORK_MUTANT_MODULE": module.removesuffix(".__init__"),
                "FELTWORK_MUTANT_PATH": str(ROOT / mutant.file),
                "FELTWORK_MUTANT_CODE": code.name,
            }
        run = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        try:
            return run.wait(_PROCESS_SECONDS) == pytest.ExitCode.OK
        except subprocess.TimeoutExpired:
            run.terminate()
            run.wait()
            return False


def try_in_processes(trials: Sequence[Trial], outcomes: Sequence[str]) -> list[str]:
    """What happens to each mutant that survived, with the tests that start processes."""
    tests = [f"tests/{name}" for name in _PROCESS_TESTS]
    if not _run_in_processes(None, tests):
        raise SystemExit("the tests that start processes fail without a change")
    every_outcome = []
    for trial, outcome in zip(trials, outcomes, strict=True):
        is_open = outcome not in ("killed", "timed out") and "/operations/" in trial.mutant.file
        is_killed = is_open and not _run_in_processes(trial.mutant, tests)
        if is_open:
            _report(f"{'killed in processes' if is_killed else 'survived'} {trial.mutant}")
        every_outcome.append("killed" if is_killed else outcome)
    return every_outcome


def try_all(trials: Sequence[Trial]) -> list[str]:
    """What happens to each mutant."""
    runner = MutantRunner(trials)
    files = dict.fromkeys(str(ROOT / test.partition("::")[0]) for trial in trials for test in trial.tests)
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
    parser.add_argument("--slice", metavar="FIRST:LAST", help="try a part of the chosen mutants only")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--processes-only", action="store_true")
    arguments = parser.parse_args()
    if arguments.at:
        files = dict.fromkeys(place.partition(":")[0] for place in arguments.at)
        every = [mutant for file in files for mutant in mutants(ROOT / file, file)]
        chosen = [mutant for mutant in every if f"{mutant.file}:{mutant.line}" in arguments.at]
    else:
        names = arguments.package or PACKAGES
        chosen = [mutant for name in names for mutant in sample(name, arguments.count, arguments.seed)]
    chosen = chosen[slice(*map(int, arguments.slice.split(":")))] if arguments.slice else chosen
    tests = {} if arguments.processes_only else recorded_tests(arguments.suite or SUITES)
    trials = [trial(mutant, tests, math.inf if arguments.at else _MORE) for mutant in chosen]
    outcomes = ["survived"] * len(trials) if arguments.processes_only else try_all(trials)
    outcomes = try_in_processes(trials, outcomes)
    if arguments.json:
        rows = [
            {**asdict(trial.mutant), "outcome": outcome}
            for trial, outcome in zip(trials, outcomes, strict=True)
        ]
        sys.stdout.write(json.dumps(rows, indent=1) + "\n")
    else:
        killed = sum(outcome in ("killed", "timed out") for outcome in outcomes)
        sys.stdout.write(f"{killed} of {len(trials)} killed\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
