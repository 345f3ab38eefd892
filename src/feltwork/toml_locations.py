"""TOML with line numbers for locating problems."""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from feltwork.problem import Problem, ProblemsError

T = TypeVar("T")
#: The location of a value in a document: ``("link", 0, "wager")`` is the wager of the first link.
Place: TypeAlias = tuple[str | int, ...]

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\"' -]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"\s*([\w-]+)\s*=")
_LONG_TEXT = re.compile(r'"""|\'\'\'')


#: Bounds of a document, checked before parsing: the parser's work grows with the square of a key's parts,
#: which are on one line. Within them, the worst document that we found takes 0.3 seconds.
MOST_CHARACTERS, _MOST_IN_LINE, _MOST_PARTS, _MOST_NESTED = 200_000, 1_000, 16, 32
_NESTED = "too many brackets are open at once"
#: A text, if need be to the end of the line, and what separates keys.
_TEXT = re.compile(r"""\"(?:[^"\\]|\\.)*(?:"|$)|'[^']*(?:'|$)""")
_BETWEEN_KEYS = re.compile(r"[^\w.\- \t]+")


class Document:
    """A TOML document with line numbers and the problems found in it; parsed data has no lines."""

    def __init__(self, source: str | Mapping[str, object], *, where: str) -> None:
        self.name = where
        self.problems: list[Problem] = []
        try:
            if isinstance(source, str):
                _verify_bounds(source, where)
            self.data = tomllib.loads(source) if isinstance(source, str) else source
        except tomllib.TOMLDecodeError as error:
            raise ProblemsError([Problem(where, str(error), "fix the TOML there")]) from error
        except RecursionError as error:
            raise ProblemsError([Problem(where, _NESTED, f"write at most {_MOST_NESTED}")]) from error
        self._lines = _lines_of(source) if isinstance(source, str) else None

    @property
    def root(self) -> "Section":
        """The whole document as a section."""
        return Section(self, self.data)

    def line(self, place: Place) -> int:
        """The line of a location, or of its nearest parent."""
        assert self._lines is not None, "parsed data has no lines"
        while place not in self._lines:
            place = place[:-1]
        return self._lines[place]

    def where(self, place: Place) -> str:
        """Return a location as file and line, for messages."""
        return self.name if self._lines is None else f"{self.name}:{self.line(place)}"

    def problem(self, place: Place, what: str, remedy: str) -> None:
        """Record a problem, to report all of them together."""
        text = f"{said(place)}: {what}" if place else what
        self.problems.append(Problem(self.where(place), text, remedy))

    def finish(self) -> None:
        """Raise all recorded problems."""
        if self.problems:
            raise ProblemsError(self.problems)


