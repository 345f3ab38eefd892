"""Writes the message template and brings the translations up to date, or checks that they are."""

import argparse
import ast
import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).parent.parent))

from feltwork.odds.returns import house_options
from feltwork.odds.what_if.figure_labels import LABELS
from feltwork.site.books.awards.awards import Form
from feltwork.site.books.links.signs import FOLDED_HANDS, NO_WAGERS
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.compliance.roles import APART, COMMANDS, NEVER_BOTH, ROLES, SEPARATE
from feltwork.site.progressive.fact_serializer import KINDS
from feltwork.site.progressive.life_cycle import Cause
from feltwork.site.progressive.link import DISCLOSURES
from feltwork.site.progressive.round import CONTROLS, Phase
from feltwork.site.progressive.state import Life, Status
from feltwork.site.web.rendering.catalog import DOCUMENTS, LOCALE, REFUSALS, REGISTRIES, SCREENS, SCRIPTS
from feltwork.site.web.rendering.report_format import words
from feltwork.titles import registry
from feltwork.titles.cards.card import Suit
from feltwork.titles.hand_names import hand_name

TEMPLATE = LOCALE / "feltwork.pot"
#: A fixed date: a file changes only when a message does.
CREATED = datetime(2026, 1, 1, tzinfo=UTC)
#: Where the text stands that nobody reads on a screen: printed documents and notifications are in English.
_PRINTED = (
    "screens/documents/",
    "notifications/",
    "rendering/certificate_pdf",
    "rendering/pdf",
    "rendering/slip_printer",
)
#: Lines of a catalog that differ from day to day or from release to release of Babel.
_UNSTABLE = ('"Generated-By', '"PO-Revision-Date', '"POT-Creation-Date')
_METHODS = [("**.py", "python"), ("**.html", "jinja2"), ("**.js", "javascript")]
_OPTIONS = {
    "**.html": {
        "trimmed": "true",
        "trim_blocks": "true",
        "lstrip_blocks": "true",
        "silent": "false",
        "newstyle_gettext": "true",
    }
}
#: Modules whose refusals people on the floor read.
REFUSING = (
    "problem.py",
    "site/compliance/payout.py",
    "site/compliance/roles.py",
    "site/compliance/tax.py",
    "site/progressive/award.py",
    "site/progressive/badges.py",
    "site/progressive/button_pays.py",
    "site/progressive/layout.py",
    "site/progressive/contribution.py",
    "site/progressive/round.py",
    "site/progressive/sign_offs.py",
    "site/school/course.py",
    "site/school/trainer.py",
    "site/books/**/*.py",
)
#: Where the text stands in the calls that make a refusal: places, and names of arguments.
_REFUSALS = {
    "Sentence": ((0,), ()),
    "refuse": ((1, 2), ()),
    "Problem": ((1, 2), ()),
    "_no": ((2, 3), ()),
    "Answer": ((), ("why", "remedy")),
    "Refusal": ((), ("what", "remedy")),
    "ChecklistStep": ((), ("says",)),
    "Flag": ((), ("name",)),
}
_SAID = ("what", "why", "remedy", "says")
_KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "N_": None, "t": None}


def registered() -> Iterator[str]:
    """Texts that screens show from registries of other packages: reports, roles, cards, keys, states."""
    for report in REPORTS.values():
        yield from (report.title, report.says)
        yield from (column.name.replace("_", " ") for column in report.columns)
    for role in ROLES.values():
        yield from (role.label, role.who, role.says, role.department)
    # Scripts name the badges that a confirmation takes by their roles.
    yield from ("supervisor", "executive")
    yield from (rule.why for rule in (*APART, *SEPARATE, *NEVER_BOTH))
    yield from (command.says for command in COMMANDS.values())
    yield from map(words, KINDS)
    yield from LABELS.values()
    yield from (suit.name.lower() for suit in Suit)
    yield from (*DISCLOSURES, *FOLDED_HANDS.values(), NO_WAGERS)
    # The keys of a table; those of an Aquarius keypad that start a round have the label of the title.
    yield from ("COIN IN", *(label for keys in CONTROLS.values() for label in keys.labels.values()))
    yield from titles()
    for values in map(get_args, (Cause, Form, Life, Phase, Status)):
        yield from (value.replace("_", " ") for value in values)


