"""Released paytables never change."""

import shutil
import subprocess
from pathlib import Path

import pytest

from feltwork.titles import paytable_lock

LOCK = Path(paytable_lock.__file__).with_name(paytable_lock.FILE)


def test_every_paytable_is_locked_and_unchanged() -> None:
    assert paytable_lock.problems() == []


def test_no_released_line_was_ever_taken_out() -> None:
    """The whole history of the lock file only adds lines."""
    git = shutil.which("git")
    assert git, "the history is read with git"
    log = subprocess.run(
        [git, "log", "-p", "--format=", "--", LOCK.name],
        cwd=LOCK.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    assert [
        line for line in log.stdout.splitlines() if line.startswith("-") and not line.startswith("---")
    ] == []


def test_a_changed_paytable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    present = paytable_lock.fingerprints()
    monkeypatch.setattr(
        paytable_lock, "fingerprints", lambda: {**present, "crazy_4/queens_up/C4P-09": "0" * 64}
    )
    (problem,) = paytable_lock.problems()
    assert problem.where == "crazy_4/queens_up/C4P-09"
    assert "changed" in problem.what
