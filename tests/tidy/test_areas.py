"""A pull request runs the tests of the areas that it changes, and no area is forgotten."""

import subprocess
import sys
from pathlib import Path

from tools.areas import AREAS, FOLDERS, needed, package

ROOT = Path(__file__).parent.parent.parent


def test_every_folder_has_its_area() -> None:
    packages = {
        package(path.relative_to(ROOT / "src/feltwork").parts) for path in ROOT.glob("src/feltwork/**/*.py")
    }
    assert sorted([*AREAS["all"], *AREAS["src"]]) == sorted(packages)
    named = {folder for area in (*AREAS["src"].values(), *AREAS["beside"].values()) for folder in area}
    assert named - FOLDERS == set()
    # Its only user is in `all`.
    assert FOLDERS - named == {"ledger", "paytables"}
    assert all((ROOT / name).is_dir() for name in AREAS["beside"])


def test_a_change_runs_its_area_and_a_change_of_anything_else_runs_all() -> None:
    assert needed(["src/feltwork/site/school/course.py", "tests/odds/test_play.py"]) == {
        *("browser", "odds", "school", "web")
    }
    assert needed(["docs/books.md"]) == {"docs", "tidy"}
    for path in ("src/feltwork/money.py", "tests/support/files.py", "uv.lock", "README.md"):
        assert needed(["docs/books.md", path]) == FOLDERS


def test_a_job_runs_those_of_its_folders_that_the_change_needs() -> None:
    command = [sys.executable, "-m", "tools.areas", "tests/books", "tests/web"]
    for base, printed in (("", "tests/books tests/web\n"), ("HEAD", "\n")):
        assert subprocess.check_output(command, cwd=ROOT, env={"BASE": base}, text=True) == printed
