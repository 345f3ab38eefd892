"""The command that signs and anchors the chain ends of each day."""

import json
from pathlib import Path
from typing import Annotated

import typer

from feltwork.cli.arguments import Dsn, given


def sign_days(
    keys: Annotated[Path, typer.Option(envvar="FELTWORK_KEYS", help="The folder with the key of the site.")],
    dsn: Dsn = "",
    timestamp: Annotated[
        str,
        typer.Option(
            envvar="FELTWORK_TIMESTAMP", help="The address of a time-stamping authority (RFC 3161)."
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
            help="Who gets a copy of each new head: the address of a web service, or mailto: and an e-mail.",
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
) -> None:
    """Sign the chain ends of every completed gambling day and print them all, one JSON line each.

    Keep the lines elsewhere: `verify_books.py --heads FILE` shows whether a chain was rewritten.
    """
    from feltwork.cli.console import at_work
    from feltwork.site.books.audit.day_heads import (
        anchor_heads,
        day_heads,
        plain_head,
        send_heads,
        sign_closed_days,
    )
    from feltwork.site.books.audit.site_key import PRIVATE, read_site_key
    from feltwork.site.books.connection import connect
    from feltwork.site.books.watch.mail import MailServer

    with connect(given(dsn)) as connection, at_work("signing"):
        sign_closed_days(connection, read_site_key(keys / PRIVATE))
        if timestamp:
            anchor_heads(connection, timestamp, timestamp_certificate)
        if send:
            server = MailServer.read(mail, sender=mail_from, password=mail_password) if mail else None
            send_heads(connection, send, server)
        heads = day_heads(connection)
    for head in heads:
        typer.echo(json.dumps(plain_head(head), sort_keys=True))
