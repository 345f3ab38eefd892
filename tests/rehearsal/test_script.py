"""Rehearsal files: what is read, and how a wrong file is reported."""

import json
from pathlib import Path
from typing import Any

import pytest

from feltwork.problem import Problem, ProblemsError
from feltwork.rehearsal.script import read_script
from feltwork.rehearsal.step import KINDS

ROOT = Path(__file__).parents[2]
FLOOR = (ROOT / "examples" / "rehearsals" / "floors" / "crazy_4_nexus.toml").read_text(encoding="utf-8")
START = {"do": "start", "table": "C1", "by": "dana", "wagers": {"four-aces": [1, 2]}}


def problems(folder: Path, steps: Any = (START,), **changes: Any) -> list[Problem]:
    """What is wrong with a file that differs from a correct one."""
    (folder / "room.toml").write_text(FLOOR, encoding="utf-8")
    path = folder / "rehearsal.json"
    path.write_text(json.dumps({"floor": "room.toml", "steps": list(steps), **changes}), encoding="utf-8")
    try:
        read_script(path)
    except ProblemsError as error:
        return list(error.problems)
    return []


@pytest.mark.parametrize("path", sorted((ROOT / "examples" / "rehearsals").glob("*.toml")), ids=str)
def test_every_shipped_file_reads_and_names_what_it_shows(path: Path) -> None:
    script = read_script(path)
    assert script.cites
    assert script.steps
    assert all(step.expect is not None for step in script.steps)


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    assert problems(tmp_path, meters={"four-aces": {"jackpot": 12000.5}}) == []
    as_json = read_script(tmp_path / "rehearsal.json")
    toml = 'floor = "room.toml"\nmeters.four-aces.jackpot = 12000.50\n[[steps]]\ndo = "start"\ntable = "C1"\n'
    path = tmp_path / "rehearsal.toml"
    path.write_text(f'{toml}by = "dana"\nwagers = {{ four-aces = [1, 2] }}\n', encoding="utf-8")
    as_toml = read_script(path)
    assert as_toml.steps == as_json.steps
    assert as_toml.meters == as_json.meters == {"four-aces": {"jackpot": 12_000_500_000}}


@pytest.mark.parametrize(
    ("step", "what"),
    [
        ({"do": "shuffle"}, "There is no step 'shuffle'."),
        ({"table": "C1"}, "The key 'do' is missing."),
        ({"do": "end", "table": "C1"}, "The step 'end' needs the key 'by'."),
        ({**START, "seat": 1}, "The step 'start' has no key 'seat'."),
        ({**START, "wagers": [1, 2]}, "wagers: [1, 2] is not a table of links."),
        ({**START, "wagers": {"four-aces": [0]}}, "wagers: 0 is not a whole number of 1 or more."),
        ({**START, "by": []}, "by: [] names nobody."),
        ({"do": "controller", "table": "C1", "is": "broken"}, "A controller cannot be 'broken'."),
        ({"do": "count", "link": "a", "bank": "much", "by": "ann"}, "bank: 'much' is not a dollar amount."),
        ("start", "The step is not a table."),
        ({"do": "propose", "step": START, "as": "p"}, "Nobody proposes the step 'start'."),
        ({"do": "approve", "as": "p", "by": "bob"}, "No step before it proposes 'p'."),
    ],
)
def test_a_wrong_step_is_reported_with_its_number(tmp_path: Path, step: Any, what: str) -> None:
    (problem,) = problems(tmp_path, [START, step])
    assert problem.where.endswith("rehearsal.json, step 2")
    assert problem.what == what
    assert problem.remedy.endswith(".")


def test_every_problem_of_a_file_is_reported_at_once(tmp_path: Path) -> None:
    wrong = problems(tmp_path, [{"do": "x"}, {"do": "y"}], floor="nowhere.toml", tables=[], meters={"a": 1})
    assert [problem.where.rpartition("/")[2] for problem in wrong] == [
        "rehearsal.json",
        "rehearsal.json",
        "rehearsal.json, meters, a",
        "rehearsal.json, step 1",
        "rehearsal.json, step 2",
    ]


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"steps": []}'])
def test_a_file_that_is_no_rehearsal(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemsError):
        read_script(path)


def test_every_step_is_in_the_docs() -> None:
    page = (ROOT / "docs" / "rehearsals.md").read_text(encoding="utf-8")
    for name, kind in KINDS.items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{name}` |")]
        assert [key for key in kind.keys if f"`{key}`" not in row] == [], name


@pytest.mark.parametrize(
    ("meters", "where"),
    [
        ({"five-aces": {"jackpot": "1.00"}}, "rehearsal.json, meters, five-aces"),
        ({"four-aces": {"mega": "1.00"}}, "rehearsal.json, meters, four-aces, mega"),
    ],
)
def test_a_meter_that_the_floor_lacks(tmp_path: Path, meters: dict[str, dict[str, str]], where: str) -> None:
    (problem,) = problems(tmp_path, meters=meters)
    assert problem.where.endswith(where)
