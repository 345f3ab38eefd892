"""The programs of the library's page: what they print, their length, and their types."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.console import ROOT

PAGE = (ROOT / "docs/library.md").read_text(encoding="utf-8")
PROGRAM = re.compile(r"<!-- run: (\w+) -->\n```python\n(.*?)```\n\n```text\n(.*?)```\n", flags=re.S)
PROGRAMS = {name: (code, printed) for name, code, printed in PROGRAM.findall(PAGE)}


@pytest.mark.parametrize("name", ["settle", "settle_many", "odds", "advise", "simulate_meter"])
def test_a_program_of_the_library_page_prints_what_it_says(name: str) -> None:
    code, printed = PROGRAMS[name]
    assert len(code.splitlines()) <= 20
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert done.stdout == printed, done.stderr


@pytest.mark.whole
def test_the_programs_of_the_library_page_are_typed(tmp_path: Path) -> None:
    """As `tools/measure_install.py` does against an installed wheel."""
    for name, (code, _) in PROGRAMS.items():
        (tmp_path / f"program_{name}.py").write_text(code, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", str(tmp_path)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
