"""Sign-in: badge and PIN at a table; badge, password and security key in the office; attempts are counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import ProblemsError
from feltwork.site.books.authorize import verify_person
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import Refusal, RefusedError, not_signed_in
from feltwork.site.books.fields import COMMAND, Name, Secret, Statement, with_example
from feltwork.site.books.floors.site import verify_dealer
from feltwork.site.books.journal.idempotency import AuditLine, write_audit
from feltwork.site.books.people import people_rows as people
from feltwork.site.books.people import security_keys, sign_ons, staff
from feltwork.site.books.people.people_rows import Person, token_hash
from feltwork.site.books.people.security_keys import Challenge
from feltwork.site.books.people.sign_ons import SignOnCopy, restore_sign_ons
from feltwork.site.books.people.staff import Proof
from feltwork.site.books.queries import statement
from feltwork.site.compliance.roles import ROLES, granting
from feltwork.site.progressive.refusal import refuse

__all__ = ["SignOnCopy", "restore_sign_ons"]

#: Proof with which a session began.
SessionProof: TypeAlias = Proof | Literal["single sign-on"]
_KEY: Literal["security key"] = "security key"


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
class SignOnAtTable:
    """A sign-on with badge and PIN at a table controller's keypad."""

    table: str
    badge: str
    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOnView:
    """A sign-on at one table: the id that its controller's messages carry, and when it ends."""

    id: str = field(repr=False)
    person: str
    name: str
    until: int
    copy: SignOnCopy


@validated(config=COMMAND, frozen=True, kw_only=True)
class SignInToOffice:
    """A sign-in with badge and password in the office."""

    badge: Name = Field(examples=["B-40"])
    password: Secret = Field(repr=False, examples=["correct horse battery staple"])
    place: Statement = Field(default="office", examples=["office"])


@dataclass(frozen=True, slots=True, kw_only=True)
class SignInThroughProvider:
    """A sign-in to the office through a provider; `identify` names the person or raises."""

    identify: Callable[[], str]
    place: str = "office"


@dataclass(frozen=True, slots=True, kw_only=True)
class SignWithKey:
    """A ticket, the key that has signed for it, and the check of the signature, which returns its counter."""

    ticket: str
    key: str
    verify: Callable[[bytes, bytes], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterKey:
    """A ticket, and the check of a new key, which returns its id, public key and counter."""

    ticket: str
    verify: Callable[[bytes], tuple[str, bytes, int]]


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
        new = op.hashed_with(command.new_pin)
        staff.change_own(op.connection, person.id, "PIN", new, place=command.place, token="")
    return _begin(op, person, command.place, proof="PIN")


def sign_on_at_table(op: Operation, command: SignOnAtTable) -> SignOnView:
    """Sign on at a table controller with badge and PIN; it lasts as long as a session at a screen."""
    place = f"table {command.table}"
    person = op.prove(command.badge, command.pin, place=place, source=place)
    if granting((person.role,), "start_game"):
        verify_dealer(op.connection, person.id, command.table)
    with op.connection.transaction():
        sign_on, copy = sign_ons.begin_sign_on(
            op.connection, person, table=command.table, seconds=op.policy.session_seconds
        )
        write_audit(op.connection, AuditLine(who=person.id, place=place, what="signed on", why="PIN"))
    return SignOnView(id=sign_on, person=person.id, name=person.name, until=copy.until, copy=copy)


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


def sign_in_through_provider(op: Operation, command: SignInThroughProvider) -> SessionView | KeyChallenge:
    """Begin an office session for the person the provider names, or return the security key challenge."""
    try:
        known = _named(op, command.identify())
    except RefusedError as error:
        line = AuditLine(
            who="provider", place=command.place, what="sign-in refused", why=error.refusal.what[:300]
        )
        write_audit(op.connection, line)
        raise
    person = Person(id=known.id, name=known.name, role=known.role)
    return _begin_in_office(op, person, command.place, proof="single sign-on")


def _named(op: Operation, person: str) -> staff.PersonView:
    members = staff.everyone(op.connection, person=person) if person else []
    if not members or not members[0].active:
        raise provider_refused(
            f"the sign-in provider calls you {person[:100]}, and nobody by that id works here",
            "ask IT to check your id here and at the provider",
        )
    return members[0]


def _begin_in_office(
    op: Operation, person: Person, place: str, *, proof: SessionProof
) -> SessionView | KeyChallenge:
    keys = staff.staff_member(op.connection, person.id).keys
    enrollments = staff.open_enrollments(op.connection, person=person.id)
    granted = next((enrollment.id for enrollment in enrollments if enrollment.what == _KEY), None)
    if granted is not None or keys:
        ticket, challenge = security_keys.issue_challenge(
            op.connection, person.id, place=place, enrollment=granted
        )
        return KeyChallenge(
            person=person, keys=keys, ticket=ticket, challenge=challenge, new=granted is not None
        )
    if op.policy.key_required:
        remedy = "ask two managers to authorize a security key for you"
        raise key_refused("the office requires a security key, and you have none registered", remedy)
    return _begin(op, person, place, proof=proof)


def sign_with_key(op: Operation, command: SignWithKey) -> SessionView:
    """Begin the session once the key has signed the challenge; a ticket is good for one attempt."""
    challenge = _challenge(op, command.ticket, new=False)
    try:
        public_key = security_keys.public_key_of(op.connection, command.key, challenge.person.id)
        counter = command.verify(challenge.challenge, public_key)
        security_keys.use(op.connection, command.key, counter)
    except (RefusedError, ProblemsError) as error:
        raise _recorded(op, challenge, error) from error
    return _begin(op, challenge.person, challenge.place, proof=_KEY)


def register_key(op: Operation, command: RegisterKey) -> SessionView:
    """Register a key that two people have granted, and begin the session with it."""
    challenge = _challenge(op, command.ticket, new=True)
    try:
        key, public_key, counter = command.verify(challenge.challenge)
        security_keys.register(op.connection, challenge, key=key, public_key=public_key, counter=counter)
    except (RefusedError, ProblemsError) as error:
        raise _recorded(op, challenge, error) from error
    return _begin(op, challenge.person, challenge.place, proof=_KEY)


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


def _challenge(op: Operation, ticket: str, *, new: bool) -> Challenge:
    challenge = security_keys.answer(op.connection, ticket)
    if challenge is None or (challenge.enrollment is not None) is not new:
        raise key_refused(
            "this sign-in attempt was already used or has expired", "sign in again from the start"
        )
    return challenge


def _recorded(op: Operation, challenge: Challenge, error: RefusedError | ProblemsError) -> RefusedError:
    """Write the refusal to the audit log, and return it for the caller."""
    if isinstance(error, ProblemsError):
        error = key_refused(error.problems[0].what, error.problems[0].remedy)
    line = AuditLine(
        who=challenge.person.id, place=challenge.place, what="sign-in refused", why=error.refusal.what
    )
    write_audit(op.connection, line)
    return error
