"""The two-person rule: an approval covers one exact command, by another person."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its name, its subject and its full body."""

    name: str
    #: The award, link, round or person that it applies to.
    about: str
    #: Plain values only: texts, whole numbers, lists and mappings of them.
    body: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Approval:
    """A second person's consent to one fingerprint."""

    person: str
    roles: tuple[str, ...]
    fingerprint: str


def fingerprint(command: Command) -> str:
    """Return the SHA-256 of a command's canonical JSON; another amount, link or reason changes it."""
    signed = {"name": command.name, "about": command.about, "body": command.body}
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=_refuse)
    return hashlib.sha256(text.encode()).hexdigest()


def approve(command: Command, person: str, roles: tuple[str, ...]) -> Approval:
    """Return a person's approval of exactly this command."""
    return Approval(person, roles, fingerprint(command))


def _refuse(value: object) -> object:
    raise TypeError(f"{value!r} has no canonical form; a command holds plain values")
