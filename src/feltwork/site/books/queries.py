"""The SQL of the books: named blocks in the ``queries.sql`` of each subject, and of the reports."""

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

_BLOCK = re.compile(r"^-- name: (\w+)\n(.*?)(?=^-- name: |\Z)", re.DOTALL | re.MULTILINE)


@cache
def statement(name: str) -> bytes:
    """The text of a statement."""
    return _statements()[name]


@cache
def blocks(folder: str) -> dict[str, str]:
    """The named blocks of one folder's ``queries.sql``."""
    text = Path(str(files(__package__))).joinpath(folder, "queries.sql").read_text(encoding="utf-8")
    return {name: body.strip() for name, body in _BLOCK.findall(text)}


@cache
def _statements() -> dict[str, bytes]:
    subjects = ("audit", "awards", "floors", "journal", "links", "people", "records", "tables", "watch")
    pairs = [block for subject in subjects for block in blocks(subject).items()]
    statements = {name: text.encode() for name, text in pairs}
    assert len(statements) == len(pairs), "two statements have one name"
    return statements
