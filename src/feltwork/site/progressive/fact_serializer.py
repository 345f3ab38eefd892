"""Facts as plain mappings and back, and the fingerprint recorded in entries and approvals."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from feltwork.site.progressive import facts, round_facts
from feltwork.site.progressive.facts import Fact

KINDS: Mapping[str, type[Fact]] = {
    kind.__name__: kind
    for module in (facts, round_facts)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Fact) and kind is not Fact and kind.__name__[0] != "_"
}
_FLAT = frozenset({str, int, bool, tuple})
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)
_NAMES = {name: tuple(field.name for field in fields(kind)) for name, kind in KINDS.items()}


def as_plain(fact: Fact) -> dict[str, object]:
    """The fact as a flat mapping, with its kind."""
    kind = type(fact).__name__
    plain: dict[str, object] = {"kind": kind}
    for name in _NAMES[kind]:
        value = getattr(fact, name)
        flat = type(value) in _FLAT or not isinstance(value, Mapping)
        plain[name] = value if flat else dict(value)
    return plain


def from_plain(plain: Mapping[str, Any]) -> Fact:
    """Restore the fact from a flat mapping; lists become tuples again."""
    kind: Callable[..., Fact] = KINDS[plain["kind"]]
    values = ((name, plain[name]) for name in _NAMES[plain["kind"]] if name in plain)
    return kind(**{name: tuple(value) if isinstance(value, list) else value for name, value in values})


def canonical_text(fact: Fact) -> str:
    """The fact as canonical JSON: sorted keys, no spaces, ASCII only."""
    return _ENCODER.encode(as_plain(fact))


def fingerprint(fact: Fact) -> str:
    """SHA-256 over the canonical JSON of a fact."""
    return fingerprint_of(canonical_text(fact))


def fingerprint_of(text: str) -> str:
    """SHA-256 over a canonical text."""
    return hashlib.sha256(text.encode()).hexdigest()
