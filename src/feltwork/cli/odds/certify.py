"""The command that makes and checks paytable certificates."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import (
    BetName,
    Options,
    PaytableId,
    drafted_paytable,
    named_paytable,
    pairs,
    print_json,
)
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

if TYPE_CHECKING:
    from feltwork.odds.certificate import Body


def certify(
    title: Annotated[str, typer.Argument(metavar="TITLE", help="A title.")] = "",
    bet: BetName = "",
    identifier: PaytableId = "",
    option: Options = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Certify a drafted paytable from a file.")
    ] = None,
    as_pdf: Annotated[bool, typer.Option("--pdf", help="Make a PDF with the data attached.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Print JSON, also for a check.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="The file to write, or the folder with --all.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Certify every shipped paytable.")] = False,
    check: Annotated[
        Path | None, typer.Option("--check", help="Derive a certificate again and list the differences.")
    ] = None,
) -> None:
    """Make the certificate of a paytable, or check one; the exit status is 1 if it is not valid."""
    if check is not None:
        _check(check, as_data=as_data)
        return
    if as_pdf and as_data:
        raise ProblemsError([Problem("--pdf", "--pdf and --json exclude each other", "choose one of them")])
    if everything:
        _all(out, as_pdf=as_pdf)
        return
    body = _certified(_chosen(title, bet, identifier, file), option or [])
    if out is None and not as_pdf:
        from feltwork.odds.certificate import as_text

        typer.echo(as_text(body), nl=False)
        return
    target = out or Path(f"{body['title']}-{body['bet']}-{body['paytable']}.pdf")
    _write(body, target, as_pdf=as_pdf)
    typer.echo(f"Wrote {target}.")


def _chosen(title: str, bet: str, identifier: str, file: Path | None) -> Paytable:
    if file is not None:
        return drafted_paytable(file)
    if not title:
        remedy = "name title, bet and paytable, or use --all, --file or --check"
        raise ProblemsError([Problem("certify", "no paytable is named", remedy)])
    return named_paytable(title, bet, identifier)


def _certified(paytable: Paytable, options: list[str]) -> "Body":
    from feltwork.odds.certificate import certificate

    return certificate(paytable, pairs("--option", options, "decks=6"))


def _write(body: "Body", target: Path, *, as_pdf: bool) -> None:
    from feltwork.odds.certificate import as_text

    if not as_pdf:
        target.write_text(as_text(body), encoding="utf-8")
        return
    from feltwork.web.rendering import certificate_pdf

    target.write_bytes(certificate_pdf.as_pdf(body))


def _all(folder: Path | None, *, as_pdf: bool) -> None:
    from feltwork.cli.console import with_progress

    if folder is None:
        raise ProblemsError([Problem("--all", "no folder is named", "add --out FOLDER")])
    folder.mkdir(parents=True, exist_ok=True)
    paytables = list(shipped())
    for paytable in with_progress(paytables, "certifying"):
        name = f"{paytable.title}-{paytable.bet}-{paytable.id}.{'pdf' if as_pdf else 'json'}"
        _write(_certified(paytable, []), folder / name, as_pdf=as_pdf)
    typer.echo(f"Wrote {len(paytables)} certificates to {folder}.")


def shipped() -> Iterator[Paytable]:
    """Yield every paytable that ships with Feltwork."""
    for title in registry.own_names():
        library = registry.library(title)
        yield from (library[key] for key in library)


def _check(file: Path, *, as_data: bool) -> None:
    from feltwork.odds.certificate import check, from_text

    content = file.read_bytes()
    is_pdf = content.startswith(b"%PDF")
    if is_pdf:
        from feltwork.web.rendering import certificate_pdf

        body = certificate_pdf.from_pdf(content, where=str(file))
    else:
        body = from_text(content.decode("utf-8"), where=str(file))
    result = check(body)
    differing = [(item.where, item.certified, item.derived) for item in result.differences]
    if (
        is_pdf
        and not differing
        and certificate_pdf.shows(content) != certificate_pdf.shows(certificate_pdf.as_pdf(body))
    ):
        differing = [("page", "shows something else than the attached data", "the attached data")]
    if as_data:
        rows = [{"where": where, "certified": before, "derived": now} for where, before, now in differing]
        print_json({"holds": not differing, "differences": rows, "notes": list(result.notes)})
    else:
        _print_check(file, result.notes, differing)
    if differing:
        raise typer.Exit(1)


def _print_check(file: Path, notes: Sequence[str], differing: Sequence[tuple[str, object, object]]) -> None:
    for note in notes:
        typer.echo(f"note: {note}")
    for where, certified, derived in differing:
        typer.echo(f"differs: {where}\n  certified: {certified}\n  derived:   {derived}")
    if differing:
        typer.echo(f"{file} is not valid: {len(differing)} differences.")
    else:
        typer.echo(f"{file} is valid: every value was derived again and is the same.")
