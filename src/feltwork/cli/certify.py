"""The command that makes certificates of paytables, and derives them again."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.paytables.parse import parse_paytable
from feltwork.paytables.paytable import Paytable
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry

if TYPE_CHECKING:
    from feltwork.odds.certificate import Body


def certify(
    title: Annotated[str, typer.Argument(help="A title.")] = "",
    bet: Annotated[str, typer.Argument(help="One of its bets; a jackpot's is jackpot.")] = "",
    identifier: Annotated[str, typer.Argument(metavar="PAYTABLE", help="A paytable of the bet.")] = "",
    option: Annotated[
        list[str] | None, typer.Option("--option", "-o", help="What changes the counts, such as decks=6.")
    ] = None,
    file: Annotated[Path | None, typer.Option("--file", help="A drafted paytable instead.")] = None,
    as_pdf: Annotated[bool, typer.Option("--pdf", help="Make a PDF, with the data attached.")] = False,
    as_data: Annotated[bool, typer.Option("--json", help="Make JSON; this is the default.")] = False,
    out: Annotated[Path | None, typer.Option("--out", help="The file to write; with --all a folder.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Certify every shipped paytable.")] = False,
    check: Annotated[
        Path | None, typer.Option("--check", help="Derive a certificate again and say what differs.")
    ] = None,
) -> None:
    """Make the certificate of a paytable, or check one: exit status 1 says that it does not hold."""
    if check is not None:
        _check(check)
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
        return parse_paytable(file.read_text(encoding="utf-8"), where=str(file))
    if not identifier:
        remedy = "name title, bet and paytable, or use --all, --file or --check"
        raise ProblemsError([Problem("certify", "says not which paytable", remedy)])
    return registry.paytable(title, bet, identifier)


def _certified(paytable: Paytable, options: list[str]) -> "Body":
    from feltwork.odds.certificate import certificate

    return certificate(paytable, {name: value for name, _, value in (one.partition("=") for one in options)})


def _write(body: "Body", target: Path, *, as_pdf: bool) -> None:
    from feltwork.odds.certificate import as_text

    if not as_pdf:
        target.write_text(as_text(body), encoding="utf-8")
        return
    from feltwork.web import certificate_paper

    target.write_bytes(certificate_paper.as_pdf(body))


def _all(folder: Path | None, *, as_pdf: bool) -> None:
    from rich.console import Console
    from rich.progress import track

    if folder is None:
        raise ProblemsError([Problem("--all", "says not where to", "name a folder: --out DIR")])
    folder.mkdir(parents=True, exist_ok=True)
    paytables = list(shipped())
    for paytable in track(paytables, "certifying", console=Console(stderr=True), transient=True):
        name = f"{paytable.title}-{paytable.bet}-{paytable.id}.{'pdf' if as_pdf else 'json'}"
        _write(_certified(paytable, []), folder / name, as_pdf=as_pdf)
    typer.echo(f"written: {len(paytables)} certificates in {folder}")


def shipped() -> Iterator[Paytable]:
    """Every paytable that comes with Feltwork."""
    for title in registry.own_names():
        library = registry.library(title)
        yield from (library[key] for key in library)


def _check(file: Path) -> None:
    from feltwork.odds.certificate import check, from_text

    content = file.read_bytes()
    if content.startswith(b"%PDF"):
        from feltwork.web import certificate_paper

        body = certificate_paper.from_pdf(content, where=str(file))
        found = check(body)
        differing = [(one.where, one.certified, one.derived) for one in found.differences]
        if not differing and certificate_paper.shows(content) != certificate_paper.shows(
            certificate_paper.as_pdf(body)
        ):
            differing = [("page", "shows something else than the attached data", "the data as they are")]
    else:
        found = check(from_text(content.decode("utf-8"), where=str(file)))
        differing = [(one.where, one.certified, one.derived) for one in found.differences]
    for note in found.notes:
        typer.echo(f"note: {note}")
    for where, certified, derived in differing:
        typer.echo(f"differs: {where}\n  certified: {certified}\n  derived:   {derived}")
    if differing:
        typer.echo(f"{file} does not hold: {len(differing)} differences")
        raise typer.Exit(1)
    typer.echo(f"{file} holds: every value was derived anew and is the same")
