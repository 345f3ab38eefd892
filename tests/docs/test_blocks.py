"""Every command and every piece of Python in the documentation is run by a test, or says why it is not."""

import re
from pathlib import Path

import pytest

from tests.docs.console import ROOT, tracked_files

PAGES = [file for file in tracked_files() if file.suffix == ".md" and (ROOT / "docs") in file.parents]
TESTS = [
    path.read_text(encoding="utf-8")
    for path in (*sorted((ROOT / "tests").rglob("test_*.py")), ROOT / "tools" / "install_test.py")
]
GUIDES = (ROOT / "tests" / "docs" / "test_developer_guides.py").read_text(encoding="utf-8")
BLOCK = re.compile(r"(?:^ *(?P<mark><!-- [^\n]* -->)\n)?^ *```(?:console|python|bash|sh)\n", flags=re.M)


def marks(page: Path) -> list[str]:
    return [match["mark"] or "" for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize(
    ("page", "mark"),
    [(page.relative_to(ROOT).as_posix(), mark) for page in PAGES for mark in marks(page)],
)
def test_a_block_is_run_or_says_why_not(page: str, mark: str) -> None:
    if re.fullmatch(r"<!-- not run: .{20,} -->", mark):
        return
    if mark.startswith("<!-- add: "):
        assert f'"{Path(page).stem}"' in GUIDES, f"no test applies {page}"
        return
    part = re.fullmatch(r"<!-- run: (\w+) -->", mark)
    assert part is not None, f"{page}: a block says neither which test runs it nor why none does"
    names = (f'"{page}"', f'"{Path(page).stem}"')
    runs = [text for text in TESTS if any(name in text for name in names) and f'"{part[1]}"' in text]
    assert runs, f"nobody runs {page}: {part[1]}"


def test_there_are_blocks() -> None:
    assert sum(len(marks(page)) for page in PAGES) > 10
