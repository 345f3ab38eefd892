"""Commands that check a floor file and print its posting sheets."""

from dataclasses import asdict
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.compliance.approval import differences
from feltwork.compliance.check import check, rulings_of
from feltwork.compliance.floor import Floor
from feltwork.compliance.floor_file import read_floor
from feltwork.compliance.posting import posting_sheet
from feltwork.compliance.requirements import REQUIREMENTS
from feltwork.problem import Problem, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from feltwork.compliance.finding import Finding

RulesDay = Annotated[
    str, typer.Option("--date", metavar="YYYY-MM-DD", help="Use the rules of this day; default today.")
]
_HEADS = {"refused": "refused: this floor may not open", "warning": "warnings", "note": "notes"}
_STYLES = {"refused": "bold red", "warning": "bold yellow", "note": "bold"}


def check_floor(
    file: Annotated[
        Path,
        typer.Argument(metavar="FLOOR", help="A floor file; see docs/floor_file.md."),
    ],
    as_data: AsData = False,
    day: RulesDay = "",
    against: Annotated[Path | None, typer.Option(help="The approved floor file to compare with.")] = None,
) -> None:
    """Check a floor file against its jurisdiction and list findings for the operator to review.

    The exit status is 1 if anything is refused, and 2 if the file cannot be read.
    """
    on = day_of(day)
    floor = _read(file)
    changed = differences(_read(against), floor) if against else ()
    findings = check(floor, on=on)
    refused = any(finding.severity == "refused" for finding in findings)
    if as_data:
        answer = {
            "site": floor.site,
            "jurisdiction": floor.jurisdiction,
            "date": on.isoformat(),
            "lawful": not refused,
            "bets": {table.id: [bet.as_json() for bet in table.bets] for table in floor.tables},
            "findings": [finding.as_json() for finding in findings],
            "differences": [asdict(difference) for difference in changed],
        }
        print_json(answer)
    else:
        typer.echo(
            f"{floor.site}: {len(floor.tables)} tables, {len(floor.links)} links, {floor.jurisdiction}, {on}"
        )
        _print(findings)
        for change in changed:
            typer.echo(f"not as approved: {change.where} is {change.operated}, approved is {change.approved}")
    if refused:
        raise typer.Exit(1)


def show_posting(
    file: Annotated[Path, typer.Argument(metavar="FLOOR", help="A floor file.")],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="A table; default all.")] = "",
    day: RulesDay = "",
    odds: Annotated[bool, typer.Option("--odds", help="State the odds of every jackpot hand, too.")] = False,
    as_data: AsData = False,
) -> None:
    """Print the posting sheet of a table: limits, pays, jackpots, disputes."""
    floor = _read(file)
    if table and table not in floor.table_by_id:
        known = ", ".join(floor.table_by_id)
        raise ProblemsError([Problem("table", f"there is no {table!r}", f"choose from: {known}")])
    rulings = rulings_of(floor, on=day_of(day))
    tables = [floor.table_by_id[table]] if table else floor.tables
    sheets = {table.id: posting_sheet(floor, table, rulings, odds=odds) for table in tables}
    if as_data:
        answer = [
            {"table": table.id, "bets": [bet.as_json() for bet in table.bets], "markdown": sheets[table.id]}
            for table in tables
        ]
        print_json(answer)
        return
    for sheet in sheets.values():
        typer.echo(sheet)


def _read(file: Path) -> Floor:
    return read_floor(file.read_text(encoding="utf-8"), where=str(file))


def day_of(text: str) -> date:
    """Return the day whose rules apply."""
    if not text:
        return datetime.now(tz=UTC).date()
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ProblemsError([Problem("--date", str(error), "write it like 2024-01-31")]) from error


def _print(findings: "Sequence[Finding]") -> None:
    """Print findings by severity, with location, remedy, requirement and source."""
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True)
    for severity, group in groupby(findings, key=lambda finding: finding.severity):
        console.print()
        console.print(Text(_HEADS[severity], _STYLES[severity]))
        for finding in group:
            source = REQUIREMENTS[finding.requirement].source
            console.print(Text(f"  {finding.where}: {finding.what}"))
            console.print(Text(f"    → {finding.remedy}"))
            console.print(Text(f"    {finding.requirement}, {source}", "dim"))
    counts = {severity: sum(finding.severity == severity for finding in findings) for severity in _HEADS}
    console.print()
    console.print(", ".join(f"{count} {severity}" for severity, count in counts.items()))
