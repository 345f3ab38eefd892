"""Day heads: the ends of all chains at the close of a gambling day, signed, and anchored outside.

Only the command that stamps and sends heads needs the libraries for that, so they are imported there.
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from smtplib import SMTPException
from typing import Any
from urllib.parse import urlsplit

from cryptography.x509 import Certificate, load_pem_x509_certificate
from psycopg.rows import class_row

from feltwork.problem import Problem, ProblemsError
from feltwork.site.books.audit.export import evidence_end
from feltwork.site.books.audit.site_key import SiteKey, is_signed_by, verify_site_key
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import gambling_day
from feltwork.site.books.queries import statement
from feltwork.site.books.watch.mail import MailServer

_SECONDS = 30
_MAIL = "mailto:"
_ABOUT = "Keep this line: verify_books.py --heads compares a chain with it."


@dataclass(frozen=True, slots=True, kw_only=True)
class DayHead:
    """The ends of all chains when a day closed, as the text that was signed, and its signature."""

    day: date
    body: str
    signature: str


def sign_closed_days(connection: Connection, key: SiteKey, *, now: datetime | None = None) -> list[DayHead]:
    """Sign the head of every finished gambling day that has none, and return the new heads."""
    heads = []
    with connection.transaction():
        connection.execute(statement("lock_day_heads"))
        verify_site_key(connection, key)
        known = day_heads(connection)
        previous = known[-1].body if known else ""
        for day, ended_at in closed_days(connection, known[-1].day if known else None, now):
            body = _body(connection, day, ended_at, previous)
            head = DayHead(day=day, body=body, signature=key.sign(body.encode(), f"day head of {day}"))
            connection.execute(statement("save_day_head"), (day, ended_at, body, head.signature))
            heads.append(head)
            previous = body
    return heads


def chain_ends(connection: Connection, at: datetime) -> dict[str, Any]:
    """The ends of all chains, and of the evidence, at an instant."""
    ends = connection.execute(statement("export_ends"), {"since": at, "until": at}).fetchall()
    evidence = evidence_end(connection, at)
    return {
        "links": {link: {"number": number, "hash": digest} for link, _, number, digest, *_ in ends},
        "evidence": {"number": evidence.number, "hash": evidence.hash},
    }


def head_problems(connection: Connection) -> list[Problem]:
    """The first day whose head is not signed, does not follow the last, or names an end that no chain has."""
    keys = [public for (public,) in connection.execute(statement("site_keys"))]
    previous = ""
    for head in day_heads(connection):
        body = json.loads(head.body)
        tails = {**body["links"], "evidence": body["evidence"]}
        about = {
            "links": list(tails),
            "numbers": [tail["number"] for tail in tails.values()],
            "hashes": [tail["hash"] for tail in tails.values()],
        }
        wrong = connection.execute(statement("head_problem"), about).fetchone()
        what = ""
        if not any(is_signed_by(public, head.body.encode(), head.signature) for public in keys):
            what = "its head is not signed with the key of the site"
        elif body["previous"] != hashlib.sha256(previous.encode()).hexdigest():
            what = "its head does not follow that of the day before"
        elif wrong is not None:
            what = f"{wrong[0]}, entry {wrong[1]} is not the one that was signed"
        if what:
            remedy = "compare with the last export and restore it"
            return [Problem(f"day {head.day}", what, remedy, "GEN-09")]
        previous = head.body
    return []


def day_heads(connection: Connection) -> list[DayHead]:
    """Every signed head, in the order of days."""
    return _heads(connection, "day_heads")


def closed_days(
    connection: Connection, last: date | None, now: datetime | None = None
) -> Iterator[tuple[date, datetime]]:
    """Yield the finished gambling days after ``last``, or since the first, each with its end."""
    row = connection.execute(statement("first_instant")).fetchone()
    if row is None or row[0] is None:
        return
    hours = gambling_day(connection)
    day = hours.of(row[0]) if last is None else last + timedelta(days=1)
    while (ended_at := hours.bounds(day)[1]) <= (now or row[1]):
        yield day, ended_at.astimezone(UTC)
        day += timedelta(days=1)


def anchor_heads(connection: Connection, authority: str, certificate: Path | None) -> list[DayHead]:
    """Have a time-stamping authority (RFC 3161) stamp every head that it has not stamped yet."""
    if certificate is None:
        remedy = "set FELTWORK_TIMESTAMP_CERTIFICATE to a file with the certificate that you trust"
        raise ProblemsError([Problem(authority, "its certificate is not given", remedy, "GEN-09")])
    trusted = load_pem_x509_certificate(certificate.read_bytes())
    waiting = _heads(connection, "unanchored_heads", authority)
    for head in waiting:
        token = timestamp(authority, head.body.encode(), trusted)
        connection.execute(statement("save_anchor"), (head.day, authority, token))
    return waiting


def send_heads(connection: Connection, receiver: str, mail: MailServer | None = None) -> list[DayHead]:
    """Send each head that an outside receiver has not received yet, by HTTP or e-mail (``mailto:``)."""
    import httpx

    waiting = _heads(connection, "unsent_heads", receiver)
    for head in waiting:
        try:
            _send(head, receiver, mail)
        except (httpx.HTTPError, OSError, SMTPException) as error:
            raise _unreachable(receiver, str(error)) from error
        connection.execute(statement("save_copy"), (head.day, receiver))
    return waiting


def plain_head(head: DayHead) -> dict[str, str]:
    """Return a head in the form that receivers store."""
    return {"day": head.day.isoformat(), "body": head.body, "signature": head.signature}


def _send(head: DayHead, receiver: str, mail: MailServer | None) -> None:
    import httpx

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
    import httpx
    from rfc3161_client import (
        HashAlgorithm,
        TimestampRequestBuilder,
        VerificationError,
        VerifierBuilder,
        decode_timestamp_response,
    )

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


def _heads(connection: Connection, query: str, *about: str) -> list[DayHead]:
    with connection.cursor(row_factory=class_row(DayHead)) as cursor:
        return cursor.execute(statement(query), about).fetchall()


def _body(connection: Connection, day: date, ended_at: datetime, previous: str) -> str:
    body = {
        "day": day.isoformat(),
        "ended_at": ended_at.isoformat(),
        **chain_ends(connection, ended_at),
        "previous": hashlib.sha256(previous.encode()).hexdigest(),
    }
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
