"""Staff: people, changes by two people, and their PINs, passwords and security keys."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Literal, TypeAlias

from psycopg.errors import UniqueViolation

from feltwork.problem import Sentence
from feltwork.site.books.connection import Connection
from feltwork.site.books.fields import with_example
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people.credentials import Person, token_hash
from feltwork.site.books.people.secret_hash import hash_of
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest

Proof: TypeAlias = Literal["PIN", "password", "security key"]
#: Time from the approval in which the secret or key must be set.
ENROLLMENT_SECONDS = 24 * 3_600
_SHORTEST_PASSWORD = 12
#: Guesses from lists of common passwords, names and words that a password must withstand.
_LEAST_GUESSES = 10**8
#: Number of leading characters of a password that are compared with the lists.
_MOST_COMPARED = 72


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PersonView:
    """A person and their means of sign-in, never the secrets."""

    id: str
    name: str
    role: str
    badge: str
    active: bool
    locked: bool
    has_pin: bool
    has_password: bool
    keys: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonOnDuty:
    """A signed-in person, with the time of their last activity; None at a table's controller."""

    place: str
    person: str
    name: str
    role: str
    since: datetime
    active_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrollment:
    """Permission for one new PIN, password or security key."""

    id: str
    person: str
    what: Proof
    granted_by: str
    approved_by: str


def on_duty(connection: Connection) -> list[PersonOnDuty]:
    """Everyone who is signed in on a screen or at a table, by place."""
    return rows_of(connection, PersonOnDuty, "people_on_duty")


def everyone(connection: Connection, *, badge: str = "", person: str = "") -> list[PersonView]:
    """All staff, or the person with this badge or id."""
    return rows_of(connection, PersonView, "everyone", {"badge": badge, "id": person})


def register_people(
    connection: Connection,
    people: Iterable[Person],
    *,
    by: str,
    pin: str = "",
    password: str = "",
    pin_is_granted: bool = False,
    hasher: Callable[[str], str] = hash_of,
) -> None:
    """Register several people with one initial PIN and password, each hashed once."""
    hashes = {
        "pin_hash": hasher(pin) if pin else None,
        "pin_is_granted": pin_is_granted,
        "password_hash": hasher(password) if password else None,
    }
    with connection.transaction():
        for person in people:
            details = {"id": person.id, "role": person.role, "badge": person.badge}
            connection.execute(statement("register_person"), {**details, "name": person.name, **hashes})
            connection.execute(statement("unlock_person"), (person.id,))
            write_audit(
                connection, AuditLine(who=by, place="office", what="person registered", after=details)
            )


def add(
    connection: Connection, request: TwoPersonRequest, *, person: str, name: str, role: str, badge: str
) -> None:
    """Add a person without a secret, who cannot sign in yet."""
    if everyone(connection, person=person):
        raise refuse(f"person {person}", "this id is already taken", "choose another id", "TR-03")
    secrets = {"pin_hash": None, "pin_is_granted": False, "password_hash": None}
    row = {"id": person, "name": name, "role": role, "badge": badge, **secrets}
    with connection.transaction():
        try:
            with connection.transaction():
                connection.execute(statement("register_person"), row)
        except UniqueViolation as error:
            raise _taken(badge) from error
        _write(connection, request, "person added", {"id": person, "role": role, "badge": badge})


def change(
    connection: Connection,
    request: TwoPersonRequest,
    person: str,
    *,
    role: str | None = None,
    badge: str | None = None,
    active: bool | None = None,
) -> None:
    """Change a person's role, badge or active status; open sessions end [TR-03]."""
    if role is not None and person in (request.by, request.approved_by):
        raise refuse(
            f"person {person}", "people may not change their own role", "ask two other people", "WA-30"
        )
    details: dict[str, Any] = {"role": role, "badge": badge, "active": active}
    before = staff_member(connection, person)
    with connection.transaction():
        try:
            with connection.transaction():
                _change(connection, person, **details)
        except UniqueViolation as error:
            raise _taken(badge or "") from error
        after = {name: value for name, value in details.items() if value is not None}
        _write(connection, request, "person changed", {"id": person, "was": before.role, **after})


def grant(
    connection: Connection, request: TwoPersonRequest, *, enrollment: str, person: str, what: Proof
) -> None:
    """Authorize a new PIN, password or security key, to be set once."""
    staff_member(connection, person)
    row = {"id": enrollment, "person": person, "what": what, "granted_by": request.by}
    more = {"approved_by": request.approved_by, "seconds": ENROLLMENT_SECONDS}
    with connection.transaction():
        connection.execute(statement("grant_enrollment"), {**row, **more})
        _write(
            connection, request, "enrollment granted", {"id": person, "what": what, "enrollment": enrollment}
        )


