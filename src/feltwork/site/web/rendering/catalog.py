"""Message catalog: the text of screens in the reader's language.

The English text is the message id. A language is a file ``locale/<language>/LC_MESSAGES/feltwork.po``, made
from ``locale/feltwork.pot``, which ``tools/extract_messages.py`` writes. A message that no native speaker has
reviewed is marked fuzzy but still shown. Printed documents are in English, the language of the records.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from babel import Locale, negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from feltwork.problem import Sentence

SOURCE_LANGUAGE = "en"
#: Where messages stand: pages, scripts, printed documents, refusals that the books may keep as English text,
#: and registries of other packages (reports, roles, commands).
SCREENS, SCRIPTS, DOCUMENTS, REFUSALS, REGISTRIES = (
    "screens",
    "scripts",
    "documents",
    "refusals",
    "registries",
)
LOCALE = Path(str(files("feltwork.site.web"))) / "locale"
_VALUE = re.compile(r"%\(\w+\)s")
#: Minimum letters of a template without its values; a shorter one could match any text.
_LEAST_TEXT = 16
#: Tags of languages with variants: US Spanish, and Chinese in simplified characters.
_TAGS = {"es": "es-US", "zh": "zh-Hans"}


@dataclass(slots=True)
class RequestLanguage:
    """The language of a request's reader; one object shared by all threads that handle the request."""

    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageChoice:
    """A language available on screens, under its own name for itself."""

    id: str
    name: str
    #: Messages that no native speaker has reviewed yet.
    unreviewed: int


_reader: ContextVar[RequestLanguage] = ContextVar("reader")
_ENGLISH = RequestLanguage(SOURCE_LANGUAGE)


def language() -> str:
    """The language of the current request."""
    return _reader.get(_ENGLISH).language


def tag() -> str:
    """The tag of the current language, for HTML and time formats."""
    return _TAGS.get(language(), language())


def locale() -> str:
    """The current language as a Babel locale, for times and durations."""
    return tag().replace("-", "_")


def languages() -> tuple[LanguageChoice, ...]:
    """The languages available on screens, English first."""
    return tuple(map(_choice, (SOURCE_LANGUAGE, *_translated())))


def select_language(accepted: str) -> None:
    """Set the language of the current request to the first one accepted that has a catalog."""
    ranges = [part.partition(";")[0].strip() for part in accepted.split(",")]
    available = [SOURCE_LANGUAGE, *_translated()]
    _reader.set(RequestLanguage(negotiate_locale(ranges, available, sep="-") or SOURCE_LANGUAGE))


def switch_language(chosen: str) -> None:
    """Switch the current request to its reader's chosen language, if that still has a catalog."""
    if chosen == SOURCE_LANGUAGE or chosen in _translated():
        _reader.get(RequestLanguage(SOURCE_LANGUAGE)).language = chosen


@contextmanager
def in_english() -> Iterator[None]:
    """Render a printed document in English, the language of the site's records, no matter who prints it."""
    before = _reader.set(RequestLanguage(SOURCE_LANGUAGE))
    try:
        yield
    finally:
        _reader.reset(before)


def _translated() -> tuple[str, ...]:
    return _languages_in(LOCALE)


@cache
def _languages_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(path.name for path in folder.iterdir() if path.is_dir()))


def _choice(name: str) -> LanguageChoice:
    own_name = Locale.parse(name).get_language_name(name) or name
    fuzzy = sum(message.fuzzy for message in _catalog(LOCALE, name) if message.id)
    return LanguageChoice(id=name, name=own_name.capitalize(), unreviewed=fuzzy)


def N_(message: str) -> str:  # noqa: N802 - the gettext convention
    """Mark a message that is translated when it is shown."""
    return message


def gettext(message: str) -> str:
    """The message in the language of the current request."""
    return _translations(LOCALE, language()).gettext(message) if message else ""


def translated(text: str) -> str:
    """A text of another package, such as a refusal, in the language of the current request."""
    if not isinstance(text, Sentence):
        return gettext(text)
    values = {
        name: translated(value) if isinstance(value, Sentence) else value
        for name, value in text.values.items()
    }
    # Data names, such as four_of_a_kind, are in the catalog as text.
    return gettext(text.template) % values if values else gettext(text.template.replace("_", " "))


def ngettext(singular: str, plural: str, count: int) -> str:
    """The singular or plural message for a count, in the language of the current request."""
    return _translations(LOCALE, language()).ngettext(singular, plural, count)


def script_messages() -> dict[str, str]:
    """The translated messages that scripts use, by their English text; empty for English."""
    return {
        str(message.id): str(message.string)
        for message in _catalog(LOCALE, language())
        if message.string and any(place in (SCRIPTS, REGISTRIES) for place, _ in message.locations)
    }


def kept_templates() -> tuple[str, ...]:
    """The sentence templates with values from other packages, the one with the most literal text first."""
    return _kept_templates(LOCALE, language())


@cache
def _kept_templates(folder: Path, name: str) -> tuple[str, ...]:
    templates = {
        str(message.id)
        for message in _catalog(folder, name)
        if "%(" in message.id and any(place == REFUSALS for place, _ in message.locations)
    }
    own_text = {template: len(_VALUE.sub("", template)) for template in templates}
    return tuple(
        sorted(
            (template for template in templates if own_text[template] >= _LEAST_TEXT),
            key=lambda template: -own_text[template],
        )
    )


@cache
def _catalog(folder: Path, name: str) -> Catalog:
    file = folder / name / "LC_MESSAGES" / "feltwork.po"
    if not file.exists():
        return Catalog()
    with file.open("rb") as opened:
        return read_po(opened, locale=name)


@cache
def _translations(folder: Path, name: str) -> NullTranslations:
    compiled = BytesIO()
    write_mo(compiled, _catalog(folder, name), use_fuzzy=True)
    compiled.seek(0)
    return Translations(compiled)
