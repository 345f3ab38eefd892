"""Faces: for each hand that a jackpot names, cards that show it."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


def example(jackpot: str, hand: str) -> list[str]:
    """Cards that the jackpot calls by this name; none where no example is kept."""
    return [card for group in groups(jackpot, hand) for card in group]


def groups(jackpot: str, hand: str) -> list[list[str]]:
    """The same in the groups that the jackpot looks at."""
    written = _examples().get(jackpot, {}).get(hand, "")
    return [group.split() for group in written.split("|") if group.strip()]


@cache
def _examples() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("hand_faces.toml").read_text(encoding="utf-8"))
