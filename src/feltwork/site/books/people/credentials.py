"""People: a badge is a name, a PIN is the secret; attempts are counted, and sessions are rows."""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from psycopg.pq import TransactionStatus

from feltwork.problem import Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.errors import Refusal, RefusedError
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people.secret_hash import decoy, hash_of, key_id, key_of, matches
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.books.watch.alarms import raise_alarm

#: Failed attempts that lock a badge at their source, and the duration, doubled with each further attempt.
TRIES = 5
_LOCKED_SECONDS = 15 * 60
_LONGEST_LOCK_SECONDS = 24 * 3600
#: Failed attempts in an hour, at sources where a badge never signed in, before all of those are refused.
#: Half of them raise an alarm, in words that stay the same, so that it is written once.
_UNKNOWN_TRIES = 20
_LOCKED = (
    Sentence("too many failed attempts: the badge is temporarily locked here"),
    Sentence("sign in at another screen, wait, or ask the office to give a new PIN"),
)
_OTHER_KEY = (
    Sentence("this program lacks the key that the secret was hashed with"),
    Sentence(
        "set FELTWORK_PIN_KEY to the site's pin.key; if it is lost, the office must give everyone a new PIN"
    ),
)
#: Refusal of a PIN that the office set, and its remedy.
_GRANTED_PIN = (
    Sentence("the office set this PIN: choose your own first"),
    Sentence("sign in at a screen with this PIN, and enter a new one there"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A person by their badge, which is a name and not a secret."""

    id: str
    name: str
    role: str
    badge: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session(Person):
    """A person's session: the place, and the proof of identity."""

    place: str
    proof: str
    #: Idle time; decades once it is locked.
    idle_seconds: float
    #: The person's chosen language; empty follows the screen.
    language: str


def _tell_of_tries(connection: Connection, badge: str, name: str) -> None:
    what = Sentence(
        "somebody tries PINs with the badge of %(name)s at places where it was never right", name=name
    )
    raise_alarm(connection, "badge locked", f"badge {badge}", {"what": what}, by="sign-in")


def prove(
    connection: Connection,
    badge: str,
    secret: str,
    *,
    place: str,
    source: str = "",
    by: Literal["PIN", "new PIN", "password"] = "PIN",
    key: bytes = b"",
) -> Person:
    """Authenticate a person by badge and PIN or password; failed attempts count even if refused [GL-10].

    They lock the badge only for their source, which the entry point knows: an address, or the table of a
    device key. Nobody can lock a badge for others. A PIN that the office set is good only for setting a new
    PIN. A correct secret that was hashed without the key is rehashed with it.
    """
    kind = "password" if by == "password" else "PIN"
    wrong: str = Sentence("badge or %(secret)s is wrong", secret=Sentence(kind))
    remedy: str = Sentence("try again, or ask the office to give a new %(secret)s", secret=Sentence(kind))
    idle = connection.info.transaction_status == TransactionStatus.IDLE
    assert idle, "a refusal that rolls back an outer transaction would forget the try"
    with connection.transaction():
        parameters = {"badge": badge, "source": source}
        row = connection.execute(statement("person_by_badge"), parameters).fetchone()
        problem = ""
        if row is None:
            matches(decoy(), secret, key)
            problem = wrong
        else:
            person, name, role, pin_hash, pin_is_granted, password_hash, active, tries, locked, unknown = row
            stored_hash = (password_hash if by == "password" else pin_hash) or ""
            # A locked badge takes as long as any other.
            right = matches(stored_hash or decoy(), secret, key) and bool(stored_hash) and active
            if locked or unknown >= _UNKNOWN_TRIES:
                problem, remedy = _LOCKED
            elif key_of(stored_hash) not in ("", key_id(key)):
                problem, remedy = _OTHER_KEY
            elif not right:
                problem = wrong
                _count(connection, Person(id=person, name=name, role=role), source, tries + 1)
                if unknown + 1 >= _UNKNOWN_TRIES // 2:
                    _tell_of_tries(connection, badge, name)
            elif by == "PIN" and pin_is_granted:
                problem, remedy = _GRANTED_PIN
            else:
                connection.execute(statement("count_right_attempt"), {"person": person, "source": source})
                if key and not key_of(stored_hash):
                    column = "password_hash" if by == "password" else "pin_hash"
                    rehash = {"id": person, "pin_hash": None, "password_hash": None}
                    rehash[column] = hash_of(secret, key)
                    connection.execute(statement("rehash_secret"), rehash)
        if problem:
            line = AuditLine(who=badge, place=place, what="sign-in refused", why=problem)
            write_audit(connection, line)
    if problem:
        rule = "granted-pin" if problem == _GRANTED_PIN[0] else "badge-and-secret"
        refusal = Refusal(rule=rule, requirement="GL-10", what=problem, remedy=remedy, where=f"badge {badge}")
        raise RefusedError("not_signed_in", refusal)
    return Person(id=person, name=name, role=role, badge=badge)


def by_badge(connection: Connection, badges: Sequence[str]) -> list[Person]:
    """The people with these badges."""
    return rows_of(connection, Person, "people_by_badge", (list(badges),))


def by_role(connection: Connection, roles: Sequence[str]) -> list[Person]:
    """Everyone in these roles, with their badges."""
    return rows_of(connection, Person, "people_by_role", (list(roles),))


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
    return next(iter(rows_of(connection, Session, "session_person", (token_hash(token),))), None)


def unkeyed_people(connection: Connection, key: bytes) -> int:
    """Count the people whose PIN or password was hashed without this key."""
    row = connection.execute(statement("unkeyed_people"), {"key": f"{key_id(key)}:"}).fetchone()
    assert row is not None
    return int(row[0])


def _count(connection: Connection, person: Person, source: str, tries: int) -> None:
    seconds = 0
    if tries >= TRIES:
        seconds = min(_LOCKED_SECONDS << min(tries - TRIES, 10), _LONGEST_LOCK_SECONDS)
        what = Sentence(
            "%(tries)s failed sign-ins with the badge of %(name)s; the badge is locked there",
            tries=tries,
            name=person.name,
        )
        raise_alarm(connection, "badge locked", source or "console", {"what": what}, by="sign-in")
    row = {"person": person.id, "source": source, "tries": tries, "seconds": seconds}
    connection.execute(statement("count_failed_attempt"), row)


def token_hash(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
