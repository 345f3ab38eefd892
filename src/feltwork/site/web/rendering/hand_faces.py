"""Cards to draw: the cards of an award, and a sample for each hand of a jackpot."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from feltwork.titles.cards.card import parse_cards


def example(jackpot: str, hand: str) -> list[str]:
    """Sample cards for a hand; empty if there is no sample."""
    return [card for group in groups(jackpot, hand) for card in group]


def of_cards(cards: str) -> list[str]:
    """The cards of an award; empty if none are entered."""
    return [str(card) for group in cards.split("/") for card in parse_cards(group)]


def groups(jackpot: str, hand: str) -> list[list[str]]:
    """The sample in the groups that the jackpot evaluates."""
    sample = _samples().get(jackpot, {}).get(hand, "")
    return [group.split() for group in sample.split("|") if group.strip()]


@cache
def _samples() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("hand_faces.toml").read_text(encoding="utf-8"))
