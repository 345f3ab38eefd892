"""Which part of the project holds each paragraph of the letters, read off the citations themselves."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from feltwork import sources
from feltwork.titles import registry
from feltwork.titles.worked_rounds import worked_rounds

SOURCE = Path(__file__).parent.parent / "src" / "feltwork"
REHEARSALS = Path(__file__).parent.parent / "examples" / "rehearsals"
_ON_GITHUB = "https://github.com/feltwork/feltwork/blob/main/examples/rehearsals"
#: Sections whose numbered paragraphs are procedures at a table.
PROCEDURES = (
    *("deal", "irregularities", "aquarius", "nexus", "link", "blazing_player", "blazing_upcard", "trilux"),
    *("dragon", "house_money", "bad_beat", "cover_all"),
)
TABLE_HEAD = ("| paragraph | kind | says | held by | rehearsed by |", "|---|---|---|---|---|")
#: What kind of holder proves a rule; telling it in words is enough for a procedure only.
PROOFS = ("function", "paytable", "round", "figures")


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """A place in the project that holds a paragraph."""

    kind: str
    name: str


def holders() -> dict[str, set[Holder]]:
    """Every cited paragraph and who cites it."""
    held: dict[str, set[Holder]] = defaultdict(set)
    for holder, text in _texts():
        for citation in sources.citations(text):
            held[citation].add(holder)
    return held


def procedures() -> list[str]:
    """The numbered paragraphs of dealing and progressive procedures."""
    return [
        known
        for known, paragraph in sources.paragraphs().items()
        if known.split(".")[1] in PROCEDURES and known.split(".")[2].isdecimal() and paragraph.kind != "table"
    ]


def rehearsals() -> dict[str, list[str]]:
    """Every rehearsed paragraph and the files that cite it; codes of requirements are not of a letter."""
    found: dict[str, list[str]] = defaultdict(list)
    for file in sorted(REHEARSALS.glob("*.toml")):
        cites = tomllib.loads(file.read_text(encoding="utf-8"))["cites"]
        for cited in sources.citations(" ".join(cites)):
            found[cited].append(file.stem)
    return found


def not_rehearsed() -> dict[str, str]:
    """Every procedure without a rehearsal, and why it has none."""
    text = Path(__file__).with_name("not_rehearsed.toml").read_text(encoding="utf-8")
    return {
        paragraph: group["why"]
        for group in tomllib.loads(text)["group"]
        for cited in group["paragraphs"]
        for paragraph in sources.expand(cited)
    }


def _texts() -> Iterator[tuple[Holder, str]]:
    for file in sorted(SOURCE.rglob("*.py")):
        yield from _docstrings(file)
    for name in registry.names():
        library = registry.library(name)
        for key in library:
            rows = library[key].rows
            yield Holder("paytable", library[key].name), " ".join(row.cites for row in rows)
        for worked in worked_rounds(name):
            yield Holder("round", f"{name}/{worked.file.removesuffix('.toml')}"), " ".join(worked.proves)
        printed = tomllib.loads(registry.folder(name).joinpath("printed.toml").read_text(encoding="utf-8"))
        for figure in printed["figure"]:
            yield Holder("figures", f"{name}/printed.toml"), figure["cites"]
        yield from _sections(name)


def _docstrings(file: Path) -> Iterator[tuple[Holder, str]]:
    module = ".".join(file.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
    if module == "sources":
        return
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            name = module if isinstance(node, ast.Module) else f"{module}.{node.name}"
            yield Holder("function", name), ast.get_docstring(node) or ""


def _sections(name: str) -> Iterator[tuple[Holder, str]]:
    """The sections of a title's rules, each under its heading."""
    text = registry.folder(name).joinpath("rules.md").read_text(encoding="utf-8")
    for section in re.split(r"^(?=#)", text, flags=re.MULTILINE):
        heading = section.partition("\n")[0].lstrip("# ")
        yield Holder("rules.md", f"{name}, {heading}"), section


def letters_page() -> str:
    """The page that maps every paragraph of every letter."""
    held, rehearsed = holders(), rehearsals()
    lines = [
        "# The letters, paragraph by paragraph",
        "",
        "Every numbered paragraph and every table of the five approval letters, told in our own words, with",
        "the part of the project that holds it: a function, a worked round, a paytable, the printed figures,",
        "or the section of a title's `rules.md` that tells a procedure, and the [rehearsals](rehearsals.md)",
        "that take it step by step. This page is generated from the citations in code and data by",
        "`tools/generate_docs.py`; a test refuses what nothing holds or no file rehearses.",
        "",
    ]
    for letter, group in groupby(sources.paragraphs().values(), key=lambda paragraph: paragraph.letter):
        lines += [f"## {letter.code}: {letter.name}", "", f"{letter}. {letter.encloses}", ""]
        for section, paragraphs in groupby(group, key=lambda paragraph: paragraph.section):
            lines += [f"### {letter.code}, {section}", "", *TABLE_HEAD]
            for paragraph in paragraphs:
                by = "<br>".join(f"{holder.kind} `{holder.name}`" for holder in sorted(held[paragraph.id]))
                steps = "<br>".join(f"[{name}]({_ON_GITHUB}/{name}.toml)" for name in rehearsed[paragraph.id])
                lines.append(f"| `{paragraph.id}` | {paragraph.kind} | {paragraph.says} | {by} | {steps} |")
            lines.append("")
    return "\n".join(lines)
