"""The programs of the library's page: what they print, and their length."""

import subprocess
import sys

import pytest

from tools.measure_install import programs

PROGRAMS = programs("docs/library.md")


@pytest.mark.parametrize("name", ["settle", "settle_many", "odds", "advise", "simulate_meter"])
def test_a_program_of_the_library_page_prints_what_it_says(name: str) -> None:
    code, printed = PROGRAMS[name]
    assert len(code.splitlines()) <= 20
    result = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert result.stdout == printed, result.stderr
