"""Change the code in small ways with mutmut, and see whether the tests notice as much as the baseline says.

    just mutants [PACKAGE...] [--record]

The baseline is tests/same/mutants.toml. The mutants of a package are those whose names have the smallest
digests, so that a change elsewhere leaves the choice as it is. Processes that tests start load the changed
code as well. All that was done stays in mutants/: `mutmut show NAME` prints a change that no test noticed.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parent.parent
_BASELINE = _ROOT / "tests/same/mutants.toml"
_TREE = _ROOT / "mutants"
#: mutmut: a test failed, pytest gave up, the time ran out.
_NOTICED = {1, 3, 24, 36, 152, 255, -24}


def names(package: str) -> list[str]:
    """Every mutant of a package that mutmut has made."""
    return [name for file in _results(package) for name in _codes(file)]


def chosen(every_name: list[str], count: int) -> list[str]:
    """As many as asked for, and the same of them whatever else there is."""
    return sorted(every_name, key=lambda name: sha256(name.encode()).digest())[:count]


def unnoticed(package: str, sample: list[str]) -> list[str]:
    """The mutants of a sample that no test noticed."""
    codes = {name: code for file in _results(package) for name, code in _codes(file).items()}
    return [name for name in sample if codes[name] not in _NOTICED]


def _results(package: str) -> list[Path]:
    place = _TREE / "src/feltwork" / package
    return sorted(place.rglob("*.meta")) if place.is_dir() else [place.with_name(f"{place.name}.meta")]


def _codes(file: Path) -> dict[str, int | None]:
    codes: dict[str, int | None] = json.loads(file.read_text())["exit_code_by_key"]
    return codes


def _try(package: str, tests: list[str], count: int) -> None:
    """Run mutmut on the sample of one package; in a process of its own, since it keeps what it has seen."""
    mutmut: Any = import_module("mutmut.__main__")
    # In the order of the files, so that the servers of a file start once.
    arguments = mutmut.PytestRunner._pytest_args_regular_run
    mutmut.PytestRunner._pytest_args_regular_run = lambda runner, tests: arguments(runner, sorted(tests))
    place = f"src/feltwork/{package}"
    mutmut.config().only_mutate = [place if package.endswith(".py") else f"{place}/*"]
    mutmut.config().pytest_add_cli_args_test_selection = tests
    mutmut.copy_src_dir()
    mutmut.create_mutants(2)
    mutmut._run(chosen(names(package), count), 2)


def main() -> int:
    """Try the packages that are named, or all; exit with 1 if tests notice less than the baseline."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    baseline: dict[str, dict[str, Any]] = tomllib.loads(_BASELINE.read_text(encoding="utf-8"))
    parser.add_argument("packages", nargs="*", choices=[*baseline, []])
    parser.add_argument("--record", action="store_true", help="write the baseline")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    packages = options.packages or list(baseline)
    if options.inside:
        _try(packages[0], baseline[packages[0]]["tests"], baseline[packages[0]]["sample"])
        return 0
    failed = False
    for package in packages:
        shutil.rmtree(_TREE, ignore_errors=True)
        # Python looks for it when it starts, and never again.
        (_TREE / "src").mkdir(parents=True)
        environment = {**os.environ, "PYTHONPATH": str(_TREE / "src")}
        command = [sys.executable, __file__, package, "--inside"]
        with (_TREE / "mutmut.log").open("w") as log:
            subprocess.run(
                command, cwd=_ROOT, env=environment, check=True, stdout=log, stderr=subprocess.STDOUT
            )
        sample = chosen(names(package), baseline[package]["sample"])
        survivors = unnoticed(package, sample)
        print(*survivors, sep="\n")
        noticed, least = len(sample) - len(survivors), baseline[package]["noticed"]
        print(f"{package}: {noticed} of {len(sample)} noticed; the baseline is {least}")
        failed |= noticed < least
        baseline[package]["noticed"] = noticed
        if options.record:
            _BASELINE.write_text(_text(baseline), encoding="utf-8")
    return 0 if options.record else failed


def _text(baseline: dict[str, dict[str, Any]]) -> str:
    head = "# Of so many mutants of a package, its tests notice so many: `just mutants --record`.\n"
    return head + "".join(
        f'\n["{name}"]\n' + "".join(f"{key} = {json.dumps(value)}\n" for key, value in package.items())
        for name, package in baseline.items()
    )


if __name__ == "__main__":
    sys.exit(main())
