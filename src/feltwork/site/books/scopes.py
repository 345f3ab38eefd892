"""Scopes: the permissions of a service account's token."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from feltwork.site.compliance.roles import COMMANDS, ROLES, Answer, ask_one_of, granting

_DATA = tomllib.loads(files("feltwork.site.compliance").joinpath("roles.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Scope:
    """A group of commands for machines."""

    name: str
    says: str
    may: tuple[str, ...]


SCOPES: Mapping[str, Scope] = {
    name: Scope(name, scope["says"], tuple(scope["may"])) for name, scope in _DATA["scope"].items()
}


def granted(scopes: Sequence[str], command: str) -> bool:
    """Whether any of the scopes includes a command."""
    return any(command in SCOPES[scope].may for scope in scopes if scope in SCOPES)


def may(scopes: Sequence[str], command: str) -> Answer:
    """Return whether a token with these scopes may give a command, and why."""
    known = COMMANDS[command]
    if granted(scopes, command):
        return Answer(allowed=True, rule="scope", requirement=known.requirement, why=f"may {known.says}")
    able = [scope.name for scope in SCOPES.values() if command in scope.may]
    if able:
        remedy = f"ask two managers for the scope {' or '.join(able)}"
        return _no("scope", f"the token has no scope to {known.says}", remedy)
    return needs_person(known.says, granting(tuple(ROLES), command))


def needs_person(action: str, roles: Sequence[str] = ()) -> Answer:
    """Return the refusal of an action that takes a person."""
    why = f"only a person, not a service account, may {action}"
    return _no("person", why, ask_one_of(roles) if roles else "ask a person")


def other_table(table: str, tables: Sequence[str]) -> Answer:
    """Return the refusal of a token at a table outside its list."""
    why = f"the token is valid for {', '.join(tables)} only, not for {table or 'all tables'}"
    return _no("scope", why, "ask two managers to add the table")


def _no(rule: str, why: str, remedy: str) -> Answer:
    return Answer(allowed=False, rule=rule, requirement="WA-30", why=why, remedy=remedy)
