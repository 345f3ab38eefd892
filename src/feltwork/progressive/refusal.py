"""Refusal of a command: one problem with location, requirement and remedy."""

from feltwork.problem import Problem, ProblemsError


def refuse(where: str, what: str, remedy: str, requirement: str) -> ProblemsError:
    """The error to raise."""
    return ProblemsError([Problem(where, what, remedy, requirement)])
