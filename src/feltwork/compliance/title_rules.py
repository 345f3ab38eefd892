"""Rules of the letters for single titles: linking and presets."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Literal

from feltwork import money
from feltwork.money import Micros

_DATA = tomllib.loads(files("feltwork.compliance").joinpath("title_rules.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """The linking rule of a jackpot [WA-13]."""

    linked: Literal["never", "same_decks"]
    requirement: str
    cites: str
    #: The titles that may share it, where the letter lists them.
    titles: tuple[str, ...] = ()
    #: Variants whose odds depend on how players draw.
    uncounted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotLimit:
    """A bet that suffers so many jackpots beside it."""

    game: str
    bet: str
    most_jackpots: int
    requirement: str
    cites: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckRule:
    """The numbers of decks that a paytable is made for."""

    paytable: str
    decks: list[int]
    requirement: str
    cites: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The contribution and seeds behind a paytable's printed figures; seeds per dollar of the wager."""

    contribution: int
    seeds: Mapping[str, Micros]
    cites: str


LINK_RULES: Mapping[str, LinkRule] = {
    name: LinkRule(
        linked=rule["linked"],
        requirement=rule["requirement"],
        cites=rule["cites"],
        titles=tuple(rule.get("titles", ())),
        uncounted=tuple(rule.get("uncounted", ())),
    )
    for name, rule in _DATA["jackpot"].items()
}
ALONE = tuple(JackpotLimit(**rule) for rule in _DATA["alone"])
MADE_FOR: Mapping[str, DeckRule] = {rule["paytable"]: DeckRule(**rule) for rule in _DATA["decks"]}
PRESETS: Mapping[str, Preset] = {
    name: Preset(
        contribution=money.parse_rate(preset["contribution"]),
        seeds={level: money.parse(seed) for level, seed in preset["seeds"].items()},
        cites=preset["cites"],
    )
    for name, preset in _DATA["preset"].items()
}
