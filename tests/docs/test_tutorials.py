"""The tutorials run, and say what the commands say."""

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from feltwork.cli.main import application
from tests.docs.console import ROOT, commands

PRICE = "docs/tutorials/price_a_bet.md"
SIMULATE = "docs/tutorials/simulate.md"


def run(page: str, part: str) -> str:
    """What the commands of a part print."""
    printed = []
    for line in commands(page, part):
        _, *words = shlex.split(line)
        result = CliRunner().invoke(application(words[0]), words)
        assert result.exit_code == 0, f"{line}\n{result.output}"
        printed.append(result.output)
    return "\n".join(printed)


def told(page: str, part: str) -> list[str]:
    """The figures in the prose below a part: percentages with four digits after the point."""
    text = (ROOT / page).read_text(encoding="utf-8").partition(f"<!-- run: {part} -->")[2]
    prose = re.sub(r"^```console\n.*?^```", "", text, count=1, flags=re.M | re.S).partition("\n## ")[0]
    return re.findall(r"-?\d+\.\d{4}%", prose)


@pytest.mark.parametrize("part", ["price", "change", "goal", "luck", "keep"])
def test_a_bet_is_priced_by_the_page(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed = run(PRICE, part)
    for figure in set(told(PRICE, part)) - {"96.9394%"}:
        assert figure in printed, figure
    if part == "price":
        returns = re.findall(r"([\d.]+)% *$", printed.partition("House edge")[0], flags=re.M)
        assert abs(sum(map(float, returns)) - 96.9394) < 0.001
    if part == "luck":
        assert "A bank of 100 wagers is lost within 300 rounds" in printed


@pytest.mark.parametrize("part", ["game", "jackpot", "choice"])
def test_games_are_simulated_by_the_page(part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    printed = run(SIMULATE, part)
    if part == "game":
        match = re.search(r"base game: (-?[\d.]+)% of its wager, ± ([\d.]+)%", printed)
        assert match is not None, printed
        assert abs(float(match[1]) + 3.4189) < float(match[2])
    if part == "jackpot":
        assert "Mean jackpot" in printed
    if part == "choice":
        assert "best" in printed
