"""The record of an evening notices a field of a page."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from feltwork.rehearsal.script import read_script
from feltwork.site.web.screens.rules import page as rule_page
from tools.same import record
from tools.same.evening import FOLDER, play

ASKED = {"people": ["otto"], "pages": ["/rules/LT-03"], "explanations": {}}
PAGE = "evening/pages//rules/LT-03 "


def differing(folder: Path) -> list[str]:
    """The fields of the page, after the first two steps, that are not as recorded."""
    script = read_script(FOLDER / "evening.toml")
    shown = record.run("evening", lambda: play(replace(script, steps=script.steps[:2]), ASKED), folder).lines
    recorded = record.read("evening")
    assert any(place.startswith(PAGE) for place in shown)
    return [place for place, value in shown.items() if place.startswith(PAGE) and value != recorded[place]]


def test_a_field_of_a_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert differing(tmp_path) == []
    monkeypatch.setattr(rule_page, "MARKS", defaultdict(lambda: "hearsay"))
    assert differing(tmp_path) == [f"{PAGE}evidence"]
