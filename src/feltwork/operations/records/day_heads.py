"""Day heads: sign the chain ends of each closed day, and anchor them outside of the system."""

import json
import secrets
from pathlib import Path
from smtplib import SMTPException

import httpx

from feltwork.books.audit.day_heads import (
    DayHead,
    day_heads,
    save_anchor,
    save_copy,
    sign_closed_days,
    unanchored,
    unsent,
)
from feltwork.books.audit.site_key import PRIVATE, read_site_key
from feltwork.books.connection import Connection
from feltwork.operations.records.mail import MailServer
from feltwork.problem import Problem, ProblemsError

__all__ = ["DayHead", "anchor_heads", "day_heads", "plain_head", "send_heads", "sign_heads"]

_SECONDS = 30
_MAIL = "mailto:"
_ABOUT = "Keep this line: verify_books.py --heads compares a chain with it."
_SHA256 = bytes.fromhex("300d06096086480165030402010500")
#: Status codes of RFC 3161 for granted, with or without modifications.
_GRANTED = (0, 1)


def sign_heads(connection: Connection, keys: Path) -> list[DayHead]:
    """Sign the head of every gambling day that is over and has none."""
    return sign_closed_days(connection, read_site_key(keys / PRIVATE))


def anchor_heads(connection: Connection, authority: str) -> list[DayHead]:
    """Have a time-stamping authority (RFC 3161) stamp every head that it has not stamped yet."""
    waiting = unanchored(connection, authority)
    for head in waiting:
        save_anchor(connection, head, authority, timestamp(authority, head.digest))
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


def timestamp(authority: str, digest: bytes) -> bytes:
    """Request an authority's token, with its certificate, for a SHA-256 digest."""
    nonce = secrets.token_bytes(8)
    imprint = _der(0x30, _SHA256 + _der(0x04, digest))
    number = _der(0x02, b"\x01" + nonce)
    query = _der(0x30, _der(0x02, b"\x01") + imprint + number + _der(0x01, b"\xff"))
    try:
        headers = {"Content-Type": "application/timestamp-query"}
        answer = httpx.post(authority, content=query, headers=headers, timeout=_SECONDS).raise_for_status()
        whole, _ = _value(answer.content)
        status, token = _value(whole)
        granted = int.from_bytes(_value(status)[0], "big") in _GRANTED
    except (httpx.HTTPError, IndexError) as error:
        raise _unreachable(authority, str(error)) from error
    if not granted or digest not in token or nonce not in token:
        raise _unreachable(authority, "it refused, or stamped something else")
    return token


def _der(tag: int, content: bytes) -> bytes:
    """Encode an ASN.1 value with its tag and length; all values of a query are short."""
    assert len(content) < 128
    return bytes([tag, len(content)]) + content


def _value(text: bytes) -> tuple[bytes, bytes]:
    """Return the content of the first ASN.1 value, and the bytes after it."""
    size, start = text[1], 2
    if size >= 128:
        start = 2 + size - 128
        size = int.from_bytes(text[2:start], "big")
    return text[start : start + size], text[start + size :]


def _unreachable(url: str, what: str) -> ProblemsError:
    remedy = "check the address and try again; the head is signed and waits"
    return ProblemsError([Problem(url, what or "it does not answer", remedy, "GEN-09")])
