"""Inputs of the library: a round or a paytable as an object, a dictionary, or text in TOML or JSON."""

import json
from collections.abc import Mapping
from typing import TypeAlias

from feltwork.problem import Problem, ProblemsError
from feltwork.titles import registry
from feltwork.titles.notation import read_round, round_from
from feltwork.titles.paytables.parse import parse_paytable
from feltwork.titles.paytables.paytable import Paytable
from feltwork.titles.round import Round

#: A round: a `Round`, a dictionary in the round notation, or its TOML or JSON.
RoundInput: TypeAlias = Round | Mapping[str, object] | str
#: A paytable: a `Paytable`, a dictionary with the keys of its file, or its TOML or JSON.
PaytableInput: TypeAlias = Paytable | Mapping[str, object] | str
#: House options by name, such as ``{"decks": 6}``.
Options: TypeAlias = Mapping[str, str | int | bool]


def read_input(source: RoundInput) -> Round:
    """Read a round in any of its forms."""
    if isinstance(source, Round):
        return source
    return read_round(source) if isinstance(source, str) else round_from(source)


def read_paytable(source: PaytableInput, /) -> Paytable:
    """Read a drafted paytable from a dictionary, TOML or JSON, and check that its title exists."""
    paytable = _parsed(source)
    registry.title(paytable.title)
    return paytable


def _parsed(source: PaytableInput) -> Paytable:
    if isinstance(source, Paytable):
        return source
    if isinstance(source, str) and source.lstrip().startswith("{"):
        try:
            source = json.loads(source)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ProblemsError(
                [Problem("paytable", f"is not valid JSON: {error}", "fix the JSON there")]
            ) from error
    assert not isinstance(source, Paytable), "JSON is read into dictionaries"
    return parse_paytable(source, where="paytable")


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
    return {name: str(value).lower() for name, value in (options or {}).items()}