def open_enrollments(connection: Connection, *, person: str = "", enrollment: str = "") -> list[Enrollment]:
    """Enrollments that wait to be used, the oldest first."""
    return rows_of(connection, Enrollment, "open_enrollment", {"id": enrollment, "person": person})


def use(connection: Connection, enrollment: Enrollment, *, by: str) -> None:
    """Use an enrollment; a second time is refused."""
    if not connection.execute(statement("use_enrollment"), (enrollment.id, by)).rowcount:
        remedy = "ask two managers to authorize another"
        raise refuse(f"enrollment {enrollment.id}", "it was already used", remedy, "GL-10")


def set_secret(connection: Connection, enrollment: Enrollment, secret: str, *, by: str, key: bytes) -> None:
    """Store the hash of a new secret; earlier sessions and any lockout end."""
    _verify_secret(enrollment.person, enrollment.what, secret)
    with connection.transaction():
        use(connection, enrollment, by=by)
        hashed = _hashed(enrollment.what, secret, key, is_granted=True)
        _change(connection, enrollment.person, unlocks=True, **hashed)
        details = {"id": enrollment.person, "enrollment": enrollment.id}
        write_audit(
            connection, AuditLine(who=by, place="office", what=f"new {enrollment.what}", after=details)
        )


def change_own(
    connection: Connection, person: str, what: Proof, secret: str, *, place: str, token: str, key: bytes
) -> None:
    """Replace the secret of a person who has just entered the old one; other sessions end [GL-10]."""
    _verify_secret(person, what, secret)
    with connection.transaction():
        _change(connection, person, goes_on=token_hash(token), **_hashed(what, secret, key))
        write_audit(connection, AuditLine(who=person, place=place, what=f"new {what}", after={"id": person}))


def verify_keypad(where: str, pin: str, digits: int) -> None:
    """Raise for a PIN that the keypads of the tables do not accept."""
    if len(pin) != digits:
        raise refuse(
            where,
            "table keypads do not accept this PIN",
            Sentence("use %(digits)s digits", digits=digits),
            "GL-10",
        )


def verify_password(person: str, password: str) -> None:
    """Raise for a password that is short, common, or based on facts that everyone knows about the person."""
    from zxcvbn import zxcvbn

    where = f"person {person}"
    if len(password) < _SHORTEST_PASSWORD:
        remedy: str = Sentence("take at least %(count)s characters", count=_SHORTEST_PASSWORD)
        raise refuse(where, "the password is too short", remedy, "GL-10")
    if zxcvbn(password[:_MOST_COMPARED], user_inputs=[person, "feltwork"])["guesses"] < _LEAST_GUESSES:
        remedy = "take four or more words that have nothing to do with each other"
        raise refuse(where, "the password is common and easily guessed", remedy, "GL-10")


def _verify_secret(person: str, what: Proof, secret: str) -> None:
    """Raise for an invalid or easily guessed secret."""
    where = f"person {person}"
    if what == "password":
        verify_password(person, secret)
        return
    if not (secret.isascii() and secret.isdigit() and 4 <= len(secret) <= 12):
        raise refuse(where, "this is not a valid PIN", "use 4 to 12 digits", "GL-10")
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(secret)}
    if steps in ({0}, {1}, {9}):
        remedy = "take digits that are not all the same and do not run up or down"
        raise refuse(where, "the PIN is easily guessed", remedy, "GL-10")


def _hashed(what: Proof, secret: str, key: bytes, *, is_granted: bool = False) -> dict[str, Any]:
    hashed = hash_of(secret, key)
    return {"pin_hash": hashed, "pin_is_granted": is_granted} if what == "PIN" else {"password_hash": hashed}


def staff_member(connection: Connection, person: str) -> PersonView:
    """The staff member with this id; raises if there is none."""
    members = everyone(connection, person=person)
    if not person or not members:
        raise refuse(f"person {person}", "there is no person with this id", "check the staff list", "TR-03")
    return members[0]


def _change(
    connection: Connection, person: str, *, unlocks: bool = False, goes_on: str = "", **values: object
) -> None:
    """Update a person and end every session except the one with this token hash."""
    names = ("role", "badge", "active", "pin_hash", "pin_is_granted", "password_hash")
    row = {"id": person, **{name: values.get(name) for name in names}}
    connection.execute(statement("change_person"), row)
    if unlocks:
        connection.execute(statement("unlock_person"), (person,))
    connection.execute(statement("end_sessions"), {"person": person, "but": goes_on})


def _taken(badge: str) -> Exception:
    return refuse(f"badge {badge}", "this badge is already assigned", "assign another badge", "TR-03")


def _write(connection: Connection, request: TwoPersonRequest, what: str, after: dict[str, object]) -> None:
    details = {**after, "approved_by": request.approved_by}
    write_audit(
        connection, AuditLine(who=request.by, place="office", what=what, why=request.reason, after=details)
    )
