"""Sample sentences that people read: screens, documentation, errors and docstrings, with their locations."""

import argparse
import ast
import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "feltwork"
PER_KIND = 10
#: Tracked pages that are generated from the other kinds.
GENERATED = ("compliance.md", "floor_file.md", "gallery.md", "names.md", "sentences.md", "verdicts.md")
#: The least words of a sentence.
LEAST_WORDS = 5
#: Calls whose arguments are error texts.
ERRORS = ("Problem", "refuse", "unknown", "RefusedError", "FieldError", "DoctorCheck", "Finding")


@dataclass(frozen=True, slots=True, order=True)
class Sentence:
    """One sentence and where it is."""

    location: str
    text: str


def docstrings() -> Iterator[Sentence]:
    """The first sentence of every docstring."""
    for file, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                if text:
                    yield from _sentences(file, getattr(node, "lineno", 1), text)


def errors() -> Iterator[Sentence]:
    """The texts of problems and refusals; an ellipsis stands for a value."""
    for file, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS:
                for argument in node.args:
                    if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                        yield from _sentences(file, argument.lineno, argument.value)
                    elif isinstance(argument, ast.JoinedStr):
                        parts = (getattr(part, "value", "") for part in argument.values)
                        text = "".join(part if isinstance(part, str) else "…" for part in parts)
                        yield from _sentences(file, argument.lineno, text)


def screens() -> Iterator[Sentence]:
    """The translatable texts of templates; an ellipsis stands for a value."""
    text = re.compile(r'\b_\("([^"]+)"|{%-? trans\b[^%]*%}(.*?){%-? endtrans', re.S)
    for file in sorted(SOURCE.rglob("*.html")):
        content = file.read_text(encoding="utf-8")
        for match in text.finditer(content):
            number = content.count("\n", 0, match.start()) + 1
            words = re.sub(r"{{.*?}}|%\(\w+\)s", "…", match[1] or match[2])
            yield from _sentences(file, number, re.sub(r"<[^>]*>|{%.*?%}", " ", words))


def pages() -> Iterator[Sentence]:
    """The sentences of the documentation, without tables, lists of names and code."""
    for file in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]):
        text = file.read_text(encoding="utf-8")
        if file.name in GENERATED or "tools/generate_docs.py" in text[:900]:
            continue
        if {"titles", "reference", "_build"} & set(file.parts) or file.name == "letters.md":
            continue
        text = re.sub(r"```.*?```", lambda block: "\n" * block[0].count("\n"), text, flags=re.S)
        number = 1
        for paragraph in re.split(r"(\n\s*\n)", text):
            if not re.match(r"\s*(\||#|:|<|!|- |\Z)", paragraph) and "\n: " not in paragraph:
                yield from _sentences(file, number, paragraph)
            number += paragraph.count("\n")


@cache
def _modules() -> list[tuple[Path, ast.Module]]:
    return [(file, ast.parse(file.read_text(encoding="utf-8"))) for file in sorted(SOURCE.rglob("*.py"))]


def _sentences(file: Path, number: int, text: str) -> Iterator[Sentence]:
    location = f"{file.relative_to(ROOT).as_posix()}:{number}"
    for sentence in re.split(r"(?<=[.!?])\s+", " ".join(text.split())):
        if len(sentence.split()) >= LEAST_WORDS:
            yield Sentence(location, sentence)


@cache
def _all() -> dict[str, list[Sentence]]:
    kinds = {"Screens": screens, "Documentation": pages, "Errors": errors, "Docstrings": docstrings}
    return {name: sorted(set(read())) for name, read in kinds.items()}


def sample(seed: int, per_kind: int = PER_KIND) -> dict[str, list[Sentence]]:
    """Draw sentences of each kind."""
    dice = random.Random(seed)
    return {name: sorted(dice.sample(sentences, per_kind)) for name, sentences in _all().items()}


def page(seed: int) -> str:
    """The documentation page."""
    lines = [
        "# Forty sentences",
        "",
        f"A random sample (`python tools/sample_sentences.py --seed {seed}`), for review: would a pit",
        "manager or an engineer say it this way? Rewrite a sentence at its source, then sample again.",
    ]
    for kind, sentences in sample(seed).items():
        lines += ["", f"## {kind}", "", "| sentence | location |", "|---|---|"]
        lines += [
            f"| {sentence.text.replace('|', chr(92) + '|')} | `{sentence.location}` |"
            for sentence in sentences
        ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--print", action="store_true", help="print the page instead of writing it")
    arguments = parser.parse_args()
    text = page(arguments.seed)
    if arguments.print:
        sys.stdout.write(text)
    else:
        (ROOT / "docs" / "sentences.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
