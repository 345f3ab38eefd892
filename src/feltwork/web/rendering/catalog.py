"""Message catalog: the text of screens and printed documents in the reader's language.

The English text is the message id. A language is a file ``locale/<language>/LC_MESSAGES/feltwork.po``, made
from ``locale/feltwork.pot``, which ``tools/extract_messages.py`` writes.
"""

from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from babel import negotiate_locale
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

SOURCE_LANGUAGE = "en"
#: The location of messages that come from registries of other packages: reports, roles, commands.
REGISTRIES = "registries"
LOCALE = Path(str(files("feltwork.web"))) / "locale"
_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


def language() -> str:
    """The language of the current request."""
    return _language.get()


def select_language(accepted: str) -> None:
    """Set the language of the current request to the first one accepted that has a catalog."""
    ranges = [part.partition(";")[0].strip() for part in accepted.split(",")]
    available = [SOURCE_LANGUAGE, *(folder.name for folder in LOCALE.iterdir() if folder.is_dir())]
    _language.set(negotiate_locale(ranges, available, sep="-") or SOURCE_LANGUAGE)


def N_(message: str) -> str:  # noqa: N802 - the gettext convention
    """Mark a message that is translated when it is shown."""
    return message


def gettext(message: str) -> str:
    """The message in the language of the current request."""
    return _translations(LOCALE, language()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """The singular or plural message for a count, in the language of the current request."""
    return _translations(LOCALE, language()).ngettext(singular, plural, count)


def script_messages() -> dict[str, str]:
    """The translated messages that scripts use, by their English text; empty for English."""
    return {
        str(message.id): str(message.string)
        for message in _catalog(LOCALE, language())
        if any(file.endswith(".js") or file == REGISTRIES for file, _ in message.locations)
    }


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
    write_mo(compiled, _catalog(folder, name))
    compiled.seek(0)
    return Translations(compiled)