@dataclass(frozen=True, slots=True)
class Section:
    """A table of a document; unreadable values are recorded as problems and replaced by defaults."""

    document: Document
    data: Mapping[str, object]
    place: Place = ()

    def has(self, key: str) -> bool:
        """Whether the key is present."""
        return key in self.data

    def problem(self, key: str, what: str, remedy: str) -> None:
        """Record a problem with a key."""
        self.document.problem((*self.place, key), what, remedy)

    def refuse_unknown(self, known: Collection[str]) -> None:
        """Record every unknown key as a problem."""
        for key in sorted(set(self.data) - set(known)):
            self.problem(key, f"{key!r} is not a known key here", f"use one of {', '.join(sorted(known))}")

    def text(self, key: str, *, default: str | None = None) -> str:
        """Return a required text, which may be empty only if its default is."""
        value = self.data.get(key, default)
        if isinstance(value, str) and (value or default == ""):
            return value
        self.problem(key, f"{key} is missing or not text", f'add {key} = "..."')
        return ""

    def choice(self, key: str, values: Collection[str], *, default: str | None = None) -> str:
        """Return one of the allowed words."""
        value = self.data.get(key, default)
        if value in values:
            return str(value)
        what = f"{value!r} is not one of them" if self.has(key) else f"{key} is missing"
        self.problem(key, what, f"choose from: {', '.join(map(str, values))}")
        return next(iter(values), "")

    def whole(self, key: str, *, least: int, default: int | None = None) -> int:
        """Return a whole number that is at least ``least``."""
        value = self.data.get(key, default)
        if isinstance(value, int) and not isinstance(value, bool) and value >= least:
            return value
        self.problem(
            key,
            f"{key} is missing or not a whole number of at least {least}",
            f"write {key} = {least} or more",
        )
        return least

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self.data.get(key, default)
        if not isinstance(value, bool):
            self.problem(key, f"{value!r} is neither true nor false", "write true or false")
        return value is True

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty if the key is missing."""
        value = self.data.get(key, [])
        if isinstance(value, list) and all(isinstance(entry, str) for entry in value):
            return tuple(value)
        self.problem(key, "is no list of texts", f'write {key} = ["..."]')
        return ()

    def read(self, key: str, parse: Callable[[str], T], default: T, *, remedy: str) -> T:
        """Return the parsed value of a key; ``default`` also replaces an invalid value."""
        if not self.has(key):
            return default
        try:
            return parse(str(self.data[key]))
        except ValueError as error:
            self.problem(key, str(error), remedy)
            return default

    def section(self, key: str) -> "Section":
        """Return a table within this one, empty if it is missing."""
        value = self.data.get(key, {})
        if not isinstance(value, Mapping):
            self.problem(key, "is no table", f"write [{key}] and its keys below")
            value = {}
        return Section(self.document, value, (*self.place, key))

    def sections(self, key: str) -> tuple["Section", ...]:
        """Return the tables of an array, none if it is missing."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, Mapping) for entry in value):
            self.problem(key, "is no array of tables", f"write [[{key}]] for each")
            return ()
        return tuple(
            Section(self.document, entry, (*self.place, key, number)) for number, entry in enumerate(value)
        )


def _verify_bounds(text: str, where: str) -> None:
    """Raise if a document is larger or deeper than people write them."""

    def verify(what: str, count: int, most: int, number: int = 0) -> None:
        if count > most:
            place = f"{where}:{number}" if number else where
            raise ProblemsError([Problem(place, what, f"write at most {most:,}")])

    verify(f"it has {len(text):,} characters", len(text), MOST_CHARACTERS)
    is_open = 0
    for number, line in enumerate(text.splitlines(), 1):
        verify(f"the line has {len(line):,} characters", len(line), _MOST_IN_LINE, number)
        bare = _TEXT.sub("x", line).partition("#")[0]
        parts = 1 + max(key.count(".") for key in _BETWEEN_KEYS.split(bare))
        verify(f"a key has {parts} parts", parts, _MOST_PARTS, number)
        verify(_NESTED, is_open + bare.count("[") + bare.count("{"), _MOST_NESTED, number)
        is_open += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))


def said(place: Place) -> str:
    """Return a location in words: ``row 3, pays``."""
    words: list[str] = []
    for step in place:
        if isinstance(step, int):
            words[-1] = f"{words[-1]} {step + 1}"
        else:
            words.append(step)
    return ", ".join(words)


def _lines_of(text: str) -> dict[Place, int]:
    """The line of every header and of every key that begins a line."""
    lines: dict[Place, int] = {(): 1}
    table: Place = ()
    counts: dict[Place, int] = {}
    in_long_text = False
    for number, line in enumerate(text.splitlines(), 1):
        quotes = len(_LONG_TEXT.findall(line))
        if not in_long_text and (header := _HEADER.fullmatch(line)):
            table = _table(header[2], counts, is_array=header[1] == "[[")
            lines.setdefault(table, number)
        elif not in_long_text and (key := _KEY.match(line)):
            lines.setdefault((*table, key[1]), number)
        in_long_text ^= quotes % 2 == 1
    return lines


def _table(header: str, counts: dict[Place, int], *, is_array: bool) -> Place:
    """Return the location that a header opens; the name of an array means its last table."""
    place: Place = ()
    names = [name.strip(" \"'") for name in header.split(".")]
    for depth, name in enumerate(names, 1):
        place = (*place, name)
        if is_array and depth == len(names):
            counts[place] = counts.get(place, -1) + 1
        if place in counts:
            place = (*place, counts[place])
    return place
