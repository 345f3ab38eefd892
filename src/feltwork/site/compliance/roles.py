"""Roles: who may do what, and which rule decided."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from feltwork.problem import Sentence, any_of
from feltwork.site.compliance.two_person import Approval, Command, fingerprint

_DATA = tomllib.loads(files("feltwork.site.compliance").joinpath("roles.toml").read_text(encoding="utf-8"))

#: The words for a person without a role.
_NOBODY = Sentence("nobody")


@dataclass(frozen=True, slots=True)
class Role:
    """A role."""

    id: str
    #: The display names, alone and in a sentence: IT, Dealer; IT, a dealer.
    label: str
    who: Sentence
    says: str
    department: str
    may: tuple[str, ...]
    #: Commands it may not give but may approve.
    approves: tuple[str, ...]
    #: Two-person commands it may not give but may request; a person whose role grants them approves.
    requests: tuple[str, ...]
    read_only: bool


@dataclass(frozen=True, slots=True)
class CommandRule:
    """A command, and whether it takes two people."""

    name: str
    says: Sentence
    of: str
    two_people: bool
    departments: bool
    #: Whether it is given in the office, where a security key can be required.
    office: bool
    requirement: str


@dataclass(frozen=True, slots=True)
class Separation:
    """Two lists of roles or commands that one person may not combine."""

    rule: str
    requirement: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    why: Sentence

    def parts(self, name: str, other: str) -> bool:
        """Whether the rule separates these two, in either order."""
        return (name in self.first and other in self.second) or (name in self.second and other in self.first)


@dataclass(frozen=True, slots=True)
class RoleHolder:
    """A person with a badge."""

    id: str
    roles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PriorAction:
    """An earlier command of a person, about the same subject or another."""

    person: str
    command: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Prior actions and approvals that affect a permission."""

    deeds: Sequence[PriorAction] = ()
    approvals: Sequence[Approval] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Whether it is allowed, and the rule that decided."""

    allowed: bool
    rule: str
    requirement: str
    why: str
    remedy: str = ""


def _role(identifier: str, data: Mapping[str, Any]) -> Role:
    return Role(
        identifier,
        data["label"],
        Sentence(data["who"]),
        data["says"],
        data["department"],
        tuple(data["may"]),
        tuple(data.get("approves", ())),
        tuple(data.get("requests", ())),
        data.get("read_only", False),
    )


def _separations(key: str, first: str, second: str) -> tuple[Separation, ...]:
    return tuple(
        Separation(
            data["rule"], data["requirement"], tuple(data[first]), tuple(data[second]), Sentence(data["why"])
        )
        for data in _DATA[key]
    )


ROLES: Mapping[str, Role] = {name: _role(name, data) for name, data in _DATA["role"].items()}
COMMANDS: Mapping[str, CommandRule] = {
    name: CommandRule(
        name,
        Sentence(data["says"]),
        data["of"],
        data.get("two_people", False),
        data.get("departments", False),
        data.get("office", False),
        data.get("requirement", "WA-30"),
    )
    for name, data in _DATA["command"].items()
}
#: Separated roles, commands separated for one subject, commands separated for any subject.
APART = _separations("apart", "roles", "from")
SEPARATE = _separations("separate", "first", "second")
NEVER_BOTH = _separations("never_both", "first", "second")


def may(person: RoleHolder, command: Command, context: Context) -> Answer:
    """Decide whether a person may give a command now; the first rule that refuses decides."""
    return next(_refusals(person, command, context), _granted(person, command))


def granting(roles: Sequence[str], command: str) -> tuple[str, ...]:
    """Return the given roles that grant a command."""
    return tuple(role for role in roles if role in ROLES and command in ROLES[role].may)


def requesting(roles: Sequence[str], command: str) -> tuple[str, ...]:
    """Return the given roles that grant a command or may request it as a two-person command."""
    known = (ROLES[role] for role in roles if role in ROLES)
    return tuple(role.id for role in known if command in (*role.may, *role.requests))


def approving(roles: Sequence[str], command: str) -> tuple[str, ...]:
    """Return the given roles that may approve a command."""
    known = (ROLES[role] for role in roles if role in ROLES)
    return tuple(role.id for role in known if command in (*role.may, *role.approves))


def conflicts(roles: Sequence[str]) -> Iterator[tuple[str, str, Separation]]:
    """Yield pairs of roles that one person may not hold, with the rule."""
    pairs = [(role, other) for place, role in enumerate(roles) for other in roles[place + 1 :]]
    for role, other in pairs:
        yield from ((role, other, apart) for apart in APART if apart.parts(role, other))
    for role, other in pairs:
        for rule in NEVER_BOTH:
            if _brings_together(rule, role, other) and not any(apart.parts(role, other) for apart in APART):
                yield role, other, rule


def _brings_together(rule: Separation, role: str, other: str) -> bool:
    return any(
        rule.parts(command, other_command)
        for command in ROLES[role].may
        for other_command in ROLES[other].may
    )


def _refusals(person: RoleHolder, command: Command, context: Context) -> Iterator[Answer]:
    known = COMMANDS.get(command.name)
    if known is None:
        yield _no("known-commands", "WA-30", f"there is no command {command.name}", f"{', '.join(COMMANDS)}")
        return
    yield from _roles_refuse(person, command)
    yield from _deeds_refuse(person, command, context.deeds)
    if known.two_people:
        yield from _second_person_refuses(person, command, known, context.approvals)


def _roles_refuse(person: RoleHolder, command: Command) -> Iterator[Answer]:
    for role_name, other, rule in conflicts(person.roles):
        what = Sentence(
            "%(person)s is both %(one)s and %(other)s: %(why)s",
            person=person.id,
            one=ROLES[role_name].who,
            other=ROLES[other].who,
            why=rule.why,
        )
        yield _no(rule.rule, rule.requirement, what, "remove one of the roles")
    if not requesting(person.roles, command.name):
        able = granting(tuple(ROLES), command.name)
        readers = [role for role in person.roles if role in ROLES and ROLES[role].read_only]
        decided = "read-only" if readers else "roles"
        action = COMMANDS[command.name].says
        who = any_of([ROLES[role].who if role in ROLES else role for role in person.roles] or [_NOBODY])
        what = Sentence("%(who)s may not %(command)s", who=who, command=action)
        yield _no(decided, "WA-30", what, ask_one_of(able))


def _deeds_refuse(person: RoleHolder, command: Command, deeds: Sequence[PriorAction]) -> Iterator[Answer]:
    for deed in deeds:
        if deed.person != person.id or deed.about != command.about:
            continue
        for rule in SEPARATE:
            if rule.parts(deed.command, command.name):
                yield _no(rule.rule, rule.requirement, did_before(deed, rule), "ask someone else")


def did_before(deed: PriorAction, rule: Separation) -> Sentence:
    """Explain the refusal of a person who acted on the same subject before."""
    did = COMMANDS[deed.command].says
    return Sentence(
        "%(person)s did this before: %(command)s; %(why)s", person=deed.person, command=did, why=rule.why
    )


def _second_person_refuses(
    person: RoleHolder, command: Command, known: CommandRule, approvals: Sequence[Approval]
) -> Iterator[Answer]:
    """Refuse unless an authorized second person has approved exactly this command."""
    expected = fingerprint(command)
    others = [approval for approval in approvals if approval.person != person.id]
    exact = [approval for approval in others if approval.fingerprint == expected]
    able = [approval for approval in exact if approving(approval.roles, command.name)]
    if not others:
        why: str = Sentence("it takes two people to %(command)s", command=known.says)
        remedy = "ask a second person to approve it"
    elif not exact:
        why, remedy = "the approval is for a different command", "ask for approval of exactly this one"
    elif not able:
        why = Sentence("%(who)s may not %(command)s", who=exact[0].person, command=known.says)
        remedy = ask_one_of(approving(tuple(ROLES), command.name))
    elif known.departments and not any(_departments_differ(person, approval, command) for approval in able):
        why, remedy = "both people are in the same department", "ask somebody of another department"
    else:
        return
    yield _no("two-people", known.requirement, why, remedy)


def _departments_differ(person: RoleHolder, approval: Approval, command: Command) -> bool:
    own_departments = {ROLES[role].department for role in granting(person.roles, command.name)}
    approver_departments = {ROLES[role].department for role in approving(approval.roles, command.name)}
    return not own_departments & approver_departments


def _granted(person: RoleHolder, command: Command) -> Answer:
    known = COMMANDS.get(command.name)
    if known is None:
        return _no("known-commands", "WA-30", f"there is no command {command.name}", "choose another")
    role = next(iter(requesting(person.roles, command.name)), "")
    rule = "two-people" if known.two_people else f"role-{role}"
    who = ROLES[role].who if role else _NOBODY
    why = Sentence("%(who)s may %(command)s", who=who, command=known.says)
    if known.two_people:
        why = Sentence("%(may)s, and a second person approved exactly this", may=why)
    return Answer(allowed=True, rule=rule, requirement=known.requirement, why=why)


def ask_one_of(able: Sequence[str]) -> Sentence:
    """Return the remedy that names the roles to ask."""
    return Sentence("ask %(who)s", who=any_of([ROLES[role].who for role in able]))


def _no(rule: str, requirement: str, why: str, remedy: str) -> Answer:
    return Answer(allowed=False, rule=rule, requirement=requirement, why=why, remedy=remedy)
