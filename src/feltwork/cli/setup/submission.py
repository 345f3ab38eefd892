"""The command that writes the package a card room submits for its internal controls."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.setup.floor_file import RulesDay, day_of
from feltwork.site.compliance.floor_file import read_floor


class PaperSize(StrEnum):
    """A paper size."""

    letter = "letter"
    a4 = "a4"


def write_submission(
    file: Annotated[Path, typer.Argument(metavar="FLOOR", help="A floor file.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")] = Path(),
    paper: Annotated[PaperSize, typer.Option(help="The paper size.")] = PaperSize.letter,
    day: RulesDay = "",
) -> None:
    """Write the package that a card room submits for its internal controls, as PDF and HTML.

    It contains the tables, titles, approvals, limits, returns, roles and fingerprints, the notices at the
    tables, and the procedures of every title with the paragraphs of its letter.
    """
    from feltwork.site.compliance.submission import make_submission
    from feltwork.site.web.rendering import submission_document

    text = file.read_text(encoding="utf-8")
    package = make_submission(read_floor(text, where=str(file)), text, on=day_of(day))
    out.mkdir(parents=True, exist_ok=True)
    written = out / f"submission-{file.stem}"
    written.with_suffix(".html").write_text(
        submission_document.as_html(package, paper.value), encoding="utf-8"
    )
    written.with_suffix(".pdf").write_bytes(submission_document.as_pdf(package, paper.value))
    typer.echo(f"Wrote {written}.html and {written}.pdf.")
