"""Day heads: the ends of all chains at the close of a gambling day, signed with the key of the site."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from psycopg.rows import class_row

from feltwork.problem import Problem
from feltwork.site.books.audit.evidence import evidence_end
from feltwork.site.books.audit.site_key import SiteKey, is_signed_by, register_public_key
from feltwork.site.books.connection import Connection
from feltwork.site.books.floors.floor_files import gambling_day
from feltwork.site.books.queries import statement
from feltwork.site.progressive.refusal import refuse


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


def verify_site_key(connection: Connection, key: SiteKey) -> None:
    """Raise unless the books know the key; register the first key that signs."""
    keys = connection.execute(statement("site_keys")).fetchall()
    if not keys:
        register_public_key(connection, key.public)
    elif (key.public,) not in keys:
        remedy = "run feltwork init --keys as the owner of the books"
        raise refuse("site key", "the books do not know this key", remedy, "GEN-09")


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
    with connection.cursor(row_factory=class_row(DayHead)) as cursor:
        return cursor.execute(statement("day_heads")).fetchall()


def unanchored(connection: Connection, authority: str) -> list[DayHead]:
    """The heads that an authority has not stamped."""
    with connection.cursor(row_factory=class_row(DayHead)) as cursor:
        return cursor.execute(statement("unanchored_heads"), (authority,)).fetchall()


def save_anchor(connection: Connection, head: DayHead, authority: str, token: bytes) -> None:
    """Save the token of a time-stamping authority."""
    connection.execute(statement("save_anchor"), (head.day, authority, token))


def unsent(connection: Connection, receiver: str) -> list[DayHead]:
    """The heads that a receiver has no copy of."""
    with connection.cursor(row_factory=class_row(DayHead)) as cursor:
        return cursor.execute(statement("unsent_heads"), (receiver,)).fetchall()


def save_copy(connection: Connection, head: DayHead, receiver: str) -> None:
    """Record that a head was sent to a receiver."""
    connection.execute(statement("save_copy"), (head.day, receiver))


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


def _body(connection: Connection, day: date, ended_at: datetime, previous: str) -> str:
    body = {
        "day": day.isoformat(),
        "ended_at": ended_at.isoformat(),
        **chain_ends(connection, ended_at),
        "previous": hashlib.sha256(previous.encode()).hexdigest(),
    }
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
