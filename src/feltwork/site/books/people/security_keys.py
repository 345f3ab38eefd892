"""Security keys of the office: public keys, the challenges they sign, and counters that only go forward."""

import secrets
from dataclasses import dataclass

from psycopg.errors import CheckViolation

from feltwork.site.books.connection import Connection
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import staff
from feltwork.site.books.people.people_rows import Person, token_hash
from feltwork.site.books.queries import statement
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

CHALLENGE_SECONDS = 5 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """A challenge for a security key, with an enrollment if the key is new."""

    person: Person
    enrollment: str | None
    challenge: bytes
    place: str


def issue_challenge(
    connection: Connection, person: str, *, place: str, enrollment: str | None = None
) -> tuple[str, bytes]:
    """Issue a ticket, and the challenge that a key must sign for it."""
    ticket, challenge = secrets.token_urlsafe(32), secrets.token_bytes(32)
    row = (token_hash(ticket), person, enrollment, challenge, place, CHALLENGE_SECONDS)
    connection.execute(statement("insert_key_challenge"), row)
    return ticket, challenge


def answer(connection: Connection, ticket: str) -> Challenge | None:
    """Redeem a ticket for its challenge, once: even a wrong answer uses it up."""
    row = connection.execute(statement("answer_key_challenge"), (token_hash(ticket),)).fetchone()
    if row is None:
        return None
    person = Person(id=row[0], name=row[1], role=row[2])
    return Challenge(person=person, enrollment=row[3], challenge=row[4], place=row[5])


def register(
    connection: Connection, challenge: Challenge, *, key: str, public_key: bytes, counter: int
) -> None:
    """Store a new key and use up its enrollment [GL-10]."""
    person = challenge.person.id
    enrollments = staff.open_enrollments(connection, person=person, enrollment=challenge.enrollment or "-")
    if not enrollments:
        raise refuse(
            f"person {person}",
            "no security key was authorized for this person",
            "ask two managers to authorize one",
            "GL-10",
        )
    with connection.transaction():
        staff.use(connection, enrollments[0], by=person)
        row = (key, person, public_key, enrollments[0].id)
        if not connection.execute(statement("register_key"), row).rowcount:
            raise refuse(
                f"person {person}", "this security key is already registered", "use another key", "GL-10"
            )
        use(connection, key, counter)
        details = {"key": key, "enrollment": enrollments[0].id}
        write_audit(
            connection, AuditLine(who=person, place=challenge.place, what="new security key", after=details)
        )


def public_key_of(connection: Connection, key: str, person: str) -> bytes:
    """The public key of a person's unrevoked security key."""
    row = connection.execute(statement("security_key"), (key,)).fetchone()
    if row is None or row[0] != person:
        raise refuse(
            f"person {person}", "this security key belongs to someone else", "use your own key", "GL-10"
        )
    if row[2]:
        raise refuse(
            f"person {person}",
            "this security key was revoked",
            "ask two managers to authorize another",
            "GL-10",
        )
    public_key: bytes = row[1]
    return public_key


def use(connection: Connection, key: str, counter: int) -> None:
    """Store the counter of a use; the database refuses a counter that does not increase."""
    try:
        with connection.transaction():
            connection.execute(statement("use_key"), (key, counter))
    except CheckViolation as error:
        remedy = "revoke this key, and ask two managers to authorize another"
        what = "the security key's counter went backward, so the key may have been copied"
        raise refuse(f"security key {key[:12]}", what, remedy, "GL-10") from error


def revoke(connection: Connection, request: TwoPersonRequest, *, key: str) -> None:
    """Revoke a lost or copied key."""
    with connection.transaction():
        if connection.execute(statement("security_key"), (key,)).fetchone() is None:
            raise refuse(f"security key {key[:12]}", "it does not exist", "check the staff list", "GL-10")
        connection.execute(statement("revoke_key"), (key, request.by, request.approved_by, request.reason))
        details = {"key": key, "approved_by": request.approved_by}
        line = AuditLine(
            who=request.by, place="office", what="security key taken", why=request.reason, after=details
        )
        write_audit(connection, line)
