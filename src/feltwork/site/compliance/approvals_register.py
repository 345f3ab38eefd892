"""The approvals register: what the approval letters allow for each game, jackpot and paytable."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from feltwork import money
from feltwork.money import Micros

_NAME_AND_VERSION = re.compile(r"(.+?)(?:\s+v?(\d+\.\d.*?))?(\s+or higher)?")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Component:
    """A component with its version, from a letter or a floor file."""

    name: str
    version: str = ""
    or_higher: bool = False

    def __str__(self) -> str:
        version = f" v{self.version}" if self.version else ""
        return f"{self.name}{version}{' or higher' if self.or_higher else ''}"

    def allows(self, component: "Component") -> bool:
        """Whether this listed component covers another; without a listed version, any version is covered."""
        if component.name.casefold() != self.name.casefold():
            return False
        if self.or_higher:
            return bool(component.version) and _numbers(component.version) >= _numbers(self.version)
        return not self.version or component.version == self.version


def component(text: str) -> Component:
    """Parse a component such as ``GM Atlas v5.4.0 or higher``."""
    match = _NAME_AND_VERSION.fullmatch(text.strip())
    return Component(match[1], match[2] or "", bool(match[3])) if match else Component(text)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, _NUMBER.findall(version)))


@dataclass(frozen=True, slots=True, kw_only=True)
class AmendedGame:
    """A game on the letters' list of amended games; without titles it is not part of Feltwork."""

    number: int
    name: str
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstApproval:
    """An approval that must be on file before play [LT-17, TR-01]."""

    jurisdiction: str
    approval: str
    asks: str
    #: The paragraph of the approval section of each game's letter.
    paragraph: str
    requirement: str
    severity: Literal["refused", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressiveSystem:
    """Components that a letter approves together."""

    controls: str
    components: tuple[Component, ...]
    displays: tuple[Component, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameApproval:
    """What a game's letter allows at its table."""

    cites: str
    limits: str
    #: The paragraph about shufflers and shoes.
    equipment: str
    decks: tuple[int, ...] = ()
    #: The numbers of hands, including the dealer's, that its paytables are for.
    hands: tuple[int, ...] = ()
    only_shufflers: bool = False
    #: The paragraph that requires a shuffler approved by the Commission.
    shuffler_approval: str = ""
    shufflers: tuple[Component, ...] = ()
    shoes: tuple[Component, ...] = ()
    modes: tuple[str, ...] = ()
    #: The side bet that requires the mode; empty if the game does.
    modes_for: str = ""
    #: The side bet beside which one jackpot is allowed, and the paragraph that says so.
    one_jackpot_with: str = ""
    one_jackpot_cites: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotGame:
    """A game that may carry a jackpot, and the source of its fixed pays there."""

    name: str
    cites: str
    fixed_pays_from: tuple[str, ...]
    fixed_pays_cites: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterPolicy:
    """The value of an option that a letter sets, which only internal controls replace [LT-07, LT-08]."""

    option: str
    value: str
    requirement: str
    cites: str
    #: A note where the letter leaves it to internal controls; otherwise a warning.
    by_controls: Literal["note", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JackpotApproval:
    """What the letters allow for a jackpot [WA-13, LT-16]."""

    linked: Literal["never", "same_game", "same_decks", "different_games"]
    cites: str
    systems: tuple[ProgressiveSystem, ...]
    systems_cites: str
    #: The paragraphs about confirming and reversing a win, and the section of the makers' advice.
    confirmation: str
    reversal: str
    advice: str
    policy: LetterPolicy
    games: Mapping[str, JackpotGame]
    #: Whether the list of games is open.
    other_games: bool = False
    #: Whether it may also be a house jackpot.
    house: bool = False
    #: The titles that may share it, if the letter lists them.
    titles: tuple[str, ...] = ()
    #: Variants whose odds depend on how players draw.
    uncounted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """The contribution and seeds behind a paytable's printed figures; seeds per dollar of the wager."""

    contribution: int
    seeds: Mapping[str, Micros]
    cites: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PaytableApproval:
    """The decks, wager and reserve that a letter states for a paytable; None or empty if it does not."""

    cites: str
    decks: tuple[int, ...] = ()
    wager: Micros | None = None
    reserve: int | None = None
    preset: Preset | None = None


def _fields(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry with its lists as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in data.items()}


def _components(data: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return _fields(data) | {key: tuple(map(component, data.get(key, ()))) for key in keys}


def _jackpot(data: Mapping[str, Any]) -> JackpotApproval:
    games = {game["name"]: JackpotGame(**_fields(game)) for game in data["games"]}
    systems = tuple(SYSTEMS[name] for name in data["systems"])
    policy = LetterPolicy(**data["policy"])
    return JackpotApproval(**_fields(data) | {"games": games, "systems": systems, "policy": policy})


def _paytable(data: Mapping[str, Any]) -> PaytableApproval:
    preset = data.get("preset")
    return PaytableApproval(
        cites=data["cites"],
        decks=tuple(data.get("decks", ())),
        wager=money.parse(data["wager"]) if "wager" in data else None,
        reserve=money.parse_rate(data["reserve"]) if "reserve" in data else None,
        preset=preset
        and Preset(
            contribution=money.parse_rate(preset["contribution"]),
            seeds={level: money.parse(seed) for level, seed in preset["seeds"].items()},
            cites=preset["cites"],
        ),
    )


_DATA = tomllib.loads(
    files("feltwork.site.compliance").joinpath("approvals_register.toml").read_text(encoding="utf-8")
)
AMENDED_CITES: str = _DATA["amended_cites"]
AMENDED = tuple(AmendedGame(**_fields(game)) for game in _DATA["amended"])
FIRST = tuple(FirstApproval(**first) for first in _DATA["first"])
SYSTEMS: Mapping[str, ProgressiveSystem] = {
    name: ProgressiveSystem(**_components(system, "components", "displays"))
    for name, system in _DATA["system"].items()
}
GAMES: Mapping[str, GameApproval] = {
    name: GameApproval(**_components(game, "shufflers", "shoes")) for name, game in _DATA["game"].items()
}
JACKPOTS: Mapping[str, JackpotApproval] = {
    name: _jackpot(jackpot) for name, jackpot in _DATA["jackpot"].items()
}
PAYTABLES: Mapping[str, PaytableApproval] = {
    name: _paytable(paytable) for name, paytable in _DATA["paytable"].items()
}


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def listed_without_rules(name: str) -> str:
    """Return the title on the letters' lists whose rules Feltwork lacks and this name contains, or ""."""
    ours = {game.name.partition(" - ")[0] for game in AMENDED if game.titles}
    theirs = {game.name for game in AMENDED if not game.titles}
    theirs |= {name.partition(" - ")[0] for name in theirs} - ours
    theirs |= {title for jackpot in JACKPOTS.values() for title in jackpot.titles} - ours
    return max((title for title in theirs if _letters(title) in _letters(name)), key=len, default="")
