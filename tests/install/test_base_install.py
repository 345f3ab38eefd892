"""The base installation: small, quick to import, and clear about what it leaves out."""

import json
import subprocess
from pathlib import Path

import pytest

from tools import measure_install


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel of this checkout, and no extra."""
    return measure_install.install(tmp_path_factory.mktemp("base"))


@pytest.fixture(autouse=True)
def no_counts_of_other_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path / "counts"))


def run(fresh: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [str(fresh.with_name("feltwork")), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_base_installation_is_small_and_imported_at_once(fresh: Path) -> None:
    """With its dependencies under 30 MB, in 50 ms; docs/results.md has the figures."""
    assert measure_install.size(fresh) < measure_install.MOST_BYTES
    assert measure_install.import_seconds(fresh) < measure_install.MOST_SECONDS


def test_the_base_installation_has_the_odds_of_every_released_paytable(fresh: Path) -> None:
    code = (
        "import feltwork; from feltwork.titles import registry\n"
        "for title in registry.own_names():\n"
        "    for bet, identifier in registry.library(title):\n"
        "        assert feltwork.odds(title, bet, identifier).lines, (title, bet, identifier)\n"
        "print(feltwork.odds('crazy_4').figures['house edge'])\n"
    )
    result = subprocess.run([str(fresh), "-c", code], capture_output=True, text=True, check=False)
    assert result.stdout == "264142729/7726058340\n", result.stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        (("up",), "site"),
        (("audit",), "site"),
        (("demo",), "demo"),
        (("advise", "blackjack", "As 7d", "--sees", "dealer=9h", "--option", "decks=2"), "odds"),
        (("odds", "blackjack", "--option", "decks=2"), "odds"),
    ],
)
def test_a_command_names_the_extra_that_it_needs(fresh: Path, words: tuple[str, ...], extra: str) -> None:
    result = run(fresh, *words)
    assert result.returncode == 2
    assert f"pip install 'feltwork[{extra}]'" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "best"),
    [
        (("crazy_4", "As Kd 4c 7h 2s"), "1x"),
        (("crazy_4", "As Kd 4c 7h 2s", "--sees", "exposed=Kc Kh"), "1x"),
        (("six_five_four", "9s 9d 4c 7h 2s", "--sees", "dealer=8h"), "play"),
        (("caribbean_stud", "As Kd 4c 7h 2s", "--sees", "dealer=9h"), "fold"),
        (("blackjack", "As 7d", "--sees", "dealer=9h"), "hit"),
        (("holdem_bonus", "As 7d"), "bet"),
    ],
)
def test_the_base_installation_advises_every_game(fresh: Path, words: tuple[str, ...], best: str) -> None:
    result = run(fresh, "advise", *words, "--json")
    assert json.loads(result.stdout)["best"] == best, result.stderr


@pytest.mark.whole
def test_the_programs_of_the_library_page_run_and_are_typed(tmp_path: Path) -> None:
    """With the extra `odds`, against the installed package: a minute for mypy."""
    measure_install.check_programs(measure_install.install(tmp_path), tmp_path)
