"""The command that makes and checks paytable certificates."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltwork.cli.arguments import (
    BetName,
    Options,
    PaytableId,
    bet_of,
    drafted_paytable,
    named_paytable,
    pairs,
    print_json,
)
from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.title import Game

if TYPE_CHECKING:
    from feltwork.odds.certificate import Body, Issue


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
    setting: Annotated[
        list[str] | None,
        typer.Option("--setting", help="A term of a jackpot, such as seed.jackpot=5000; may be repeated."),
    ] = None,
    author: Annotated[str, typer.Option(help="Who makes the certificate.")] = "",
    date: Annotated[str, typer.Option(help="Its date as YYYY-MM-DD; default: today.")] = "",
    sign: Annotated[
        Path | None,
        typer.Option(help="An Ed25519 private key in PEM; writes the signature beside the certificate."),
    ] = None,
    public_key: Annotated[
        Path | None, typer.Option(help="With --check: the signer's public key in PEM; checks the signature.")
    ] = None,
) -> None:
    """Certify a paytable or base game, or check a certificate; exit with 1 if it is not valid.

    Without a bet, certify the base game.
    """
    if check is not None:
        _check(check, public_key, as_data=as_data)
        return
    if public_key is not None:
        raise ProblemsError([Problem("--public-key", "there is nothing to check", "add --check FILE")])
    if sign is not None and out is None and not as_pdf:
        raise ProblemsError([Problem("--sign", "a signature needs a file", "add --out FILE")])
    issue = _issue(author, date)
    if as_pdf and as_data:
        raise ProblemsError([Problem("--pdf", "--pdf and --json exclude each other", "choose one of them")])
    if everything:
        _all(out, issue, sign, as_pdf=as_pdf)
        return
    options, settings = pairs("--option", option, "decks=6"), pairs("--setting", setting, "seed.jackpot=5000")
    body = _certified(title, bet, identifier, file, options, settings, issue)
    if out is None and not as_pdf:
        from feltwork.odds.certificate import as_text

        typer.echo(as_text(body), nl=False)
        return
    target = out or Path(f"{_name(body)}.pdf")
    _write(body, target, sign, as_pdf=as_pdf)
    typer.echo(f"Wrote {target}." if sign is None else f"Wrote {target} and {_signature_of(target)}.")


def _issue(author: str, date: str) -> "Issue":
    from datetime import date as calendar

    from feltwork.odds.certificate import Issue

    try:
        return Issue(
            author, calendar.fromisoformat(date).isoformat() if date else calendar.today().isoformat()
        )
    except ValueError:
        raise ProblemsError(
            [Problem("--date", f"{date!r} is not a date", "write it like 2026-11-16")]
        ) from None


def _name(body: "Body") -> str:
    return "-".join(part for part in (body["title"], body["bet"], body["paytable"]) if part)


def _signature_of(target: Path) -> Path:
    return target.with_name(f"{target.name}.sig")


def _chosen(title: str, bet: str, identifier: str, file: Path | None) -> Paytable:
    if file is not None:
        if identifier:
            raise ProblemsError([Problem("--file", "a paytable is named as well", "name one of them")])
        return drafted_paytable(file, title=title, bet=bet_of(title, bet, "")[0] if title else "")
    if not title:
        remedy = "name title, bet and paytable, or use --all, --file or --check"
        raise ProblemsError([Problem("certify", "no paytable is named", remedy)])
    return named_paytable(title, bet, identifier)


def _certified(
    title: str,
    bet: str,
    identifier: str,
    file: Path | None,
    options: dict[str, str],
    settings: dict[str, str],
    issue: "Issue",
) -> "Body":
    from feltwork.odds.certificate import base_certificate, certificate

    if title and not bet and file is None and isinstance(registry.title(title), Game):
        if settings:
            what = "a base game has no meter"
            raise ProblemsError([Problem("--setting", what, "use --option, or name a jackpot")])
        return base_certificate(title, options, issue)
    return certificate(_chosen(title, bet, identifier, file), options, settings, issue)


def _write(body: "Body", target: Path, key: Path | None, *, as_pdf: bool) -> None:
    from feltwork.odds.certificate import as_text

    if as_pdf:
        from feltwork.site.web.rendering import certificate_pdf

        content = certificate_pdf.as_pdf(body)
    else:
        content = as_text(body).encode()
    target.write_bytes(content)
    if key is not None:
        from feltwork.odds.signature import sign

        _signature_of(target).write_bytes(sign(content, key.read_bytes(), where=str(key)))


def _all(folder: Path | None, issue: "Issue", key: Path | None, *, as_pdf: bool) -> None:
    from feltwork.cli.console import with_progress
    from feltwork.odds.certificate import base_certificate, certificate
    from feltwork.odds.title_odds import odds_of

    if folder is None:
        raise ProblemsError([Problem("--all", "no folder is named", "add --out FOLDER")])
    folder.mkdir(parents=True, exist_ok=True)
    solved = [title for title in registry.own_names() if odds_of(title).base_game is not None]
    everything: list[Paytable | str] = [*shipped(), *solved]
    for subject in with_progress(everything, "certifying"):
        body = (
            base_certificate(subject, None, issue)
            if isinstance(subject, str)
            else certificate(subject, issue=issue)
        )
        _write(body, folder / f"{_name(body)}.{'pdf' if as_pdf else 'json'}", key, as_pdf=as_pdf)
    typer.echo(f"Wrote {len(everything)} certificates to {folder}.")


def shipped() -> Iterator[Paytable]:
    """Yield every paytable that ships with Feltwork."""
    for title in registry.own_names():
        library = registry.library(title)
        yield from (library[key] for key in library)


def _check(file: Path, public_key: Path | None, *, as_data: bool) -> None:
    from feltwork.odds.certificate import check, from_text

    content = file.read_bytes()
    is_pdf = content.startswith(b"%PDF")
    if is_pdf:
        from feltwork.site.web.rendering import certificate_pdf

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
        differing = [("page", "does not show the attached data", "the attached data")]
    notes = list(result.notes)
    signature = _signature_of(file)
    if public_key is not None:
        from feltwork.odds.signature import is_signed

        signature_bytes = signature.read_bytes() if signature.exists() else b""
        if not is_signed(content, signature_bytes, public_key.read_bytes(), where=str(public_key)):
            differing.append(
                ("signature", f"{signature.name} does not match this file and key", "a valid signature")
            )
    elif signature.exists():
        notes.append(f"{signature.name} was not checked; name the signer's key with --public-key")
    if as_data:
        rows = [{"where": where, "certified": before, "derived": now} for where, before, now in differing]
        print_json({"holds": not differing, "differences": rows, "notes": notes})
    else:
        _print_check(file, notes, differing)
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
