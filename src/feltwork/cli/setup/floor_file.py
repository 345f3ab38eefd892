"""The command that checks a floor file, prints its posting sheets and writes its submission."""

import re
from collections import Counter
from dataclasses import asdict
from datetime import UTC, date, datetime
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import AsData, print_json
from feltwork.problem import Problem, ProblemsError
from feltwork.site.compliance.approval import differences
from feltwork.site.compliance.check import check, rulings_of
from feltwork.site.compliance.floor import Floor
from feltwork.site.compliance.floor_file import read_floor
from feltwork.site.compliance.jurisdiction import jurisdiction
from feltwork.site.compliance.posting import posting_sheet
from feltwork.site.compliance.requirements import REQUIREMENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from feltwork.site.compliance.finding import Finding

_HEADS = {"refused": "refusals", "warning": "warnings", "note": "notes"}
#: The exact fraction behind a rounded figure, which `--json` keeps.
_FRACTION = re.compile(r" \(\d+/\d+\)")
_STYLES = {"refused": "bold red", "warning": "bold yellow", "note": "bold"}


class PaperSize(StrEnum):
    """A paper size."""

    letter = "letter"
    a4 = "a4"


def check_floor(
    file: Annotated[
        Path,
        typer.Argument(metavar="FLOOR", help="A floor file; see docs/floor_file.md."),
    ],
    table: Annotated[str, typer.Argument(metavar="TABLE", help="With --posting: a table; default all.")] = "",
    as_data: AsData = False,
    day: Annotated[
        str,
        typer.Option("--date", metavar="YYYY-MM-DD", help="Use the rules of this day; default today."),
    ] = "",
    against: Annotated[Path | None, typer.Option(help="The approved floor file to compare with.")] = None,
    posting: Annotated[
        bool, typer.Option("--posting", help="Print posting sheets instead: limits, pays, disputes.")
    ] = False,
    odds: Annotated[
        bool, typer.Option("--odds", help="With --posting: state the odds of every jackpot hand, too.")
    ] = False,
    submission: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Write the internal controls submission instead, PDF and HTML."),
    ] = None,
    paper: Annotated[PaperSize, typer.Option(help="The paper size of the submission.")] = PaperSize.letter,
) -> None:
    """Check a floor file against its jurisdiction and list findings for the operator to review.

    The exit status is 1 if anything is refused, and 2 if the file cannot be read. The submission holds
    tables, titles, approvals, limits, returns, roles and fingerprints, the notices at the tables, and the
    procedures of every title with the paragraphs of its letter.
    """
    if posting:
        _print_posting(_read(file), table, day_of(day), odds=odds, as_data=as_data)
        return
    if submission is not None:
        _write_submission(file, submission, paper, day_of(day))
        return
    on = day_of(day)
    floor = _read(file)
    changed = differences(_read(against), floor) if against else ()
    findings, place = check(floor, on=on), jurisdiction(floor.jurisdiction)
    refused = any(finding.severity == "refused" for finding in findings)
    if as_data:
        answer = {
            "site": floor.site,
            "jurisdiction": floor.jurisdiction,
            "basis": place.basis,
            "date": on.isoformat(),
            "lawful": not refused,
            "bets": {table.id: [bet.as_json() for bet in table.bets] for table in floor.tables},
            "findings": [finding.as_json() for finding in findings],
            "differences": [asdict(difference) for difference in changed],
        }
        print_json(answer)
    else:
        about = f"{len(floor.tables)} tables, {len(floor.links)} links, {place.offered_as}, {on}"
        typer.echo(f"{place.basis}\n{floor.site}: {about}")
        _print(floor, findings)
        for change in changed:
            typer.echo(f"not as approved: {change.where} is {change.operated}, approved is {change.approved}")
    if refused:
        raise typer.Exit(1)


def _print_posting(floor: Floor, table: str, on: date, *, odds: bool, as_data: bool) -> None:
    if table and table not in floor.table_by_id:
        known = ", ".join(floor.table_by_id)
        raise ProblemsError([Problem("table", f"there is no {table!r}", f"choose from: {known}")])
    rulings = rulings_of(floor, on=on)
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


def _write_submission(file: Path, out: Path, paper: PaperSize, on: date) -> None:
    from feltwork.site.compliance.submission import make_submission
    from feltwork.site.web.rendering import submission_document

    text = file.read_text(encoding="utf-8")
    package = make_submission(read_floor(text, where=str(file)), text, on=on)
    out.mkdir(parents=True, exist_ok=True)
    written = out / f"submission-{file.stem}"
    page = submission_document.as_html(package, paper.value)
    written.with_suffix(".html").write_text(page, encoding="utf-8")
    written.with_suffix(".pdf").write_bytes(submission_document.as_pdf(package, paper.value))
    typer.echo(f"Wrote {written}.html and {written}.pdf.")


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


def _print(floor: Floor, findings: "Sequence[Finding]") -> None:
    """Print the verdict, then findings by severity; tables and links share one that says the same."""
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True)
    counts = Counter(finding.severity for finding in findings)
    told = ", ".join(f"{many} {_HEADS[name][: -1 if many == 1 else None]}" for name, many in counts.items())
    verdict = (
        f"This floor {'may not' if counts['refused'] else 'may'} open. {told.capitalize() or 'No findings'}."
    )
    console.print(Text(verdict, "bold"))
    names = (*floor.table_by_id, *(link.id for link in floor.links))
    ids = re.compile(rf"\b({'|'.join(map(re.escape, names))})\b")
    for severity, group in groupby(findings, key=lambda finding: finding.severity):
        console.print(Text(f"\n{_HEADS[severity]}", _STYLES[severity]))
        alike: dict[tuple[str, ...], list[Finding]] = {}
        for finding in group:
            alike.setdefault((ids.sub("", finding.what), ids.sub("", finding.remedy)), []).append(finding)
        for first, *others in alike.values():
            where = ", ".join((first.where, *(str(one.line) for one in others)))
            console.print(Text(f"  {where}: {_FRACTION.sub('', first.what)}"))
            if same := dict.fromkeys(name for one in others for name in ids.findall(one.what)):
                console.print(Text(f"    the same for {', '.join(same)}"))
            console.print(Text(f"    → {first.remedy}"))
            source = REQUIREMENTS[first.requirement].source + ": text unread" * (first.mark == "unread")
            console.print(Text(f"    {first.requirement}, {source}", "dim"))
