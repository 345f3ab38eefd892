"""A problem: what is wrong, where, and what to do about it. Errors that people can cause are such data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce


class Sentence(str):
    """English text whose parts are known, so that a screen can show it in the language of its reader.

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
    """A sentence as an ordinary string, for encoders that take no other."""
    if isinstance(value, Sentence):
        return str(value)
    raise NotImplementedError(type(value))


def listed(names: Iterable[str]) -> str:
    """Names of the data as a list."""
    sentences: list[str] = [Sentence(name) for name in names]
    return (
        reduce(lambda first, last: Sentence("%(first)s, %(last)s", first=first, last=last), sentences)
        if sentences
        else ""
    )


def any_of(parts: Sequence[str]) -> str:
    """Some parts as a choice: a supervisor or an executive."""
    return reduce(lambda first, last: Sentence("%(first)s or %(last)s", first=first, last=last), parts)


@dataclass(frozen=True, slots=True)
class Problem:
    """One correctable problem."""

    where: str
    what: str
    remedy: str
    #: The row of the requirements that asks for it, where one does.
    requirement: str = ""

    def __str__(self) -> str:
        cites = f" [{self.requirement}]" if self.requirement else ""
        return f"{self.where}: {self.what}{cites}; {self.remedy}"


def all_of(parts: Sequence[str]) -> str:
    """Several sentences as one."""
    sentences = [part if isinstance(part, Sentence) else Sentence(part) for part in parts]
    return reduce(lambda first, last: Sentence("%(first)s; %(last)s", first=first, last=last), sentences)


class ProblemsError(ValueError):
    """Everything that is wrong with an input, so that it can be mended in one go."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
