"""What `just same` cannot compare in minutes: histories, planted bugs, mutants, marks, and speed.

    uv run python -m tools.same.nightly BASE [PART...]

BASE is the commit before the issue. Speed is that of seven alternating pairs of runs, in a checkout of BASE
and here: the median of the ratios is at least 0.95.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

_REPOSITORY = Path(__file__).parents[2]
_BASE = _REPOSITORY / "build/same/base"
_PAIRS, _LEAST = 7, 0.95
_TESTS: Mapping[str, list[str]] = {
    "histories": ["tests/properties/test_histories.py"],
    "planted bugs": ["tests/lab/test_card_room.py", "tests/lab/test_compared.py"],
    "marks": ["tests/docs/test_letters.py", "tests/tidy"],
}


def _books(printed: str) -> dict[str, float]:
    rates = json.loads(printed)["wagers_per_second"]
    return {name: rates[name] for name in ("book_rounds", "with_ends")}


def _wire(printed: str) -> dict[str, float]:
    figures = json.loads(printed)
    return {"wire": figures["wagers_per_second"], "wire with ends": figures["with_ends"]["wagers_per_second"]}


def _settle(printed: str) -> dict[str, float]:
    rates = re.findall(r"(\w+): ([\d,]+) rounds a second", printed)
    return {f"settle {game}": float(rate.replace(",", "")) for game, rate in rates}


_BENCHES: Mapping[str, Callable[[str], dict[str, float]]] = {
    "bench/books.py --quick --json": _books,
    "bench/wire.py --quick --json": _wire,
    "bench/settle_many.py": _settle,
}


def speed(base: str) -> bool:
    """Run each benchmark in turn in both checkouts; print the median ratio of each figure."""
    subprocess.run(
        ["git", "worktree", "add", "--force", "--detach", _BASE, base], cwd=_REPOSITORY, check=True
    )
    try:
        subprocess.run(["uv", "sync", "--locked", "--quiet"], cwd=_BASE, check=True)
        ratios: dict[str, list[float]] = {}
        for bench, read in _BENCHES.items():
            for _ in range(_PAIRS):
                before, now = (read(_output(checkout, bench)) for checkout in (_BASE, _REPOSITORY))
                for name, rate in now.items():
                    ratios.setdefault(name, []).append(rate / before[name])
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", _BASE], cwd=_REPOSITORY, check=True)
    medians = {name: statistics.median(each) for name, each in ratios.items()}
    for name, median in medians.items():
        print(f"{name}: {median:.3f} of {base}" + ("" if median >= _LEAST else f", less than {_LEAST}"))
    return all(median >= _LEAST for median in medians.values())


def _output(checkout: Path, command: str) -> str:
    python = checkout / ".venv/bin/python"
    process = subprocess.run(
        [python, *command.split()], cwd=checkout, check=True, capture_output=True, text=True
    )
    return process.stdout


def _pytest(*tests: str) -> bool:
    environment = {**os.environ, "FELTWORK_NIGHTLY": "1", "FELTWORK_HISTORIES": "5000"}
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--timeout", "7200", *tests]
    return subprocess.run(command, cwd=_REPOSITORY, env=environment, check=False).returncode == 0


def _mutants() -> bool:
    command = ["uv", "run", "--locked", "--group", "mutants", "python", "tools/mutants.py"]
    return subprocess.run(command, cwd=_REPOSITORY, check=False).returncode == 0


def main() -> int:
    """Run the parts that are named, or all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("base", help="the commit before the issue")
    parser.add_argument("parts", nargs="*", choices=[*_TESTS, "mutants", "speed", []])
    options = parser.parse_args()
    parts: dict[str, Callable[[], bool]] = {
        **{name: partial(_pytest, *tests) for name, tests in _TESTS.items()},
        "mutants": _mutants,
        "speed": partial(speed, options.base),
    }
    failed = [name for name in options.parts or parts if not parts[name]()]
    print(f"failed: {', '.join(failed)}" if failed else "the same")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
