"""Floor files in the books: every one that was registered, by two people, word for word."""

import hashlib
from dataclasses import dataclass
from datetime import datetime

from feltwork.books.connection import Connection
from feltwork.books.requests import Line, write_audit
from feltwork.books.statements import statement
from feltwork.progressive.people import Asked, verify_asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """A floor that was registered; its links take effect one by one, each while it is suspended [GEN-06]."""

    number: int
    fingerprint: str
    registered_by: str
    approved_by: str
    registered_at: datetime


def register_floor(connection: Connection, body: str, asked: Asked) -> int:
    """Keep a floor file; its number is the answer."""
    verify_asked("floor", asked, "GEN-19")
    fingerprint = hashlib.sha256(body.encode()).hexdigest()
    with connection.transaction():
        row = (fingerprint, body, asked.by, asked.approved_by)
        found = connection.execute(statement("register_floor"), row).fetchone()
        assert found is not None
        told = {"number": found[0], "fingerprint": fingerprint, "approved_by": asked.approved_by}
        line = Line(who=asked.by, place="office", what="floor registered", why=asked.reason, after=told)
        write_audit(connection, line)
    number: int = found[0]
    return number


def floors(connection: Connection) -> list[Floor]:
    """Every floor, the newest first."""
    names = ("number", "fingerprint", "registered_by", "approved_by", "registered_at")
    rows = connection.execute(statement("floors")).fetchall()
    return [Floor(**dict(zip(names, row, strict=True))) for row in rows]
