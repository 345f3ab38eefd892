"""A problem: what is wrong, where, and what to do about it. Errors that people can cause are such data."""

from collections.abc import Iterable
from dataclasses import dataclass


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


class ProblemsError(ValueError):
    """Everything that is wrong with an input, so that it can be mended in one go."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))
