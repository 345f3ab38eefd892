"""The counts that come with the package: current, and enough to price every shipped paytable at once."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from feltwork.cli.odds.certify import shipped
from feltwork.odds import count_cache
from feltwork.odds.figures import shipped_reports
from feltwork.odds.report import base_report, bet_reports
from feltwork.odds.shoe_removals import DRAWN
from feltwork.odds.title_odds import odds_of
from feltwork.titles import registry
from tests.support.commands import run
from tools import ship_reports


def test_nothing_that_ships_is_counted_on_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a change of rules, hands or kernels: `python -m tools.ship_counts`."""
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path))
    for paytable in shipped():
        bet_reports(paytable, {})
    for title in registry.own_names():
        if odds_of(title).base_game:
            base_report(title, {})
    assert list(tmp_path.iterdir()) == []


def test_the_key_follows_the_code_that_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plug-in whose counts use one of its two modules, and what that module imports."""
    package = tmp_path / "counted_title"
    package.mkdir()
    for name, text in {
        "__init__": "VERSION = 1\n",
        "rules": "ROWS = 1\n",
        "counts": "from counted_title import rules\n",
        "words": "TEXT = ''\n",
    }.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def key() -> str:
        count_cache.counting_key.cache_clear()
        count_cache._source.cache_clear()
        return count_cache.counting_key(("counted_title.counts",))

    before = key()
    (package / "words.py").write_text("TEXT = 'other'\n", encoding="utf-8")
    (package / "__init__.py").write_text("VERSION = 2\n", encoding="utf-8")
    assert key() == before
    (package / "rules.py").write_text("ROWS = 2\n", encoding="utf-8")
    assert key() != before
    count_cache.counting_key.cache_clear()


def test_the_key_imports_nothing() -> None:
    """Neither a kernel, which loads a compiler for a second, nor the package around it."""
    code = (
        "import sys; from feltwork.odds.count_cache import counting_key;"
        "counting_key(('feltwork.odds.titles.caribbean_stud.raise_counts',));"
        "sys.exit('numba' in sys.modules or 'feltwork.odds.titles' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("advise", "crazy_4", "As Ad 9c 5h 2s"),
        ("advise", "caribbean_stud", "As Kd Qc 7h 2s", "--sees", "dealer=7c"),
        ("advise", "caribbean_stud", "As Kd Qc 7h 2s", "--sees", "dealer=7c", "--sees", "exposed=7d 7s"),
        ("advise", "holdem_bonus", "As Kd"),
        ("advise", "blackjack", "Ah 6c", "--sees", "dealer=6d"),
        ("odds", "crazy_4"),
    ],
)
def test_kept_counts_answer_without_numpy(words: tuple[str, ...]) -> None:
    """numpy takes a tenth of a second to load, and the compiler of kernels half a second."""
    code = (
        "import sys; from feltwork.cli.main import main\n"
        f"sys.argv = {['feltwork', *words]}\n"
        "try: main()\n"
        "except SystemExit as ended: assert not ended.code, ended\n"
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_kept_array_is_read_without_numpy() -> None:
    of = ("feltwork.odds.titles.holdem_bonus.counts",)
    (whole,) = count_cache.kept_arrays("holdem_bonus", dict, of=of).values()
    view = count_cache.kept_view("holdem_bonus", "outcomes", dict, of=of)
    assert view.tolist() == whole.tolist()
    assert view[168, 1, 1, 5] == whole[168, 1, 1, 5] > 0


def test_odds_answer_at_once_in_a_new_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path / "new"))
    answer = run("odds", "crazy_4")
    assert "House edge: 3.4189%" in answer.stdout
    assert not (tmp_path / "new").exists()


def test_the_shipped_reports_are_what_the_code_computes() -> None:
    is_current = shipped_reports.FILE.read_text(encoding="utf-8") == ship_reports.text()
    assert is_current, "the shipped reports are older than the modules under them: run `just ship-reports`"


def test_a_shipped_report_is_read_as_it_was_computed() -> None:
    for title, computed in ship_reports.reports().items():
        for report in computed:
            if report.name.endswith("/base"):
                assert shipped_reports.base_report(title, report.options) == report
            else:
                paytable = registry.paytable(*report.name.split("/"))
                assert shipped_reports.bet_report(paytable, report.options) == report


def test_changed_code_and_other_pays_are_computed_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cached = json.loads(shipped_reports.FILE.read_text(encoding="utf-8"))
    cached["trilux"]["reports"][0]["method"] = "read from the file"
    file = tmp_path / "reports.json"
    monkeypatch.setattr(shipped_reports, "FILE", file)
    paytable = registry.paytable("trilux", "jackpot", "6")
    drafted = replace(paytable, rows=paytable.rows[:-1])
    for digest, method in ((cached["trilux"]["digest"], "read from the file"), ("another", DRAWN)):
        cached["trilux"]["digest"] = digest
        file.write_text(json.dumps(cached), encoding="utf-8")
        shipped_reports._entries.cache_clear()
        assert shipped_reports.bet_report(paytable, {}).method == method
        assert shipped_reports.bet_report(drafted, {}).method == DRAWN
    shipped_reports._entries.cache_clear()


def test_the_shipped_lists_of_imports_are_current() -> None:
    """A list that is not only makes a command slower: `python -m tools.ship_reports`."""
    imports_by_title = count_cache._shipped_imports()
    assert len(imports_by_title) >= 10
    for of, modules in imports_by_title.items():
        assert modules == count_cache.reached_by(tuple(of.split())), of


def test_counts_of_changed_code_are_not_those_that_are_shipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FELTWORK_CACHE", str(tmp_path))
    of = ("feltwork.odds.atoms", "feltwork.titles.jackpots.trilux")
    assert count_cache._file("trilux-6", of, "json").parent == count_cache.SHIPPED
    changed = {"feltwork.titles.jackpots.trilux.rules": b"ROWS = 1\n"}
    source = count_cache._source
    monkeypatch.setattr(count_cache, "_source", lambda module: changed.get(module) or source(module))
    count_cache.counting_key.cache_clear()
    assert count_cache._file("trilux-6", of, "json").parent == tmp_path
    count_cache.counting_key.cache_clear()
