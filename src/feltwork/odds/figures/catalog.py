"""The catalogue of all figures: found by id, listed by pattern."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase

from feltwork.odds.figures import five_card_games, four_card_games, shoe_games
from feltwork.odds.figures.figure import Family, Figure
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.registry import names

FAMILIES: tuple[Family, ...] = (
    *four_card_games.FAMILIES,
    *five_card_games.FAMILIES,
    *shoe_games.FAMILIES,
)


def ids() -> list[str]:
    """The ids of a full listing."""
    return [identifier for family in FAMILIES if family.is_listed for identifier in family.ids()]


def figure(identifier: str) -> Figure:
    """The figure of that id, with any parameters its family takes."""
    for family in FAMILIES:
        found = family.figure(identifier)
        if found is not None:
            return found
    near = ", ".join(get_close_matches(identifier, [*names(), *ids()], n=3, cutoff=0.5)) or "none"
    remedy = f"list the ids with `feltwork figures`; near it: {near}"
    raise ProblemsError([Problem(identifier, "there is no such figure", remedy)])


def matching(patterns: Sequence[str]) -> Iterator[str]:
    """The ids that any pattern fits, ``*`` standing for anything; an id with other parameters fits itself."""
    listed = ids()
    if not patterns:
        yield from listed
        return
    chosen = dict.fromkeys(one for pattern in patterns for one in _fitting(pattern, listed))
    yield from chosen


def _fitting(pattern: str, listed: list[str]) -> list[str]:
    below = (f"{pattern}/", f"{pattern}?")
    # In an id a question mark is just that.
    literal = pattern.replace("[", "[[]").replace("?", "[?]")
    fitting = [one for one in listed if fnmatchcase(one, literal) or one.startswith(below)]
    return fitting or [pattern]
