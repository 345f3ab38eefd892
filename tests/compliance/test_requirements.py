"""The requirements: none is neither tested nor explained, and no test cites what does not exist."""

import re
from pathlib import Path

from feltwork.site.compliance.requirements import MARKS, REQUIREMENTS
from tools.compliance import GROUPS, OPEN, proofs

ROOT = Path(__file__).parent.parent.parent
CITED = re.compile(rf"\b(?:{'|'.join(GROUPS)})-\d\d\b")
#: Parts of the product that are not built yet, where an open row may wait.
PARTS = {"books", "bookkeeper", "wire", "table", "web", "release"}


def test_every_row_is_complete() -> None:
    for row in REQUIREMENTS.values():
        assert row.id.partition("-")[0] in GROUPS
        assert row.mark in MARKS
        assert row.source
        assert row.asks.endswith(".")


def test_rows_are_numbered_without_gaps() -> None:
    for prefix in GROUPS:
        numbers = [int(name.partition("-")[2]) for name in REQUIREMENTS if name.startswith(f"{prefix}-")]
        assert numbers == list(range(1, len(numbers) + 1))


def test_no_row_is_neither_tested_nor_explained() -> None:
    assert [row for row in REQUIREMENTS if row not in proofs() and row not in OPEN] == []


def test_an_open_row_exists_and_says_why_and_where() -> None:
    for name, open_ in OPEN.items():
        assert name in REQUIREMENTS
        assert open_.keys() == {"part", "why"}
        assert open_["part"] in PARTS
        assert open_["why"]


def test_no_test_cites_an_unknown_row() -> None:
    assert proofs().keys() - REQUIREMENTS.keys() == set()


def test_every_row_of_washington_and_the_letters_that_needs_no_database_is_tested() -> None:
    untested = [row for row in REQUIREMENTS if row not in proofs()]
    waiting = [row for row in untested if row.startswith(("WA-", "LT-"))]
    assert waiting == []


def test_no_code_cites_an_unknown_row() -> None:
    cited = {
        (file.name, name)
        for file in (ROOT / "src" / "feltwork").rglob("*")
        if file.suffix in (".py", ".toml")
        for name in CITED.findall(file.read_text(encoding="utf-8"))
    }
    assert {(file, name) for file, name in cited if name not in REQUIREMENTS} == set()