def titles() -> Iterator[str]:
    """The names of hands, bets, places and meters in the rules of the titles."""
    identifiers = {"high_card"}
    for title in registry.own_names():
        for paytable in registry.library(title).values():
            yield from (hand_name(paytable, row.hand) for row in paytable.rows)
            identifiers |= {paytable.bet, *paytable.levels, *(row.hand for row in paytable.rows)}
    own = [option for game in registry.games() for option in game.options]
    for jackpot in registry.jackpots():
        own += [*jackpot.options, *house_options(jackpot)]
    for option in own:
        identifiers |= {option.name, *map(str, option.values)}
    for game in registry.games():
        identifiers |= {*(wager.name for wager in game.wagers), *game.riding, *game.table_cards}
    words = (name.replace("_", " ") for name in sorted(identifiers - {"True", "False"}))
    yield from (name for name in words if not name.isdigit() and " to " not in name)


def sentences(file: Path) -> Iterator[str]:
    """The sentences of a module's refusals: plain text, or the template of a `Sentence`."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        for part in _said(node):
            for branch in (part.body, part.orelse) if isinstance(part, ast.IfExp) else (part,):
                if isinstance(branch, ast.Constant) and isinstance(branch.value, str):
                    yield branch.value.replace("_", " ") if branch.value.isidentifier() else branch.value


def _said(node: ast.AST) -> Iterator[ast.expr]:
    """What a call or an assignment says in a refusal."""
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        places, keyword_names = _REFUSALS.get(name, ((), ()))
        yield from (node.args[place] for place in places if place < len(node.args))
        yield from (keyword.value for keyword in node.keywords if keyword.arg in keyword_names)
    elif isinstance(node, ast.Assign | ast.AnnAssign):
        target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else (target,)
        values = node.value.elts if isinstance(node.value, ast.Tuple) else (node.value,)
        pairs = zip(names, values, strict=False)
        yield from (value for name, value in pairs if value and getattr(name, "id", "") in _SAID)


def catalog() -> Catalog:
    """Every message of the web package and of the registries it shows."""
    template = Catalog(
        header_comment="# Text of the screens and printed documents of Feltwork.",
        project="Feltwork",
        version="0",
        creation_date=CREATED,
        fuzzy=False,
    )
    messages = extract_from_dir(str(LOCALE.parent), _METHODS, _OPTIONS, keywords=_KEYWORDS)
    for file, _, message, comments, context in sorted(messages, key=lambda row: row[:2]):
        if "vendor" not in file:
            printed = DOCUMENTS if file.startswith(_PRINTED) else SCREENS
            place = SCRIPTS if file.endswith(".js") else printed
            template.add(message, None, [(place, 0)], auto_comments=comments, context=context)
    package = LOCALE.parent.parent.parent
    modules = [path for pattern in REFUSING for path in package.glob(pattern)]
    # Whatever module says it: a moved function changes no catalog.
    for text in sorted({text for module in modules for text in sentences(module)}):
        template.add(text, None, [(REFUSALS, 0)])
    for text in registered():
        template.add(text, None, [(REGISTRIES, 0)])
    return template


def is_on_screens(message: Message) -> bool:
    """Whether somebody reads it on a screen."""
    return not all(place == DOCUMENTS for place, _ in message.locations)


def translation(language: str) -> Catalog:
    """The catalog of a language: what is translated, and what people read on screens in English so far."""
    file = LOCALE / language / "LC_MESSAGES" / "feltwork.po"
    with file.open("rb") as opened:
        before = read_po(opened, locale=language)
    messages = Catalog(locale=language, project="Feltwork", version="0", creation_date=CREATED, fuzzy=False)
    messages.header_comment = before.header_comment
    for message in catalog():
        known = before.get(message.id) if message.id else None
        if known is not None and known.string:
            messages.add(
                message.id, known.string, message.locations, known.flags, user_comments=known.user_comments
            )
        elif message.id and is_on_screens(message):
            messages.add(message.id, None, message.locations)
    return messages


def written(messages: Catalog) -> str:
    """A catalog as a file."""
    out = io.BytesIO()
    write_po(out, messages, width=110, include_lineno=False)
    lines = out.getvalue().decode("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(_UNSTABLE))


def text() -> str:
    """The message template as a file."""
    return written(catalog())


def files() -> dict[Path, str]:
    """The template and every translation, as they should be."""
    languages = sorted(folder.name for folder in LOCALE.iterdir() if folder.is_dir())
    translations = {
        LOCALE / name / "LC_MESSAGES" / "feltwork.po": written(translation(name)) for name in languages
    }
    return {TEMPLATE: text(), **translations}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail if a file is stale")
    if parser.parse_args().check:
        return int(any(file.read_text(encoding="utf-8") != now for file, now in files().items()))
    for file, now in files().items():
        file.write_text(now, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
