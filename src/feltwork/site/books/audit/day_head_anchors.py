"""Day heads: sign the chain ends of each closed day, and anchor them outside of the system."""

import json
from pathlib import Path
from smtplib import SMTPException
from urllib.parse import urlsplit

import httpx
from cryptography.x509 import Certificate, load_pem_x509_certificate
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.day_heads import (
    DayHead,
    day_heads,
    save_anchor,
    save_copy,
    sign_closed_days,
    unanchored,
    unsent,
)
from feltwork.site.books.audit.site_key import PRIVATE, read_site_key
from feltwork.site.books.connection import Connection
from feltwork.site.books.watch.mail import MailServer

__all__ = ["DayHead", "anchor_heads", "day_heads", "plain_head", "send_heads", "sign_heads"]

_SECONDS = 30
_MAIL = "mailto:"
_ABOUT = "Keep this line: verify_books.py --heads compares a chain with it."


def sign_heads(connection: Connection, keys: Path) -> list[DayHead]:
    """Sign the head of every gambling day that is over and has none."""
    return sign_closed_days(connection, read_site_key(keys / PRIVATE))


def anchor_heads(connection: Connection, authority: str, certificate: Path | None) -> list[DayHead]:
    """Have a time-stamping authority (RFC 3161) stamp every head that it has not stamped yet."""
    if certificate is None:
        remedy = "set FELTWORK_TIMESTAMP_CERTIFICATE to a file with the certificate that you trust"
        raise ProblemsError([Problem(authority, "its certificate is not given", remedy, "GEN-09")])
    trusted = load_pem_x509_certificate(certificate.read_bytes())
    waiting = unanchored(connection, authority)
    for head in waiting:
        save_anchor(connection, head, authority, timestamp(authority, head.body.encode(), trusted))
    return waiting


def send_heads(connection: Connection, receiver: str, mail: MailServer | None = None) -> list[DayHead]:
    """Send each head that an outside receiver has not received yet, by HTTP or e-mail (``mailto:``)."""
    waiting = unsent(connection, receiver)
    for head in waiting:
        try:
            _send(head, receiver, mail)
        except (httpx.HTTPError, OSError, SMTPException) as error:
            raise _unreachable(receiver, str(error)) from error
        save_copy(connection, head, receiver)
    return waiting


def plain_head(head: DayHead) -> dict[str, str]:
    """Return a head in the form that receivers store."""
    return {"day": head.day.isoformat(), "body": head.body, "signature": head.signature}


def _send(head: DayHead, receiver: str, mail: MailServer | None) -> None:
    if not receiver.startswith(_MAIL):
        httpx.post(receiver, json=plain_head(head), timeout=_SECONDS).raise_for_status()
        return
    if mail is None:
        remedy = "set FELTWORK_MAIL to the address of a mail server"
        raise ProblemsError([Problem(receiver, "no mail server is set", remedy, "GEN-09")])
    line = json.dumps(plain_head(head), sort_keys=True)
    subject = f"Day head of {head.day.isoformat()}"
    mail.send(receiver.removeprefix(_MAIL), subject, f"{_ABOUT}\n\n{line}\n")


def timestamp(authority: str, body: bytes, certificate: Certificate) -> bytes:
    """Request an authority's token for a text, and verify it against the authority's certificate.

    The authority may be reached through a program on this machine, and otherwise by https only.
    """
    url = urlsplit(authority)
    if url.scheme != "https" and url.hostname not in ("127.0.0.1", "localhost"):
        raise _unreachable(authority, "its address is not https")
    request = TimestampRequestBuilder(data=body, hash_algorithm=HashAlgorithm.SHA256).build()
    verifier = VerifierBuilder.from_request(request).add_root_certificate(certificate).build()
    try:
        headers = {"Content-Type": "application/timestamp-query"}
        answer = httpx.post(authority, content=request.as_bytes(), headers=headers, timeout=_SECONDS)
        response = decode_timestamp_response(answer.raise_for_status().content)
        verifier.verify_message(response, body)
    except (httpx.HTTPError, ValueError, VerificationError) as error:
        raise _unreachable(authority, str(error)) from error
    return response.time_stamp_token()


def _unreachable(url: str, what: str) -> ProblemsError:
    remedy = "check the address and try again; the head is signed and waits"
    return ProblemsError([Problem(url, what or "it does not answer", remedy, "GEN-09")])
