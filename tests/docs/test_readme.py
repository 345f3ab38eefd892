"""The README runs: its Python as a doctest, its commands as commands."""

import doctest
import re
import shlex

import pytest

from feltwork.cli import main as cli
from tests.docs.console import ROOT, commands
from tests.support.commands import run

README = ROOT / "README.md"
#: The kind of each block and its lines.
BLOCKS = [
    (kind, block.splitlines())
    for kind, block in re.findall(
        r"^```(\w*)\n(.*?)^```$", README.read_text(encoding="utf-8"), flags=re.M | re.S
    )
]
COMMANDS = [line for kind, lines in BLOCKS if not kind for line in lines]
#: Run by the test of the demo, in a fresh environment.
IN_A_FRESH_ENVIRONMENT = commands("README.md", "start")


def test_every_command_of_the_readme_is_run() -> None:
    text = README.read_text(encoding="utf-8")
    lines = [line.removeprefix("$ ") for kind, lines in BLOCKS if kind != "python" for line in lines]
    assert sorted(lines) == sorted([*COMMANDS, *IN_A_FRESH_ENVIRONMENT])
    names = {line.split()[1] for line in re.findall(r"`(feltwork [a-z][^`]*)`", text)}
    assert len(names) > 5
    assert names <= cli.COMMANDS.keys()


def test_everything_that_the_readme_shows_is_there() -> None:
    paths = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_python_in_the_readme() -> None:
    results = doctest.testfile(str(README), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_command_in_the_readme(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(command)
    assert words[0] == "feltwork"
    monkeypatch.chdir(ROOT)
    answer = run(*words[1:])
    assert answer.returncode == 0, answer.stderr
    assert answer.stdout
