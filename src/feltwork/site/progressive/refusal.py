"""Refusal of a command: one problem with location, requirement and remedy."""

from feltwork.problem import HandInTheWay, Problem, ProblemsError


def refuse(
    where: str, what: str, remedy: str, requirement: str, in_the_way: HandInTheWay | None = None
) -> ProblemsError:
    """The error to raise."""
    return ProblemsError([Problem(where, what, remedy, requirement, in_the_way)])
