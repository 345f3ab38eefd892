"""Sign-in: badge and PIN at a table; badge, password and security key in the office; attempts are counted."""

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Literal, TypeAlias

from psycopg.errors import CheckViolation
from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import ProblemsError
from feltwork.site.books.authorize import verify_person
from feltwork.site.books.connection import Connection
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import Refusal, RefusedError, not_signed_in
from feltwork.site.books.fields import COMMAND, Name, Secret, Statement, with_example
from feltwork.site.books.floors.site import verify_dealer
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import credentials as people
from feltwork.site.books.people import staff
from feltwork.site.books.people.credentials import Person, token_hash
from feltwork.site.books.people.staff import Proof
from feltwork.site.books.queries import rows_of, statement
from feltwork.site.compliance.roles import ROLES, granting
from feltwork.site.progressive.facts import Instant
from feltwork.site.progressive.refusal import refuse

#: Proof with which a session began.
SessionProof: TypeAlias = Proof | Literal["single sign-on"]
_KEY: Literal["security key"] = "security key"
_CHALLENGE_SECONDS = 5 * 60


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class SignedInView:
    """The signed-in person, and the commands they may give and approve."""

    person: str
    name: str
    role: str
    may: list[str]
    approves: list[str]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class SessionView(SignedInView):
    """A session; the token is for programs, browsers get it only in a cookie."""

    token: str = field(repr=False)


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class SignedOutView:
    """A session that has ended."""

    signed_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyChallenge:
    """The password was right; one of the person's keys, or a new one, must sign before the session begins."""

    person: Person
    keys: Sequence[str]
    ticket: str
    challenge: bytes
    new: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Challenge(Person):
    """A person's challenge for a security key, with an enrollment if the key is new."""

    enrollment: str | None
    challenge: bytes
    place: str


