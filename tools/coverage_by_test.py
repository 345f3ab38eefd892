"""Which lines each test executes, and how long it takes: recorded once, kept in ``build/mutants``."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import coverage
import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("money.py", "ledger", "progressive", "compliance", "operations")
SUITES = ("compliance", "ledger", "progressive", "properties", "books", "web")
#: They take minutes, break their server, or look at texts and pages only.
_LEFT_OUT = {
    *("properties/test_histories.py", "books/test_kill.py", "books/test_tampering.py"),
    *("books/test_forgeries.py", "books/test_schema.py", "web/test_crawl.py", "web/test_openapi.py"),
    *("web/test_kills.py", "web/test_languages.py", "web/test_school.py", "web/test_states.py"),
    *("web/test_assets.py", "web/test_charts.py", "web/test_extension.py", "web/test_subject_router.py"),
}
#: Files of other suites that book deliveries in the process of the test.
_BESIDES = ("bookkeeper/test_batches.py", "bookkeeper/test_delivery_order.py", "bookkeeper/test_repeats.py")
_KEPT = ROOT / "build/mutants"


@dataclass(frozen=True, slots=True)
class Test:
    """How long a test takes, and the lines that it executes, by file."""

    seconds: float
    lines: Mapping[str, frozenset[int]]


def recorded_tests(suites: Sequence[str] = SUITES) -> dict[str, Test]:
    """Every test by name; a file of tests is recorded again after a change of it, or of the code."""
    files = _test_files(suites)
    stale = [file for file in files if _read(file)["digest"] != _digest(file)]
    if stale:
        subprocess.run([sys.executable, __file__, *map(str, stale)], check=True, cwd=ROOT)
    return {
        name: Test(record["seconds"], {path: frozenset(lines) for path, lines in record["lines"].items()})
        for file in files
        for name, record in _read(file)["tests"].items()
    }


def _kept(file: Path) -> Path:
    return _KEPT / f"{file.parent.name}-{file.stem}.json"


def _read(file: Path) -> dict[str, Any]:
    place = _kept(file)
    return json.loads(place.read_text()) if place.exists() else {"digest": "", "tests": {}}


def _python_files(package: str) -> list[Path]:
    place = ROOT / "src/feltwork" / package
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


@cache
def _code() -> bytes:
    return b"".join(file.read_bytes() for package in PACKAGES for file in _python_files(package))


def _digest(file: Path) -> str:
    """Of a file of tests and the code."""
    return hashlib.sha256(_code() + file.read_bytes()).hexdigest()


def _test_files(suites: Sequence[str]) -> list[Path]:
    files = [file for suite in suites for file in sorted((ROOT / "tests" / suite).rglob("test_*.py"))]
    chosen = [file for file in files if "/".join(file.parts[-2:]) not in _LEFT_OUT]
    return chosen + [ROOT / "tests" / name for name in _BESIDES]


class Recorder:
    """A plugin of pytest: every test is a context of the coverage."""

    def __init__(self) -> None:
        included = [str(file) for package in PACKAGES for file in _python_files(package)]
        self.cover = coverage.Coverage(data_file=None, config_file=False, include=included)
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.cover.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.seconds[report.nodeid] = round(report.duration, 3)
        if report.failed:
            self.failed.add(report.nodeid)

    def lines(self) -> dict[str, dict[str, list[int]]]:
        """Executed lines by test and file; a test that fails is left out."""
        data = self.cover.get_data()
        lines_by_test: dict[str, dict[str, list[int]]] = {
            test: {} for test in self.seconds if test not in self.failed
        }
        for file in data.measured_files():
            name = str(Path(file).relative_to(ROOT))
            for line, tests in sorted(data.contexts_by_lineno(file).items()):
                for test in lines_by_test.keys() & set(tests):
                    lines_by_test[test].setdefault(name, []).append(line)
        return lines_by_test


def record(*files: str) -> None:
    """Run these files of tests, and keep what each test executes."""
    recorder = Recorder()
    with recorder.cover.collect():
        pytest.main(["-p", "no:randomly", "-m", "not whole", *files], plugins=[recorder])
    _KEPT.mkdir(parents=True, exist_ok=True)
    lines = recorder.lines()
    for file in map(Path, files):
        prefix = f"{file.relative_to(ROOT)}::"
        tests = {
            name: {"seconds": recorder.seconds[name], "lines": lines_by_file}
            for name, lines_by_file in lines.items()
            if name.startswith(prefix)
        }
        _kept(file).write_text(json.dumps({"digest": _digest(file), "tests": tests}))


if __name__ == "__main__":
    record(*sys.argv[1:])
