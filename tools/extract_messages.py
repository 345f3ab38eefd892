"""Writes the message template of the screens and documents, or checks that it is fresh."""

import argparse
import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.compliance.roles import COMMANDS, ROLES
from feltwork.odds.what_if.figure_labels import LABELS
from feltwork.operations.awards.awards import Form
from feltwork.operations.reports.reports import REPORTS
from feltwork.progressive.fact_serializer import KINDS
from feltwork.progressive.life_cycle import Cause
from feltwork.progressive.round import Phase
from feltwork.progressive.state import Life, Status
from feltwork.web.rendering.catalog import LOCALE, REGISTRIES
from feltwork.web.rendering.templating import words

TEMPLATE = LOCALE / "feltwork.pot"
_METHODS = [("**.py", "python"), ("**.html", "jinja2"), ("**.js", "javascript")]
_OPTIONS = {"**.html": {"trimmed": "true", "trim_blocks": "true", "lstrip_blocks": "true", "silent": "false"}}
_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "t": None}


def registered() -> Iterator[str]:
    """Texts that screens show from registries of other packages: reports, roles, facts, figures, states."""
    for report in REPORTS.values():
        yield from (report.title, report.says)
        yield from (column.name.replace("_", " ") for column in report.columns)
    for role in ROLES.values():
        yield from (role.id.replace("_", " "), role.says, role.department.replace("_", " "))
    yield from (command.says for command in COMMANDS.values())
    yield from map(words, KINDS)
    yield from LABELS.values()
    for values in map(get_args, (Cause, Form, Life, Phase, Status)):
        yield from (value.replace("_", " ") for value in values)


def catalog() -> Catalog:
    """Every message of the web package and of the registries it shows."""
    # A fixed date: the file changes only when a message does.
    made = Catalog(
        header_comment="# Text of the screens and printed documents of Feltwork.",
        project="Feltwork",
        version="0",
        creation_date=datetime(2026, 1, 1, tzinfo=UTC),
        fuzzy=False,
    )
    found = extract_from_dir(str(LOCALE.parent), _METHODS, _OPTIONS, keywords=_KEYWORDS)
    for file, _, message, comments, context in sorted(found, key=lambda row: row[:2]):
        if "vendor" not in file:
            made.add(message, None, [(file, 0)], auto_comments=comments, context=context)
    for text in registered():
        made.add(text, None, [(REGISTRIES, 0)])
    return made


def text() -> str:
    """The message template as a file."""
    out = io.BytesIO()
    write_po(out, catalog(), width=110, include_lineno=False)
    lines = out.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if "Generated-By" not in line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if the template is stale")
    if parser.parse_args().check:
        return int(TEMPLATE.read_text(encoding="utf-8") != text())
    TEMPLATE.write_text(text(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
