"""The approval letters that the rules cite, paragraph by paragraph.

A citation such as ``C4.deal.6.b.ii`` names a letter, a section and a paragraph. In text it is in square
brackets; ``C4.{aquarius,nexus}.9.a`` cites both sections, ``C4.irregularities.2.*`` all paragraphs below one.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from itertools import product

_CITATION = re.compile(r"\b(?:C4|DB|TH|HM|SF)\.[a-z_{][\w.{},*-]*[\w}*]")
_BRACES = re.compile(r"\{([^}]*)\}")


@dataclass(frozen=True, slots=True)
class Letter:
    """An approval letter."""

    code: str
    name: str
    submission: str
    date: date
    encloses: str

    def __str__(self) -> str:
        return f"{self.submission} of {self.date.isoformat()}, {self.name}"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or table of a letter: our summary, and the words that a verdict depends on."""

    id: str
    letter: Letter
    section: str
    kind: str
    says: str
    quote: str = ""

    def __str__(self) -> str:
        place = self.id.split(".", 2)[2]
        return f"{self.letter}, {self.section}, {place}"


@cache
def paragraphs() -> dict[str, Paragraph]:
    """Return every paragraph of every letter by id."""
    return {paragraph.id: paragraph for paragraph in _read()}


def letters() -> dict[str, Letter]:
    """Return the letters by code."""
    return {paragraph.letter.code: paragraph.letter for paragraph in paragraphs().values()}


def citations(text: str) -> list[str]:
    """Return the paragraphs a text cites, with braces and stars expanded."""
    return [known for written in _CITATION.findall(text) for known in expand(written)]


def expand(citation: str) -> list[str]:
    """Expand the braces and the star of a citation."""
    choices = [part.split(",") if place % 2 else [part] for place, part in enumerate(_BRACES.split(citation))]
    spelled = ["".join(parts) for parts in product(*choices)]
    return [known for name in spelled for known in (_below(name[:-1]) if name.endswith(".*") else [name])]


def _below(prefix: str) -> list[str]:
    return [known for known in paragraphs() if known.startswith(prefix)] or [f"{prefix}*"]


def _read() -> Iterator[Paragraph]:
    for file in sorted(files(__name__).iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".toml"):
            continue
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        letter = Letter(data["code"], data["name"], data["submission"], data["date"], data["encloses"])
        for section in data["section"]:
            for entry in section["paragraph"]:
                identifier = f"{letter.code}.{section['code']}.{entry['id']}"
                words = entry["says"], entry.get("quote", "")
                yield Paragraph(identifier, letter, section["title"], entry["kind"], *words)
