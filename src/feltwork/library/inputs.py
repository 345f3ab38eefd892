"""Inputs of the library: a round or a paytable as an object, a dictionary, or text in TOML or JSON."""

import json
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.notation import read_round, round_from
from feltwork.titles.paytables.parse import parse_paytable
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round

#: A round: a `Round`, a dictionary in the round notation, its TOML or JSON, or the path of a file.
RoundInput: TypeAlias = Round | Mapping[str, object] | str | Path
#: A paytable: a `Paytable`, a dictionary with the keys of its file, its TOML or JSON, or the path of a file.
PaytableInput: TypeAlias = Paytable | Mapping[str, object] | str | Path
#: A value as a person writes it.
Value: TypeAlias = str | int | Decimal | Fraction
#: House options by name, such as ``{"decks": 6}``.
Options: TypeAlias = Mapping[str, Value]


def read_input(source: RoundInput) -> Round:
    """Read a round in any of its forms."""
    if isinstance(source, Round):
        return source
    text = _text_of(source, "round")
    return read_round(text) if isinstance(text, str) else round_from(text)


def _text_of(source: Mapping[str, object] | str | Path, where: str) -> Mapping[str, object] | str:
    """Return the text of a file; refuse what is neither text nor a dictionary."""
    if isinstance(source, Path):
        try:
            return source.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ProblemsError([Problem(str(source), str(error), "give the path of a text file")]) from error
    if not isinstance(source, str | Mapping):
        what = f"cannot be a {type(source).__name__}"
        remedy = "give a dictionary, TOML or JSON text, or the path of a file"
        raise ProblemsError([Problem(where, what, remedy)])
    return source


def read_paytable(source: PaytableInput, /) -> Paytable:
    """Read a drafted paytable from a dictionary, TOML or JSON, and check that its title exists."""
    paytable = _parsed(source)
    registry.title(paytable.title)
    return paytable


def _parsed(source: PaytableInput) -> Paytable:
    if isinstance(source, Paytable):
        return source
    text = _text_of(source, "paytable")
    if isinstance(text, str) and text.lstrip().startswith("{"):
        try:
            text = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ProblemsError(
                [Problem("paytable", f"is not valid JSON: {error}", "fix the JSON there")]
            ) from error
    return parse_paytable(text, where="paytable")


def paytable(title: str, bet: str = "", identifier: str = "", /) -> Paytable:
    """Return a released paytable; the bet and the id may be omitted if there is only one.

    >>> paytable("trilux").name
    'trilux/jackpot/6'
    """
    library = registry.library(title)
    bets = sorted({name for name, _ in library})
    chosen = bet or (bets[0] if len(bets) == 1 else "")
    if chosen not in bets:
        what = f"has no paytable for {bet!r}" if bet else "the bet is missing"
        raise ProblemsError([Problem(title, what, f"choose from: {', '.join(bets)}")])
    ids = library.ids_of(chosen)
    if not identifier and len(ids) > 1:
        choices = f"choose from: {', '.join(ids)}"
        raise ProblemsError([Problem(f"{title}/{chosen}", "the paytable is missing", choices)])
    return registry.paytable(title, chosen, identifier or ids[0])


def option_texts(options: Options | None) -> dict[str, str]:
    """Convert options to text as on the command line: lower case, numbers in digits."""
    return {name: text_of(value) for name, value in (options or {}).items()}


def text_of(value: Value) -> str:
    """Write a value as on the command line; a fraction is written as a decimal number."""
    if isinstance(value, Fraction):
        value = Decimal(value.numerator) / Decimal(value.denominator)
    return format(value, "f") if isinstance(value, Decimal) else str(value).lower()


def rate_text(value: Value) -> str:
    """Write a rate: a Decimal or a Fraction is a part of one, whole numbers and text are percentages."""
    return f"{text_of(value * 100)}%" if isinstance(value, Decimal | Fraction) else text_of(value)
