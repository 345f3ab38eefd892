"""People: a badge is a name, a PIN is the secret; tries are counted, and sessions are rows."""

import hashlib
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from psycopg.pq import TransactionStatus

from feltwork.books.connection import Connection
from feltwork.books.journal.idempotency import AuditLine, write_audit
from feltwork.books.queries import statement
from feltwork.progressive.refusal import refuse

TRIES = 5
LOCKED_SECONDS = 15 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who is signed in, and in which role."""

    id: str
    name: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Who is signed in, where, and what they proved themselves with."""

    person: Person
    place: str
    proof: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """The PIN for tables and the password for the office."""

    pin: str = ""
    password: str = ""


def register_person(connection: Connection, person: Person, badge: str, secret: Secrets, *, by: str) -> None:
    """Make a person known, or change what is known of them."""
    register_people(connection, {badge: person}, secret, by=by)


def register_people(
    connection: Connection,
    people: Mapping[str, Person],
    secret: Secrets,
    *,
    by: str,
    hasher: Callable[[str], str] | None = None,
) -> None:
    """Register several people by badge with one initial secret, which is hashed once."""
    hashed = hasher or hash_of
    hashes = {
        "pin_hash": hashed(secret.pin) if secret.pin else None,
        "password_hash": hashed(secret.password) if secret.password else None,
    }
    with connection.transaction():
        for badge, person in people.items():
            details = {"id": person.id, "role": person.role, "badge": badge}
            row = {**details, "name": person.name, **hashes}
            connection.execute(statement("register_person"), row)
            write_audit(
                connection, AuditLine(who=by, place="office", what="person registered", after=details)
            )


def owns_books(connection: Connection) -> bool:
    """Whether the login owns the schema, as required to register the initial staff."""
    row = connection.execute(statement("owns_books")).fetchone()
    return row is not None and bool(row[0])


def prove(
    connection: Connection, badge: str, given: str, *, place: str, by: Literal["PIN", "password"] = "PIN"
) -> Person:
    """The person behind badge and PIN or password; wrong tries count even when they are refused [GL-10]."""
    wrong = f"badge or {by} is wrong"
    idle = connection.info.transaction_status == TransactionStatus.IDLE
    assert idle, "a refusal that rolls back an outer transaction would forget the try"
    with connection.transaction():
        row = connection.execute(statement("person_by_badge"), (badge,)).fetchone()
        problem = ""
        if row is None:
            _matches(_decoy(), given)
            problem = wrong
        else:
            person, name, role, pin_hash, password_hash, tries, locked, active = row
            kept = pin_hash if by == "PIN" else password_hash
            if locked:
                problem = f"{TRIES} wrong tries: the badge is locked"
            elif not _matches(kept or _decoy(), given) or not kept or not active:
                problem = wrong
                _count(connection, person, tries + 1)
            elif tries:
                _count(connection, person, 0)
        if problem:
            line = AuditLine(who=badge, place=place, what="sign-in refused", why=problem)
            write_audit(connection, line)
    if problem:
        raise refuse(f"badge {badge}", problem, f"try again, or ask the office to give a new {by}", "GL-10")
    return Person(id=person, name=name, role=role)


def by_badge(connection: Connection, badges: Sequence[str]) -> list[dict[str, str]]:
    """Who some badges are; a badge is a name and no secret."""
    return _listed(connection, "people_by_badge", badges)


def by_role(connection: Connection, roles: Sequence[str]) -> list[dict[str, str]]:
    """Everybody of some roles, with their badges."""
    return _listed(connection, "people_by_role", roles)


def _listed(connection: Connection, name: str, asked: Sequence[str]) -> list[dict[str, str]]:
    rows = connection.execute(statement(name), (list(asked),)).fetchall()
    return [dict(zip(("id", "name", "role", "badge"), row, strict=True)) for row in rows]


def begin_session(
    connection: Connection, person: Person, *, place: str, seconds: int, proof: str = "PIN"
) -> str:
    """Begin a session and return its token; only the hash is stored."""
    token = secrets.token_urlsafe(32)
    row = (token_hash(token), person.id, place, seconds, proof)
    connection.execute(statement("begin_session"), row)
    return token


def session_of(connection: Connection, token: str) -> Session | None:
    """The open session of a token."""
    row = connection.execute(statement("session_person"), (token_hash(token),)).fetchone()
    if row is None:
        return None
    return Session(person=Person(id=row[0], name=row[1], role=row[2]), place=row[3], proof=row[4])


def end_session(connection: Connection, token: str) -> None:
    """End a session."""
    connection.execute(statement("end_session"), (token_hash(token),))


def _count(connection: Connection, person: str, tries: int) -> None:
    row = {"person": person, "tries": tries, "locked": tries >= TRIES, "seconds": LOCKED_SECONDS}
    connection.execute(statement("count_failed_attempt"), row)


def _matches(kept: str, given: str) -> bool:
    try:
        return _hasher().verify(kept, given)
    except (VerificationError, InvalidHashError):
        return False


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _decoy() -> str:
    """An unknown badge takes as long as a known one."""
    return _hasher().hash(secrets.token_hex(16))


def hash_of(secret: str) -> str:
    """The stored hash of a PIN or password."""
    return _hasher().hash(secret)


def token_hash(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
