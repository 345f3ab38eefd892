"""How a command is refused: one problem with its place, its requirement and its remedy."""

from feltwork.problem import Problem, ProblemsError


def refuse(where: str, what: str, remedy: str, requirement: str) -> ProblemsError:
    """The error to raise."""
    return ProblemsError([Problem(where, what, remedy, requirement)])
