"""Field problems: the error in each field of a request, in plain words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from feltwork.site.books.fields import CARDS_PATTERN, NAME_PATTERN, STATEMENT_PATTERN
from feltwork.site.web.rendering.catalog import N_
from feltwork.site.web.rendering.catalog import gettext as _

_UNKNOWN = N_("This value can't be used here.")
#: Remedies for text that does not match its pattern.
_PATTERNS = {
    NAME_PATTERN: N_("Use letters, digits and dashes only, such as P-1107."),
    STATEMENT_PATTERN: N_("Fill this in."),
    CARDS_PATTERN: N_("Enter cards such as As Kh."),
}
_SENTENCES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "missing": lambda _about: _("Fill this in."),
    "string_too_short": lambda _about: _("Fill this in."),
    "string_too_long": lambda about: _("Use at most %(count)s characters.") % {"count": about["max_length"]},
    "string_pattern_mismatch": lambda about: _(_PATTERNS.get(about["pattern"], _UNKNOWN)),
    "greater_than": lambda about: _("Use more than %(number)s.") % {"number": about["gt"]},
    "greater_than_equal": lambda about: _("Use %(number)s or more.") % {"number": about["ge"]},
    "less_than": lambda about: _("Use less than %(number)s.") % {"number": about["lt"]},
    "less_than_equal": lambda about: _("Use %(number)s or less.") % {"number": about["le"]},
    "literal_error": lambda about: _("Choose from: %(choices)s.") % {"choices": about["expected"]},
    "extra_forbidden": lambda _about: _("There is no such field."),
    "json_invalid": lambda _about: _("The request isn't valid JSON."),
}
_NUMBERS = ("int", "float", "decimal")


def field_problems(errors: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """A sentence for each invalid field, by field name."""
    sentences: dict[str, str] = {}
    for error in errors:
        name = next((part for part in reversed(error["loc"]) if isinstance(part, str)), "body")
        # A union alternative has a longer name; errors in its fields are reported separately.
        if name.isidentifier():
            sentences.setdefault(name, _sentence(error))
    return sentences


def _sentence(error: Mapping[str, Any]) -> str:
    kind = str(error["type"])
    if kind in _SENTENCES:
        return _SENTENCES[kind](error.get("ctx", {}))
    if kind.startswith(_NUMBERS):
        return _("Enter a whole number.")
    if kind.startswith("bool"):
        return _("Choose yes or no.")
    if kind.startswith("string"):
        return _("Enter text.")
    return _(_UNKNOWN)
