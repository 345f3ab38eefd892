"""The product as its users call it: commands in this process, and their JSON."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from typer.testing import CliRunner

import feltwork
from feltwork.cli.main import application


def command(*arguments: str) -> str:
    """Return what a command prints; of a refusal its problems."""
    result = CliRunner().invoke(_application(arguments[0]), arguments)
    error = result.exception
    if isinstance(error, feltwork.ProblemsError):
        return f"refused: {error}"
    if error is not None and not isinstance(error, SystemExit):
        raise error
    assert result.exit_code in (0, 1), (arguments, result.output)
    return result.stdout


# Typer makes a command from its function anew for each application.
_application = cache(application)


def data(*arguments: str) -> Any:
    """Return the JSON that a command prints."""
    return parsed(command(*arguments, "--json"))


def parsed(text: str) -> Any:
    """Parse JSON; of a float ten digits count, because processors differ in the last ones."""
    return json.loads(text, parse_float=lambda number: f"{float(number):.10g}")


def titles() -> list[dict[str, Any]]:
    """Return every title with its paytables by bet."""
    listed: list[dict[str, Any]] = data("titles")
    return listed


def leaves(place: str, value: Any, depth: int = 1) -> Iterator[tuple[str, str]]:
    """Give a place to each part of a value, down to a depth."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not depth or not parts or not value:
        yield place, value if isinstance(value, str) else canonical(value)
        return
    for name, part in parts:
        yield from leaves(f"{place}/{name}", part, depth - 1)


def canonical(value: Any) -> str:
    """Write JSON on one line, in an order of its own."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
