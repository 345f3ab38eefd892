"""People: badge holders, their permissions with reasons, and their PINs and passwords."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from secrets import token_hex
from typing import Literal

from pydantic import Field
from pydantic.dataclasses import dataclass as validated

from feltwork.problem import Sentence
from feltwork.site.books.authorize import authorize, authorize_any, refusal_of_second, verify_person
from feltwork.site.books.context import Operation
from feltwork.site.books.errors import not_allowed, unknown
from feltwork.site.books.fields import COMMAND, Name, Secret, with_example
from feltwork.site.books.links.links import award_deeds
from feltwork.site.books.people import staff
from feltwork.site.books.people.credentials import Person
from feltwork.site.books.people.secret_hash import hash_of
from feltwork.site.books.people.staff import Enrollment, PersonOnDuty, PersonView
from feltwork.site.books.queries import statement
from feltwork.site.compliance import roles
from feltwork.site.compliance.roles import COMMANDS, Answer, Context, PriorAction
from feltwork.site.compliance.two_person import Command
from feltwork.site.progressive.refusal import refuse
from feltwork.site.progressive.sign_offs import TwoPersonRequest


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleView:
    """Everyone with a badge, and who is on duty where."""

    people: list[PersonView]
    on_duty: list[PersonOnDuty]


@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionView:
    """Whether a person may give a command, the deciding rule, and the remedy."""

    command: str
    says: str
    allowed: bool
    #: Allowed once a second person approves.
    needs_second_person: bool
    may_approve: bool
    rule: str
    requirement: str
    why: str
    remedy: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class PermissionsView:
    """The permissions of a person."""

    person: str
    role: str
    answers: list[PermissionView]


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSecretView:
    """The confirmation that the actor's own PIN or password was changed."""

    person: str
    what: str


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class SecretView(OwnSecretView):
    """The confirmation that a new PIN or password was set."""

    enrollment: str


