"""The command that exports the books: a bundle, data for analysis, or the signed ends of days."""

import json
import os
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import AsData, Dsn, given, print_json
from feltwork.cli.console import at_work
from feltwork.problem import Problem, ProblemsError

_NO_TARGET = "where to write is not given"


def export_books(
    day: Annotated[
        str, typer.Argument(metavar="DAY", help="ALL, TODAY, YESTERDAY, or a gambling day like 2026-01-31.")
    ] = "ALL",
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="A new folder, or a file that ends with .tar; DAY in its name is the day. With --data, "
            "a folder or s3://BUCKET/PREFIX in a store; default FELTWORK_DATA.",
        ),
    ] = "",
    dsn: Dsn = "",
    keys: Annotated[
        Path | None,
        typer.Option(envvar="FELTWORK_KEYS", help="The folder with the key of the site, which signs it."),
    ] = None,
    once: Annotated[
        bool, typer.Option("--once", help="Leave a bundle that is there already, as a daily timer does.")
    ] = False,
    data: Annotated[
        bool, typer.Option("--data", help="Write Parquet files for analysis, one each per gambling day.")
    ] = False,
    endpoint: Annotated[
        str,
        typer.Option(
            envvar="FELTWORK_DATA_ENDPOINT",
            help="With --data: the URL of a store of your own, as S3.",
        ),
    ] = "",
    since: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="With --data: leave earlier gambling days out."),
    ] = None,
    heads: Annotated[
        bool, typer.Option("--heads", help="Sign the chain ends of completed days, and print them all.")
    ] = False,
    timestamp: Annotated[
        str,
        typer.Option(
            envvar="FELTWORK_TIMESTAMP",
            help="With --heads: the address of a time-stamping authority (RFC 3161).",
        ),
    ] = "",
    timestamp_certificate: Annotated[
        Path | None,
        typer.Option(
            envvar="FELTWORK_TIMESTAMP_CERTIFICATE",
            help="The file with the certificate of that authority, or of the one that signed it.",
        ),
    ] = None,
    send: Annotated[
        str,
        typer.Option(
            envvar="FELTWORK_SEND_HEADS",
            help="With --heads: who gets each new one: the address of a web service, or mailto:E-MAIL.",
        ),
    ] = "",
    mail: Annotated[
        str, typer.Option(envvar="FELTWORK_MAIL", help="The mail server, as smtps:, //, user@ and host.")
    ] = "",
    mail_from: Annotated[
        str, typer.Option(envvar="FELTWORK_MAIL_FROM", help="The site's e-mail address.")
    ] = "",
    mail_password: Annotated[
        Path | None,
        typer.Option(envvar="FELTWORK_MAIL_PASSWORD", help="A file with the password for the mail server."),
    ] = None,
    as_data: AsData = False,
) -> None:
    """Export a day of the books, or all of them, as a bundle for tools/verify_books.py.

    It prints the chain ends, too; keep them elsewhere to prove later that nothing was cut off. With --heads,
    each completed day's ends are one signed JSON line: `verify_books.py --heads FILE` shows whether a chain
    was rewritten. With --data, rounds, awards, journal and meters of days that are not exported yet are
    written; no file names a patron or an employee.
    """
    from feltwork.site.books.connection import connect

    if heads:
        if keys is None:
            raise ProblemsError(
                [Problem("--keys", "is not given", "pass the folder with the key of the site")]
            )
        from feltwork.site.books.audit import day_heads
        from feltwork.site.books.audit.site_key import PRIVATE, read_site_key
        from feltwork.site.books.watch.mail import MailServer

        with connect(given(dsn)) as connection, at_work("signing"):
            day_heads.sign_closed_days(connection, read_site_key(keys / PRIVATE))
            if timestamp:
                day_heads.anchor_heads(connection, timestamp, timestamp_certificate)
            if send:
                server = MailServer.read(mail, sender=mail_from, password=mail_password) if mail else None
                day_heads.send_heads(connection, send, server)
            ends = day_heads.day_heads(connection)
        for end in ends:
            typer.echo(json.dumps(day_heads.plain_head(end), sort_keys=True))
    elif data:
        _export_data(given(dsn), day, target, endpoint, since, as_data=as_data)
    else:
        _export_bundle(given(dsn), day, target, keys, once=once, as_data=as_data)


def _export_bundle(dsn: str, day: str, name: str, keys: Path | None, *, once: bool, as_data: bool) -> None:
    from feltwork.site.books.audit.audit import export_books as export
    from feltwork.site.books.connection import connect
    from feltwork.site.books.floors.site import period

    if not name:
        raise ProblemsError([Problem("TARGET", _NO_TARGET, "name a new folder or .tar file")])
    with connect(dsn) as connection, at_work("writing"):
        target = Path(name)
        target = target.with_name(target.name.replace("DAY", period(connection, day).name))
        if target.exists() and once:
            typer.echo(f"{target} is there already and is left as it is")
            return
        if target.exists():
            raise ProblemsError([Problem(str(target), "it already exists", "use a new folder or .tar file")])
        manifest = export(connection, target, day, keys=keys)
    if as_data:
        print_json(manifest)
        return
    for file, digest in sorted(manifest["files"].items()):
        typer.echo(f"{digest}  {file}")
    for link, about in manifest["links"].items():
        typer.echo(f"--tail {link}={about['closing']['number']}:{about['closing']['hash']}")
    end = manifest["evidence"]["closing"]
    typer.echo(f"--tail evidence={end['number']}:{end['hash']}")
    typer.echo(f"signed by {manifest['site_key']}" if manifest["site_key"] else "not signed: pass --keys")


def _export_data(
    dsn: str, day: str, target: str, endpoint: str, since: datetime | None, *, as_data: bool
) -> None:
    from feltwork.site.books.audit.data_export import export_data, open_store
    from feltwork.site.books.connection import connect

    target = target or os.environ.get("FELTWORK_DATA", "")
    if not target:
        remedy = "name a folder or s3://BUCKET/PREFIX, or set FELTWORK_DATA"
        raise ProblemsError([Problem("TARGET", _NO_TARGET, remedy)])
    store = open_store(target, endpoint=endpoint)
    again = "" if day == "ALL" else day
    days = []
    with connect(dsn) as connection:
        for exported in export_data(connection, store, day=again, since=since.date() if since else None):
            days.append(asdict(exported))
            if not as_data:
                counts = ", ".join(f"{rows:,} {name}" for name, rows in exported.rows.items())
                typer.echo(f"{exported.day}: {counts}; {exported.size:,} bytes")
    if as_data:
        print_json(days)
    elif not days:
        typer.echo(f"{target} has every gambling day that is over")
