"""Problems: the data form of errors that people can cause, with location, description and remedy."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce


class Sentence(str):
    """English text with its template and values, so a screen can show it in the reader's language.

    ``Sentence("seat %(seat)s is locked", seat=3)`` is the text "seat 3 is locked".
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> "Sentence":
        """Fill the values into the template."""
        sentence = super().__new__(cls, template % values if values else template)
        sentence.template, sentence.values = template, values
        return sentence


def plain_text(value: object) -> str:
    """Return a sentence as a plain string, for encoders that accept nothing else."""
    if isinstance(value, Sentence):
        return str(value)
    raise NotImplementedError(type(value))


def listed(names: Iterable[str]) -> str:
    """Join names with commas; each can be translated."""
    sentences: list[str] = [Sentence(name) for name in names]
    return (
        reduce(lambda first, last: Sentence("%(first)s, %(last)s", first=first, last=last), sentences)
        if sentences
        else ""
    )


def any_of(parts: Sequence[str]) -> str:
    """Join parts as a choice: a supervisor or an executive."""
    return reduce(lambda first, last: Sentence("%(first)s or %(last)s", first=first, last=last), parts)


@dataclass(frozen=True, slots=True)
class HandInTheWay:
    """A hand entered before that contradicts a refused one: pressing its button again clears it."""

    link: str
    seat: int
    hand: str


@dataclass(frozen=True, slots=True)
class Problem:
    """One correctable problem."""

    where: str
    what: str
    remedy: str
    #: The id of the requirement behind it, if any.
    requirement: str = ""
    in_the_way: HandInTheWay | None = None

    def __str__(self) -> str:
        cites = f" [{self.requirement}]" if self.requirement else ""
        return f"{self.where}: {self.what}{cites}; {self.remedy}"


def all_of(parts: Sequence[str]) -> str:
    """Join several sentences into one."""
    sentences = [part if isinstance(part, Sentence) else Sentence(part) for part in parts]
    return reduce(lambda first, last: Sentence("%(first)s; %(last)s", first=first, last=last), sentences)


class ProblemsError(ValueError):
    """All problems with an input, so they can be fixed in one pass."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
