"""The product as its users call it: its commands, in this process, and their JSON."""

import json
from collections.abc import Iterator
from typing import Any

from typer.testing import CliRunner

import feltwork
from feltwork.cli.main import application

_REFUSED = "refused: "


def command(*arguments: str) -> str:
    """Return what a command prints, or the problems for which it refuses."""
    result = CliRunner().invoke(application(arguments[0]), arguments)
    if isinstance(result.exception, feltwork.ProblemsError):
        return f"{_REFUSED}{result.exception}"
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code in (0, 1), (arguments, result.output)
    return result.stdout


def data(*arguments: str) -> Any:
    """Return the JSON that a command prints, or the text of its refusal."""
    return parsed(command(*arguments, "--json"))


def parsed(text: str) -> Any:
    """Parse JSON; ten digits of a float count, because processors differ in the last ones."""
    if text.startswith(_REFUSED):
        return text
    return json.loads(text, parse_float=lambda number: f"{float(number):.10g}")


def titles() -> list[tuple[str, bool, list[tuple[str, str]]]]:
    """Return every title, whether it is a game, and its bets and paytables."""
    return [
        (
            title["title"],
            title["kind"] == "game",
            [(bet, known) for bet in title["paytables"] for known in title["paytables"][bet]],
        )
        for title in data("titles")
    ]


def leaves(place: str, value: Any, depth: int = 1) -> Iterator[tuple[str, str]]:
    """Give a place to each part of a value, down to a depth."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if not depth or not parts or not value:
        yield place, value if isinstance(value, str) else canonical(value)
        return
    for name, part in parts:
        yield from leaves(f"{place}/{name}", part, depth - 1)


def canonical(value: Any) -> str:
    """Write JSON on one line, its keys sorted."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
