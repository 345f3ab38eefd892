"""The README runs: its Python as a doctest, its commands as commands."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
README = ROOT / "README.md"
COMMANDS = [
    line
    for block in re.findall(r"^```\n(.*?)^```", README.read_text(encoding="utf-8"), flags=re.M | re.S)
    for line in block.splitlines()
    if line.startswith("feltwork ")
]


def test_python_in_the_readme() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_command_in_the_readme(command: str) -> None:
    words = shlex.split(command)
    assert words[0] == "feltwork"
    answer = subprocess.run(
        [Path(sys.executable).with_name("feltwork"), *words[1:]], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout
