"""People: a badge is a name, a PIN is the secret; tries are counted, and sessions are rows."""

import hashlib
import secrets
from dataclasses import dataclass
from functools import cache
from typing import Literal

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from psycopg.pq import TransactionStatus

from feltwork.books.connection import Connection
from feltwork.books.requests import Line, write_audit
from feltwork.books.statements import statement
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
class Secrets:
    """What somebody proves themselves with; at a table a PIN, in the office a password."""

    pin: str = ""
    password: str = ""


def register_person(connection: Connection, person: Person, badge: str, secret: Secrets, *, by: str) -> None:
    """Make a person known, or change what is known of them."""
    row = {
        "id": person.id,
        "name": person.name,
        "role": person.role,
        "badge": badge,
        "pin_hash": _hasher().hash(secret.pin) if secret.pin else None,
        "password_hash": _hasher().hash(secret.password) if secret.password else None,
    }
    with connection.transaction():
        connection.execute(statement("register_person"), row)
        told = {"id": person.id, "role": person.role, "badge": badge}
        write_audit(connection, Line(who=by, place="office", what="person registered", after=told))


def deactivate(connection: Connection, person: str, *, by: str, why: str) -> None:
    """Shut somebody out who has left [TR-03]."""
    with connection.transaction():
        connection.execute(statement("deactivate_person"), {"id": person})
        told = {"id": person, "active": False}
        write_audit(connection, Line(who=by, place="office", what="person deactivated", why=why, after=told))


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
            line = Line(who=badge, place=place, what="sign-in refused", why=problem)
            write_audit(connection, line)
    if problem:
        raise refuse(f"badge {badge}", problem, f"try again, or ask the office to give a new {by}", "GL-10")
    return Person(id=person, name=name, role=role)


def begin_session(connection: Connection, person: Person, *, place: str, seconds: int) -> str:
    """A token for somebody who has proved themselves; the books keep only its hash."""
    token = secrets.token_urlsafe(32)
    row = (_token_hash(token), person.id, place, seconds)
    connection.execute(statement("begin_session"), row)
    return token


def person_of(connection: Connection, token: str) -> Person | None:
    """Who a token is, while its session lasts."""
    found = session_of(connection, token)
    return found[0] if found else None


def session_of(connection: Connection, token: str) -> tuple[Person, str] | None:
    """Who a token is and where they signed in, while the session lasts."""
    row = connection.execute(statement("session_person"), (_token_hash(token),)).fetchone()
    return (Person(id=row[0], name=row[1], role=row[2]), row[3]) if row else None


def end_session(connection: Connection, token: str) -> None:
    """End a session."""
    connection.execute(statement("end_session"), (_token_hash(token),))


def _count(connection: Connection, person: str, tries: int) -> None:
    row = {"person": person, "tries": tries, "locked": tries >= TRIES, "seconds": LOCKED_SECONDS}
    connection.execute(statement("count_try"), row)


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


def _token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
