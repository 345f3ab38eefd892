"""The verdict on every figure that the letters print, beside ours."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Literal, TypeAlias

from feltwork.odds.figures import catalog
from feltwork.odds.figures.figure import Figure, decimal
from feltwork.odds.title_odds import LetterError, odds_of
from feltwork.paytables.paytable import Paytable
from feltwork.titles import registry

Word: TypeAlias = Literal["agrees", "disputed", "contradicts itself", "stated"]
#: Printed beside a paytable, but chosen and not computed.
SETTINGS = ("seed", "reserve")


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure as a letter prints it."""

    title: str
    id: str
    text: str
    cites: str
    note: str
    #: Amounts are printed for this wager; figures are for one dollar.
    wager: int = 1

    @property
    def value(self) -> Fraction:
        """The printed number for a wager of one; a percentage is a hundredth."""
        return Fraction(re.sub(r"[$,%]", "", self.text)) * self._unit

    @property
    def step(self) -> Fraction:
        """One unit of the last digit printed."""
        decimals = len(self.text.rstrip("%").partition(".")[2])
        return Fraction(1, 10**decimals) * self._unit

    @property
    def _unit(self) -> Fraction:
        return Fraction(1, 100 if self.text.endswith("%") else self.wager)

    def written(self, value: Fraction) -> str:
        """A value in the unit of the print, with two more digits."""
        decimals = len(self.text.rstrip("%").partition(".")[2]) + 2
        number = value / self._unit
        return f"{decimal(number, len(str(int(number))) + decimals)}{'%' if self.text.endswith('%') else ''}"

    def is_met_by(self, value: Fraction, *, cut_off: bool = False) -> bool:
        """Whether a value comes out as printed, to the digits printed."""
        if cut_off:
            return self.value <= value < self.value + self.step
        return abs(value - self.value) * 2 <= self.step


@dataclass(frozen=True, slots=True)
class Verdict:
    """A printed figure, ours, and what follows."""

    printed: Printed
    word: Word
    ours: Figure | None
    why: str

    def as_json(self) -> dict[str, object]:
        """The verdict in the shape that programs read."""
        ours = {} if self.ours is None else {"ours": self.ours.as_json()}
        return {
            "id": self.printed.id,
            "printed": self.printed.text,
            "cites": self.printed.cites,
            "verdict": self.word,
            "why": self.why,
            **ours,
        }


def printed_figures() -> Iterator[Printed]:
    """Every figure that a letter prints, title by title."""
    for title in registry.own_names():
        data = tomllib.loads(registry.folder(title).joinpath("printed.toml").read_text(encoding="utf-8"))
        for entry in data["figure"]:
            wager = int(entry.get("wager", 1))
            yield Printed(title, entry["id"], entry["printed"], entry["cites"], entry.get("note", ""), wager)


def verdicts() -> list[Verdict]:
    """The verdict on each printed figure."""
    everything = list(printed_figures())
    return [verdict(printed, rivals(printed, everything)) for printed in everything]


@cache
def printed_of(title: str) -> tuple[Printed, ...]:
    """Every figure that a letter prints about one title."""
    return tuple(one for one in printed_figures() if one.title == title)


@cache
def _verdicts_on(title: str, places: tuple[str, ...]) -> tuple[Verdict, ...]:
    known = printed_of(title)
    found = [one for one in known if one.id.startswith(places)]
    return tuple(distinct(verdict(one, rivals(one, list(known))) for one in found))


def verdicts_on(paytable: Paytable) -> tuple[Verdict, ...]:
    """The verdicts on what letters print about one paytable."""
    places = (f"{paytable.name}/", f"{paytable.title}/{paytable.id}/")
    return _verdicts_on(paytable.title, places)


def distinct(found: Iterable[Verdict]) -> list[Verdict]:
    """Each print of a figure once, where letters print the same number in several places."""
    return list({(one.printed.id, one.printed.text): one for one in found}.values())


def places(found: Iterable[Verdict]) -> dict[tuple[str, str], list[str]]:
    """Where each print of a figure stands, by its id and its text."""
    told: dict[tuple[str, str], list[str]] = {}
    for one in found:
        told.setdefault((one.printed.id, one.printed.text), []).append(one.printed.cites)
    return told


def points_off(found: Iterable[Verdict]) -> list[tuple[Printed, Fraction]]:
    """Printed less ours in percentage points, for every percentage that is not met."""
    return [
        (one.printed, (one.printed.value - one.ours.value) * 100)
        for one in found
        if one.ours
        and isinstance(one.ours.value, Fraction)
        and one.word not in ("agrees", "stated")
        and one.printed.text.endswith("%")
    ]


def rivals(printed: Printed, everything: list[Printed]) -> set[str]:
    """Other texts that the letters print for the same figure."""
    return {other.text for other in everything if other.id == printed.id} - {printed.text}


def verdict(printed: Printed, rivals: set[str]) -> Verdict:
    """Hold one printed figure against ours; rivals are other texts printed for the same figure."""
    if printed.id.rpartition("/")[2] in SETTINGS:
        return Verdict(printed, "stated", None, _setting(printed))
    ours = catalog.figure(printed.id)
    assert isinstance(ours.value, Fraction), "only exact figures are held against a letter"
    agrees = printed.is_met_by(ours.value)
    reason = "" if agrees else _reason(printed, ours.value)
    note = "; ".join(part for part in (reason, printed.note) if part)
    if rivals:
        standing = "this one agrees" if agrees else "this one is disputed"
        also = f"printed also as {', '.join(sorted(rivals))}; {standing}"
        return Verdict(printed, "contradicts itself", ours, f"{also}; {note}" if reason else also)
    return Verdict(printed, "agrees" if agrees else "disputed", ours, note)


def _reason(printed: Printed, ours: Fraction) -> str:
    error = odds_of(printed.title).letter_errors.get((printed.id, printed.text))
    return f"ours is {printed.written(ours)}" if error is None else _explained(printed, error)


def _explained(printed: Printed, error: LetterError) -> str:
    text = error.explanation if isinstance(error.explanation, str) else error.explanation()
    if error.value is None:
        return text
    value = error.value()
    assert printed.is_met_by(value, cut_off=error.truncated), (printed.id, decimal(value, 8))
    return f"{text}, which gives {printed.written(value)}"


def _setting(printed: Printed) -> str:
    title, paytable, name = printed.id.split("/")
    recommended = _paytable(title, paytable).recommended.get(name)
    assert recommended is not None, printed.id
    return f"a setting of the paytable, kept there as {recommended}"


def _paytable(title: str, identifier: str) -> Paytable:
    return registry.paytable(title, "jackpot", identifier)
