"""The command that makes certificates of paytables, and derives them again."""

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
    file: Annotated[Path | None, typer.Option("--file", help="A drafted paytable instead.")] = None,
    as_pdf: Annotated[bool, typer.Option("--pdf", help="Make a PDF, with the data attached.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Answer with JSON, also of a check.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write; with --all a folder.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Certify every shipped paytable.")] = False,
    check: Annotated[
        Path | None, typer.Option("--check", help="Derive a certificate again and say what differs.")
    ] = None,
) -> None:
    """Make the certificate of a paytable, or check one: exit status 1 says that it does not hold."""
    if check is not None:
        _check(check, as_data=as_data)
        return
    if as_pdf and as_data:
        raise ProblemsError([Problem("--pdf", "a file is JSON or PDF", "choose one of them")])
    if everything:
        _all(out, as_pdf=as_pdf)
        return
    body = _certified(_asked(title, bet, identifier, file), option or [])
    if out is None and not as_pdf:
        from feltwork.odds.certificate import as_text

        typer.echo(as_text(body), nl=False)
        return
    target = out or Path(f"{body['title']}-{body['bet']}-{body['paytable']}.pdf")
    _write(body, target, as_pdf=as_pdf)
    typer.echo(f"written: {target}")


def _asked(title: str, bet: str, identifier: str, file: Path | None) -> Paytable:
    if file is not None:
        return drafted_paytable(file)
    if not title:
        remedy = "name title, bet and paytable, or use --all, --file or --check"
        raise ProblemsError([Problem("certify", "it is not said which paytable", remedy)])
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
        raise ProblemsError([Problem("--all", "it is not said where to", "name a folder: --out FOLDER")])
    folder.mkdir(parents=True, exist_ok=True)
    paytables = list(shipped())
    for paytable in with_progress(paytables, "certifying"):
        name = f"{paytable.title}-{paytable.bet}-{paytable.id}.{'pdf' if as_pdf else 'json'}"
        _write(_certified(paytable, []), folder / name, as_pdf=as_pdf)
    typer.echo(f"written: {len(paytables)} certificates in {folder}")


def shipped() -> Iterator[Paytable]:
    """Every paytable that comes with Feltwork."""
    for title in registry.own_names():
        library = registry.library(title)
        yield from (library[key] for key in library)


def _check(file: Path, *, as_data: bool) -> None:
    from feltwork.odds.certificate import check, from_text

    content = file.read_bytes()
    if content.startswith(b"%PDF"):
        from feltwork.web.rendering import certificate_pdf

        body = certificate_pdf.from_pdf(content, where=str(file))
        found = check(body)
        differing = [(one.where, one.certified, one.derived) for one in found.differences]
        if not differing and certificate_pdf.shows(content) != certificate_pdf.shows(
            certificate_pdf.as_pdf(body)
        ):
            differing = [("page", "shows something else than the attached data", "the data as they are")]
    else:
        found = check(from_text(content.decode("utf-8"), where=str(file)))
        differing = [(one.where, one.certified, one.derived) for one in found.differences]
    if as_data:
        told = [{"where": where, "certified": was, "derived": now} for where, was, now in differing]
        print_json({"holds": not differing, "differences": told, "notes": list(found.notes)})
    else:
        _print_check(file, found.notes, differing)
    if differing:
        raise typer.Exit(1)


def _print_check(file: Path, notes: Sequence[str], differing: Sequence[tuple[str, object, object]]) -> None:
    for note in notes:
        typer.echo(f"note: {note}")
    for where, certified, derived in differing:
        typer.echo(f"differs: {where}\n  certified: {certified}\n  derived:   {derived}")
    if differing:
        typer.echo(f"{file} does not hold: {len(differing)} differences")
    else:
        typer.echo(f"{file} holds: every value was derived anew and is the same")
