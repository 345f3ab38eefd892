"""Secrets from the environment, a prompt, or standard input."""

import os
import re
import sys

import typer

from feltwork.problem import Problem, ProblemsError


def variable_of(kind: str, who: str) -> str:
    """Return the environment variable of a person's secret: ``FELTWORK_PIN_B_2`` for the badge B-2."""
    return f"FELTWORK_{kind.upper()}_{re.sub('[^A-Z0-9]', '_', who.upper())}"


def typed(kind: str, of_whom: str, who: str, *, twice: bool = False) -> str:
    """Read a secret from the environment, a prompt or standard input."""
    variable = variable_of(kind, who)
    secret = os.environ.get(variable, "")
    if not secret and sys.stdin.isatty():
        secret = typer.prompt(f"{kind} of {of_whom}", hide_input=True, confirmation_prompt=twice)
    if not secret:
        secret = sys.stdin.readline().strip()
    if not secret:
        what, remedy = "it is missing", f"set {variable}, or run this at a terminal"
        raise ProblemsError([Problem(f"{kind} of {of_whom}", what, remedy)])
    return str(secret)