@validated(config=COMMAND, frozen=True, kw_only=True)
class SignIn:
    """A sign-in with badge and PIN at a table."""

    badge: Name = Field(examples=["B-17"])
    pin: Secret = Field(repr=False, examples=["2580"])
    #: The person's own PIN, which replaces one set by the office.
    new_pin: Secret | None = Field(default=None, repr=False, examples=["4711"])
    place: Statement = Field(default="floor", examples=["pit 1"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class Unlock:
    """The PIN of the person whose screen is locked."""

    pin: Secret = Field(repr=False, examples=["2580"])


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSignOn:
    """A person at a table, with their role at sign-on, and its beginning and end."""

    person: Person
    table: str
    began: Instant
    until: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnCopy:
    """A sign-on stored outside the books, for books that are restored to an earlier time."""

    id_hash: str
    person: str
    table: str
    until: Instant
    #: Unknown in copies of earlier releases.
    began: Instant = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnView:
    """A sign-on at one table: the id that its controller's messages carry, and its copy with its end."""

    id: str = field(repr=False)
    name: str
    copy: SignOnCopy


@validated(config=COMMAND, frozen=True, kw_only=True)
class SignInToOffice:
    """A sign-in with badge and password in the office."""

    badge: Name = Field(examples=["B-40"])
    password: Secret = Field(repr=False, examples=["correct horse battery staple"])
    place: Statement = Field(default="office", examples=["office"])


def sign_in(op: Operation, command: SignIn) -> SessionView:
    """Begin a session with badge and PIN; five wrong PINs lock the badge at this source.

    A PIN set by the office does not work until the person has replaced it [GL-10].
    """
    person = op.prove(
        command.badge,
        command.pin,
        place=command.place,
        source=op.source,
        by="PIN" if command.new_pin is None else "new PIN",
    )
    if command.new_pin is not None:
        where = f"person {person.id}"
        if command.new_pin == command.pin:
            raise refuse(where, "the new PIN is the same as the old PIN", "choose another", "GL-10")
        staff.verify_keypad(where, command.new_pin, op.policy.pin_digits)
        staff.change_own(
            op.connection,
            person.id,
            "PIN",
            command.new_pin,
            place=command.place,
            token="",
            key=op.policy.pin_key,
        )
    return _begin(op, person, command.place, proof="PIN")


def sign_on_at_table(op: Operation, table: str, badge: str, pin: str) -> SignOnView:
    """Sign on at a table controller with badge and PIN; it lasts as long as a session at a screen."""
    place = f"table {table}"
    person = op.prove(badge, pin, place=place, source=place)
    if granting((person.role,), "start_game"):
        verify_dealer(op.connection, person.id, table)
    sign_on = secrets.token_urlsafe(32)
    row = (token_hash(sign_on), person.id, person.role, table, op.policy.session_seconds)
    with op.connection.transaction():
        ((began, until),) = op.connection.execute(statement("begin_sign_on"), row).fetchall()
        write_audit(op.connection, AuditLine(who=person.id, place=place, what="signed on", why="PIN"))
    copy = SignOnCopy(id_hash=row[0], person=person.id, table=table, began=began, until=until)
    return SignOnView(id=sign_on, name=person.name, copy=copy)


def read_sign_ons(
    connection: Connection, new: Sequence[str], known: Sequence[str]
) -> list[tuple[str, StoredSignOn]]:
    """The sign-ons that are new to the reader, and the known ones that ended early, by id."""
    ids = {token_hash(sign_on): sign_on for sign_on in (*new, *known)}
    parameters = {"new": list(map(token_hash, new)), "known": list(map(token_hash, known))}
    return [
        (
            ids[row[0]],
            StoredSignOn(
                person=Person(id=row[1], name=row[2], role=row[3]), table=row[4], began=row[5], until=row[6]
            ),
        )
        for row in connection.execute(statement("sign_ons"), parameters)
    ]


def restore_sign_ons(connection: Connection, copies: Iterable[SignOnCopy]) -> int:
    """Restore the sign-ons that the books have lost, and return their number."""
    return sum(connection.execute(statement("restore_sign_on"), asdict(copy)).rowcount for copy in copies)


def sign_out(op: Operation) -> SignedOutView:
    """End the session, which invalidates its token."""
    verify_person(op, "sign out")
    op.connection.execute(statement("end_session"), (token_hash(op.token),))
    write_audit(op.connection, AuditLine(who=op.actor.id, place=op.actor.place, what="signed out"))
    return SignedOutView(signed_out=op.actor.id)


def keep_active(op: Operation) -> SignedInView:
    """Record that the screen is in use, so it is not locked."""
    verify_person(op, "use a screen")
    op.connection.execute(statement("keep_active"), (token_hash(op.token),))
    return signed_in(op)


def lock(op: Operation) -> SignedInView:
    """Lock the session until its person enters the PIN again."""
    verify_person(op, "lock a screen")
    op.connection.execute(statement("lock_session"), (token_hash(op.token),))
    write_audit(op.connection, AuditLine(who=op.actor.id, place=op.actor.place, what="screen locked"))
    return signed_in(op)


def unlock(op: Operation, command: Unlock) -> SignedInView:
    """Resume a locked session after its person has entered the PIN; wrong PINs count [GL-10].

    A PIN is weaker than a security key: a session that began with a key requires a new sign-in.
    """
    session = people.session_of(op.connection, op.token) if op.token else None
    if session is None:
        raise not_signed_in()
    if session.proof == _KEY:
        raise key_refused("a PIN does not unlock a session that began with a security key", "sign in again")
    person = op.prove(session.badge, command.pin, place=session.place, source=op.source)
    op.connection.execute(statement("keep_active"), (token_hash(op.token),))
    write_audit(op.connection, AuditLine(who=person.id, place=session.place, what="screen unlocked"))
    return SignedInView(person=person.id, name=person.name, role=person.role, **_grants_of(person.role))


def signed_in(op: Operation) -> SignedInView:
    """Show the actor, and what the role grants."""
    verify_person(op, "see who is signed in")
    return SignedInView(
        person=op.actor.id, name=op.actor.name, role=op.actor.role, **_grants_of(op.actor.role)
    )


def sign_in_to_office(op: Operation, command: SignInToOffice) -> SessionView | KeyChallenge:
    """Begin an office session, or return the security key challenge."""
    person = op.prove(command.badge, command.password, place=command.place, source=op.source, by="password")
    return _begin_in_office(op, person, command.place, proof="password")


def sign_in_through_provider(op: Operation, identify: Callable[[], str]) -> SessionView | KeyChallenge:
    """Begin an office session for whom the provider names, or return the security key challenge.

    ``identify`` names the person, or raises.
    """
    try:
        person = identify()
        members = staff.everyone(op.connection, person=person) if person else []
        if not members or not members[0].active:
            raise provider_refused(
                f"the sign-in provider calls you {person[:100]}, and nobody by that id works here",
                "ask IT to check your id here and at the provider",
            )
    except RefusedError as error:
        what = error.refusal.what[:300]
        write_audit(
            op.connection, AuditLine(who="provider", place="office", what="sign-in refused", why=what)
        )
        raise
    known = Person(id=members[0].id, name=members[0].name, role=members[0].role)
    return _begin_in_office(op, known, "office", proof="single sign-on")


def _begin_in_office(
    op: Operation, person: Person, place: str, *, proof: SessionProof
) -> SessionView | KeyChallenge:
    keys = staff.staff_member(op.connection, person.id).keys
    enrollments = staff.open_enrollments(op.connection, person=person.id)
    granted = next((enrollment.id for enrollment in enrollments if enrollment.what == _KEY), None)
    if granted is not None or keys:
        ticket, challenge = secrets.token_urlsafe(32), secrets.token_bytes(32)
        row = (token_hash(ticket), person.id, granted, challenge, place, _CHALLENGE_SECONDS)
        op.connection.execute(statement("insert_key_challenge"), row)
        return KeyChallenge(
            person=person, keys=keys, ticket=ticket, challenge=challenge, new=granted is not None
        )
    if op.policy.key_required:
        remedy = "ask two managers to authorize a security key for you"
        raise key_refused("the office requires a security key, and you have none registered", remedy)
    return _begin(op, person, place, proof=proof)


def sign_with_key(op: Operation, ticket: str, key: str, verify: Callable[[bytes, bytes], int]) -> SessionView:
    """Begin the session once the key has signed the challenge; a ticket is good for one attempt.

    ``verify`` checks the signature of a challenge by a public key, and returns the counter of the key.
    """
    with _challenge(op, ticket, new=False) as challenge:
        counter = verify(challenge.challenge, _public_key_of(op.connection, key, challenge.id))
        _use_key(op.connection, key, counter)
    return _begin(op, challenge, challenge.place, proof=_KEY)


def register_key(
    op: Operation, ticket: str, verify: Callable[[bytes], tuple[str, bytes, int]]
) -> SessionView:
    """Register a key that two people have granted, use up its enrollment, and begin the session with it.

    ``verify`` checks the answer of a new key to a challenge, and returns its id, public key and counter.
    """
    with _challenge(op, ticket, new=True) as challenge:
        key, public_key, counter = verify(challenge.challenge)
        where = f"person {challenge.id}"
        granted = staff.open_enrollments(
            op.connection, person=challenge.id, enrollment=challenge.enrollment or "-"
        )
        if not granted:
            remedy = "ask two managers to authorize one"
            raise refuse(where, "no security key was authorized for this person", remedy, "GL-10")
        with op.connection.transaction():
            staff.use(op.connection, granted[0], by=challenge.id)
            row = (key, challenge.id, public_key, granted[0].id)
            if not op.connection.execute(statement("register_key"), row).rowcount:
                raise refuse(where, "this security key is already registered", "use another key", "GL-10")
            _use_key(op.connection, key, counter)
            details = {"key": key, "enrollment": granted[0].id}
            line = AuditLine(who=challenge.id, place=challenge.place, what="new security key", after=details)
            write_audit(op.connection, line)
    return _begin(op, challenge, challenge.place, proof=_KEY)


def provider_refused(what: str, remedy: str) -> RefusedError:
    """Return the refusal of a single sign-on."""
    refusal = Refusal(rule="single-sign-on", requirement="GL-10", what=what, remedy=remedy, where="office")
    return RefusedError("not_signed_in", refusal)


def key_refused(what: str, remedy: str) -> RefusedError:
    """Return the refusal of a security key."""
    refusal = Refusal(rule="security-key", requirement="GL-10", what=what, remedy=remedy, where="office")
    return RefusedError("not_signed_in", refusal)


def _begin(op: Operation, person: Person, place: str, *, proof: SessionProof) -> SessionView:
    with op.connection.transaction():
        token = people.begin_session(
            op.connection, person, place=place, seconds=op.policy.session_seconds, proof=proof
        )
        write_audit(op.connection, AuditLine(who=person.id, place=place, what="signed in", why=proof))
    grants = _grants_of(person.role)
    return SessionView(token=token, person=person.id, name=person.name, role=person.role, **grants)


def _grants_of(role: str) -> dict[str, list[str]]:
    known = ROLES.get(role)
    return {"may": list(known.may) if known else [], "approves": list(known.approves) if known else []}


@contextmanager
def _challenge(op: Operation, ticket: str, *, new: bool) -> Iterator[_Challenge]:
    """The challenge of a ticket, once: even a wrong answer uses it up. A refusal goes to the audit log."""
    found = rows_of(op.connection, _Challenge, "answer_key_challenge", (token_hash(ticket),))
    if not found or (found[0].enrollment is not None) is not new:
        what = "this sign-in attempt was already used or has expired"
        raise key_refused(what, "sign in again from the start")
    try:
        yield found[0]
    except (RefusedError, ProblemsError) as error:
        if isinstance(error, ProblemsError):
            refused = key_refused(error.problems[0].what, error.problems[0].remedy)
        else:
            refused = error
        line = AuditLine(
            who=found[0].id, place=found[0].place, what="sign-in refused", why=refused.refusal.what
        )
        write_audit(op.connection, line)
        raise refused from error


def _public_key_of(connection: Connection, key: str, person: str) -> bytes:
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


def _use_key(connection: Connection, key: str, counter: int) -> None:
    """Store the counter of a use; the database refuses a counter that does not increase."""
    try:
        with connection.transaction():
            connection.execute(statement("use_key"), (key, counter))
    except CheckViolation as error:
        remedy = "revoke this key, and ask two managers to authorize another"
        what = "the security key's counter went backward, so the key may have been copied"
        raise refuse(f"security key {key[:12]}", what, remedy, "GL-10") from error