@validated(config=COMMAND, frozen=True, kw_only=True)
class SetSecret:
    """A new PIN or password, and the proposal that granted it."""

    enrollment: Name = Field(examples=["P-0c1d2e3f4a5b6c7d"], description="The proposal that granted it.")
    secret: Secret = Field(repr=False, examples=["2580"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class ChangeOwnSecret:
    """The old PIN or password of the actor, and the new one."""

    what: Literal["PIN", "password"] = Field(examples=["PIN"])
    old: Secret = Field(repr=False, examples=["2580"])
    new: Secret = Field(repr=False, examples=["4711"])


@validated(config=COMMAND, frozen=True, kw_only=True)
class ChooseLanguage:
    """The actor's language for every screen; empty for the screen's own."""

    language: str = Field(pattern=r"^([a-z]{2,3})?$", examples=["es"])


@with_example
@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageView:
    """The language that a person has chosen."""

    person: str
    language: str


def everyone(op: Operation) -> PeopleView:
    """List everyone with a badge, and who is on duty where."""
    authorize_any(op, "read_books", "manage_people")
    return PeopleView(people=staff.everyone(op.connection), on_duty=staff.on_duty(op.connection))


def person(op: Operation, badge: str) -> PersonView:
    """Show the person with a badge."""
    authorize_any(op, "read_books", "manage_people", about=badge)
    return _found(op, badge)


def own_person(op: Operation) -> PersonView:
    """Show the actor."""
    verify_person(op, "see your own page")
    return staff.staff_member(op.connection, op.actor.id)


def open_enrollments(op: Operation, person: str) -> Sequence[Enrollment]:
    """List a person's open enrollments."""
    authorize_any(op, "read_books", "manage_people", about=person)
    return staff.open_enrollments(op.connection, person=person)


def permissions(
    op: Operation, badge: str, command: str | None = None, link: str | None = None, award: str | None = None
) -> PermissionsView:
    """List for one command or all whether a person may give it, and the deciding rule."""
    authorize(op, Command(name="watch", about=badge))
    known = _found(op, badge)
    if command is not None and command not in COMMANDS:
        raise unknown(f"command {command}")
    deeds: Sequence[PriorAction] = ()
    if link is not None and award is not None:
        deeds = award_deeds(op.connection, link, award)
    names = [command] if command else list(COMMANDS)
    answers = [_permission(known, Command(name=name, about=award or ""), deeds) for name in names]
    return PermissionsView(person=known.id, role=known.role, answers=answers)


def set_secret(op: Operation, badge: str, command: SetSecret) -> SecretView:
    """Store a secret that two people granted, entered once in the session of the second person [GL-10]."""
    authorize(op, Command(name="manage_people", about=badge), waits=True)
    known = _found(op, badge)
    enrollments = staff.open_enrollments(op.connection, person=known.id)
    granted = next((enrollment for enrollment in enrollments if enrollment.id == command.enrollment), None)
    where = f"badge {badge}"

    def act() -> SecretView:
        if granted is None or granted.what == "security key":
            remedy = "propose manage_people with grant_secret"
            raise refuse(where, "no new PIN or password is authorized under this enrollment", remedy, "GL-10")
        if op.actor.id != granted.approved_by:
            what = "the new secret is entered on the screen of the person who approved it"
            raise refuse(where, what, Sentence("ask %(who)s", who=granted.approved_by), "GL-10")
        key = op.policy.pin_key
        staff.set_secret(op.connection, granted, command.secret, by=op.actor.id, key=key)
        return SecretView(person=known.id, what=granted.what, enrollment=granted.id)

    # The books store a hash of the request; a PIN could be guessed from it, so it is left out.
    return op.perform({"enrollment": command.enrollment}, SecretView, act)


def change_own_secret(op: Operation, command: ChangeOwnSecret) -> OwnSecretView:
    """Change the actor's own secret; a wrong old one is a failed attempt, and other sessions end [GL-10]."""
    verify_person(op, "change your own PIN or password")
    badge, where = own_person(op).badge, f"person {op.actor.id}"
    op.prove(badge, command.old, place=op.actor.place, source=op.source, by=command.what)
    if command.new == command.old:
        raise refuse(
            where,
            Sentence("this is the old %(secret)s", secret=Sentence(command.what)),
            "choose another",
            "GL-10",
        )
    if command.what == "PIN":
        staff.verify_keypad(where, command.new, op.policy.pin_digits)
    key = op.policy.pin_key
    staff.change_own(
        op.connection, op.actor.id, command.what, command.new, place=op.actor.place, token=op.token, key=key
    )
    return OwnSecretView(person=op.actor.id, what=command.what)


def choose_language(op: Operation, command: ChooseLanguage) -> LanguageView:
    """Store the actor's language for every screen."""
    verify_person(op, "choose a language")

    def act() -> LanguageView:
        op.connection.execute(statement("choose_language"), (op.actor.id, command.language))
        return LanguageView(person=op.actor.id, language=command.language)

    return op.perform(asdict(command), LanguageView, act)


def register_people(
    op: Operation,
    people: Sequence[Person],
    *,
    pin: str,
    password: str = "",
    pin_is_granted: bool = False,
    grants_keys: bool = False,
    hasher: Callable[[str], str] | None = None,
) -> None:
    """Register the initial staff of a site as the database owner, with their initial secrets.

    They replace a PIN that is granted at their first sign-in, and register a security key at the first one to
    the office if those are granted. A throwaway system, where signing in should cost nothing, has a hasher.
    """
    ((owns_books,),) = op.connection.execute(statement("owns_books")).fetchall()
    if not owns_books:
        answer = Answer(
            allowed=False,
            rule="owner",
            requirement="TR-03",
            why="only the owner of the database registers people without a second person",
            remedy="use the login of the database owner, or propose manage_people in the office",
        )
        raise not_allowed(answer)
    for person in people if password else ():
        staff.verify_password(person.id, password)
    by = op.name or "feltwork init"
    staff.register_people(
        op.connection,
        people,
        by=by,
        pin=pin,
        password=password,
        pin_is_granted=pin_is_granted,
        hasher=hasher or partial(hash_of, key=op.policy.pin_key),
    )
    request = TwoPersonRequest(by=by, approved_by="owner of the database", reason="the first key")
    for person in people if grants_keys else ():
        enrollment = f"init-{token_hex(8)}"
        staff.grant(op.connection, request, enrollment=enrollment, person=person.id, what="security key")


def _found(op: Operation, badge: str) -> PersonView:
    members = staff.everyone(op.connection, badge=badge)
    if not members:
        raise unknown(f"badge {badge}")
    return members[0]


def _permission(known: PersonView, command: Command, deeds: Sequence[PriorAction]) -> PermissionView:
    """The permission of a person for one command."""
    person = roles.RoleHolder(known.id, (known.role,) if known.role else ())
    answer = next(_shut_out(known), roles.may(person, command, Context(deeds=deeds)))
    rule = COMMANDS[command.name]
    approves = known.active and bool(roles.approving(person.roles, command.name))
    return PermissionView(
        command=command.name,
        says=rule.says,
        allowed=answer.allowed,
        needs_second_person=not answer.allowed and answer.rule == "two-people",
        may_approve=rule.two_people and approves and refusal_of_second(known.id, command, deeds) is None,
        rule=answer.rule,
        requirement=answer.requirement,
        why=answer.why,
        remedy=answer.remedy,
    )


def _shut_out(known: PersonView) -> Iterator[Answer]:
    if not known.active:
        why = Sentence("%(person)s was shut out", person=known.id)
        remedy = "propose manage_people with let_in"
        yield Answer(allowed=False, rule="shut-out", requirement="TR-03", why=why, remedy=remedy)
