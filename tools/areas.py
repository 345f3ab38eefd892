"""Print those of some test folders that a pull request must run; all of them on main and on the schedule.

BASE=COMMIT python -m tools.areas tests/books tests/operating
"""

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
AREAS = tomllib.loads((ROOT / ".github/areas.toml").read_text(encoding="utf-8"))
#: Every folder with tests.
FOLDERS = {path.parent.name for path in (ROOT / "tests").glob("*/test_*.py")}


def package(place: Sequence[str]) -> str:
    """The folder of src/feltwork that has a budget of its own: those of a site each have one."""
    return "/".join(place[: 2 if place[0] == "site" else 1])


def needed(changed: Iterable[str]) -> set[str]:
    """The test folders that a change of these files needs."""
    folders: set[str] = set()
    for path in changed:
        match path.split("/"):
            case ["src", "feltwork", *place] if (name := package(place)) in AREAS["src"]:
                folders.update(AREAS["src"][name])
            case ["tests", name, _, *_] if name in FOLDERS:
                folders.add(name)
            case [name, _, *_] if name in AREAS["beside"]:
                folders.update(AREAS["beside"][name])
            case _:
                return FOLDERS
    return folders


def main() -> int:
    """Compare the checkout with the commit that BASE names."""
    chosen = FOLDERS
    if base := os.environ.get("BASE"):
        command = ["git", "diff", "--name-only", f"{base}...HEAD"]
        listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
        chosen = needed(listed.stdout.splitlines())
    print(*(folder for folder in sys.argv[1:] if folder.removeprefix("tests/") in chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
