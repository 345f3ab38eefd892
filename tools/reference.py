"""Reference pages: who may do what, the reports, and what the auditor's login can read."""

import re
from collections.abc import Iterator
from pathlib import Path

from feltwork.site.books.audit.data_export import TABLES
from feltwork.site.books.reports.registry import REPORTS
from feltwork.site.books.scopes import SCOPES
from feltwork.site.compliance.roles import APART, COMMANDS, NEVER_BOTH, ROLES, SEPARATE, Separation

SRC = Path(__file__).parent.parent / "src" / "feltwork"
_MADE = "<!-- Made by tools/generate_docs.py. Do not edit. -->\n\n"
_ROLES = """# Roles: who may do what, and why

A role grants commands; a rule takes them away again. `GET /api/v1/people/{badge}/may` of the service answers
for one person and one thing, with the rule that decided. The data is `compliance/roles.toml`.
"""
_REPORTS = """# Reports

`GET /api/v1/reports/NAME` answers a report as JSON, or as CSV with `?format=csv`; `/office/reports/NAME` is
its page. A column without a kind is text. Amounts are micros, a millionth of a dollar. The registry is
`operations/reports/registry.py`: a report is one block of SQL and one `Report`.
"""
_DATA = """# The exported tables

`feltwork export --data` writes these tables as Parquet, one file of each for every gambling day;
[query the data](../guides/query_the_data.md) shows how to use them. Amounts are dollars with six decimals, as
exact as the books. Times are UTC. A text that does not apply is empty or NULL. The tables are declared in
`books/audit/data_export.py`. `days/DAY.json` names the format, `feltwork-data/1`; a new column is a new one.
"""
_SQL = """# What the auditor can read

The login `feltwork_auditor` is a member of `feltwork_reader`: it reads these tables and views of the schema
`books` and changes nothing. Amounts are micros, a millionth of a dollar; `at` and times of tables are
microseconds since 1970.
"""


def roles_page() -> str:
    """Roles, commands and the rules that keep them apart."""
    parts = [_MADE + _ROLES, _table("role", "department", "what it does", "may", "only approves")]
    for role in ROLES.values():
        may, approves = (
            ", ".join(f"`{permission}`" for permission in names) for names in (role.may, role.approves)
        )
        parts.append(_row(f"`{role.id}`", role.department, role.says, may, approves))
    parts += ["\n## Commands\n", _table("command", "what it is", "about", "takes", "who", "asked by")]
    for name, rule in COMMANDS.items():
        takes = ["two people" + " of two departments" * rule.departments] if rule.two_people else []
        takes += ["a security key"] if rule.office else []
        who = ", ".join(role.id for role in ROLES.values() if name in role.may)
        parts.append(_row(f"`{name}`", rule.says, rule.of, ", ".join(takes), who, rule.requirement))
    parts += ["\n## Scopes of service accounts\n", _table("scope", "what it is for", "may")]
    for scope in SCOPES.values():
        parts.append(
            _row(f"`{scope.name}`", scope.says, ", ".join(f"`{permission}`" for permission in scope.may))
        )
    parts.append("\n## What one person does not bring together\n")
    parts.append(_table("rule", "these", "and these", "how", "why", "asked by"))
    for rules, how in (
        (APART, "as roles of one person"),
        (SEPARATE, "done to the same thing"),
        (NEVER_BOTH, "granted to one person"),
    ):
        parts += [_separation(separation, how) for separation in rules]
    return "\n".join(parts) + "\n"


def _separation(separation: Separation, how: str) -> str:
    return _row(
        f"`{separation.rule}`",
        ", ".join(separation.first),
        ", ".join(separation.second),
        how,
        separation.why,
        separation.requirement,
    )


def reports_page() -> str:
    """The reports, with what each is asked about and what its columns hold."""
    rows = (
        _row(
            f"`{report.name}`",
            report.title,
            report.says,
            ", ".join(f"`{name}`" for name in report.parameters),
            ", ".join(
                f"`{column.name}`" + ("" if column.kind == "text" else f" ({column.kind})")
                for column in report.columns
            ),
        )
        for report in REPORTS.values()
    )
    return "\n".join(
        [_MADE + _REPORTS, _table("name", "title", "what it answers", "parameters", "columns"), *rows, ""]
    )


def sql_page() -> str:
    """The tables and views that the reader may select from, as the schema files describe them."""
    text = "\n".join(
        path.read_text(encoding="utf-8") for path in sorted((SRC / "site/books/schema").glob("*.sql"))
    )
    granted = set()
    for what in re.findall(r"GRANT SELECT(?: \([^)]*\))?\s+ON\s([^;]*?)\sTO\s[^;]*feltwork_reader", text):
        granted |= set(re.findall(r"books\.(\w+)", what))
    parts = [_MADE + _SQL]
    pattern = re.compile(r"((?:^--[^\n]*\n)*)^CREATE (TABLE|VIEW) books\.(\w+)(.*?);\n", flags=re.S | re.M)
    for comment, kind, name, body in sorted(pattern.findall(text), key=lambda groups: str(groups[2])):
        if name in granted:
            description = " ".join(line.removeprefix("--").strip() for line in comment.splitlines())
            parts.append(
                f"## books.{name}\n\n{f'A view. {description}' if kind == 'VIEW' else description}\n"
            )
            if kind == "TABLE":
                parts += [_table("column", "type", "what it is"), *_columns(body), *_added(text, name), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts))


def data_page() -> str:
    """The tables of the exported data, as the export declares them."""
    parts = [_MADE + _DATA]
    for table in TABLES:
        rows = (_row(f"`{column.name}`", column.type, column.says) for column in table.columns)
        parts += [f"## {table.name}\n\n{table.says}\n", _table("column", "type", "what it is"), *rows, ""]
    return "\n".join(parts)


def _added(text: str, table: str) -> Iterator[str]:
    """Columns that a later release has added."""
    pattern = rf"((?:^--[^\n]*\n)*)^ALTER TABLE books\.{table} ADD COLUMN (\w+) ([a-z0-9]+(?:\[\])?)"
    for comment, name, kind in re.findall(pattern, text, flags=re.M):
        description = " ".join(line.removeprefix("--").strip() for line in comment.splitlines())
        yield _row(f"`{name}`", kind, description)


def _columns(body: str) -> Iterator[str]:
    comment = ""
    for line in body.splitlines():
        text = line.strip()
        if text.startswith("--"):
            comment += " " + text.removeprefix("--").strip()
        elif column := re.match(r"([a-z_0-9]+) ([a-z0-9]+(?:\[\])?)", text):
            if line.startswith("  ") and not line.startswith("   "):
                yield _row(f"`{column[1]}`", column[2], comment.strip())
            comment = ""


def _table(*names: str) -> str:
    return f"{_row(*names)}\n{'|---' * len(names)}|"


def _row(*cells: str) -> str:
    return (
        "| "
        + " | ".join(cell.replace("|", "\\|").replace("\n", " ").replace("<", "\\<") for cell in cells)
        + " |"
    )
