"""The verdict on every figure printed in the letters."""

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
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable

Word: TypeAlias = Literal["agrees", "disputed", "contradicts itself", "stated"]
#: Figures printed with a paytable that are chosen, not computed.
SETTINGS = ("seed", "reserve")


@dataclass(frozen=True, slots=True)
class Printed:
    """A figure as printed in a letter."""

    title: str
    id: str
    text: str
    cites: str
    note: str
    #: The wager that printed amounts are for; our figures are for one dollar.
    wager: int = 1

    @property
    def value(self) -> Fraction:
        """The printed number for a wager of one dollar, percentages as fractions."""
        return Fraction(re.sub(r"[$,%]", "", self.text)) * self._unit

    @property
    def step(self) -> Fraction:
        """One unit of the last printed digit."""
        decimals = len(self.text.rstrip("%").partition(".")[2])
        return Fraction(1, 10**decimals) * self._unit

    @property
    def _unit(self) -> Fraction:
        return Fraction(1, 100 if self.text.endswith("%") else self.wager)

    def written(self, value: Fraction) -> str:
        """Format a value in the printed unit, with two more digits."""
        decimals = len(self.text.rstrip("%").partition(".")[2]) + 2
        number = value / self._unit
        return f"{decimal(number, len(str(int(number))) + decimals)}{'%' if self.text.endswith('%') else ''}"

    def is_met_by(self, value: Fraction, *, cut_off: bool = False) -> bool:
        """Whether a value rounds, or is cut off, to the printed digits."""
        if cut_off:
            return self.value <= value < self.value + self.step
        return abs(value - self.value) * 2 <= self.step


@dataclass(frozen=True, slots=True)
class Verdict:
    """A printed figure next to ours, with the verdict and its reason."""

    printed: Printed
    word: Word
    ours: Figure | None
    why: str

    def as_json(self) -> dict[str, object]:
        """Return the verdict for programs."""
        own_figure = {} if self.ours is None else {"ours": self.ours.as_json()}
        return {
            "id": self.printed.id,
            "printed": self.printed.text,
            "cites": self.printed.cites,
            "verdict": self.word,
            "why": self.why,
            **own_figure,
        }


def printed_figures() -> Iterator[Printed]:
    """Yield every figure printed in a letter, title by title."""
    for title in registry.own_names():
        data = tomllib.loads(registry.folder(title).joinpath("printed.toml").read_text(encoding="utf-8"))
        for entry in data["figure"]:
            wager = int(entry.get("wager", 1))
            yield Printed(title, entry["id"], entry["printed"], entry["cites"], entry.get("note", ""), wager)


def verdicts() -> list[Verdict]:
    """Return the verdict on each printed figure."""
    everything = list(printed_figures())
    return [verdict(printed, rivals(printed, everything)) for printed in everything]


@cache
def printed_of(title: str) -> tuple[Printed, ...]:
    """Return every figure that the letters print about one title."""
    return tuple(printed for printed in printed_figures() if printed.title == title)


@cache
def _verdicts_on(title: str, places: tuple[str, ...]) -> tuple[Verdict, ...]:
    known = list(printed_of(title))
    selected = [printed for printed in known if printed.id.startswith(places)]
    return tuple(distinct(verdict(printed, rivals(printed, known)) for printed in selected))


def verdicts_on(paytable: Paytable) -> tuple[Verdict, ...]:
    """Return the verdicts on the figures printed for one paytable."""
    places = (f"{paytable.name}/", f"{paytable.title}/{paytable.id}/")
    return _verdicts_on(paytable.title, places)


def verdicts_under(title: str, place: str) -> tuple[Verdict, ...]:
    """Return the verdicts on the figures of a title whose ids start with a place."""
    return _verdicts_on(title, (place,))


def distinct(results: Iterable[Verdict]) -> list[Verdict]:
    """Drop repeats of the same printed number for the same figure."""
    return list({(result.printed.id, result.printed.text): result for result in results}.values())


def places(results: Iterable[Verdict]) -> dict[tuple[str, str], list[str]]:
    """Map each figure id and printed text to the paragraphs that print it."""
    cites: dict[tuple[str, str], list[str]] = {}
    for result in results:
        cites.setdefault((result.printed.id, result.printed.text), []).append(result.printed.cites)
    return cites


def points_off(results: Iterable[Verdict]) -> list[tuple[Printed, Fraction]]:
    """Return printed minus ours in percentage points, for every percentage that disagrees."""
    return [
        (result.printed, (result.printed.value - result.ours.value) * 100)
        for result in results
        if result.ours and result.word not in ("agrees", "stated") and result.printed.text.endswith("%")
    ]


def rivals(printed: Printed, everything: list[Printed]) -> set[str]:
    """Return other texts that the letters print for the same figure."""
    return {other.text for other in everything if other.id == printed.id} - {printed.text}


def verdict(printed: Printed, rivals: set[str]) -> Verdict:
    """Compare a printed figure with ours; rivals are other texts printed for the same figure."""
    if printed.id.rpartition("/")[2] in SETTINGS:
        return Verdict(printed, "stated", None, _setting(printed))
    figure = catalog.figure(printed.id)
    agrees = printed.is_met_by(figure.value)
    reason = "" if agrees else _reason(printed, figure.value)
    note = "; ".join(part for part in (reason, printed.note) if part)
    if rivals:
        standing = "this one agrees" if agrees else "this one is disputed"
        also = f"printed also as {', '.join(sorted(rivals))}; {standing}"
        return Verdict(printed, "contradicts itself", figure, f"{also}; {note}" if reason else also)
    return Verdict(printed, "agrees" if agrees else "disputed", figure, note)


def _reason(printed: Printed, value: Fraction) -> str:
    error = odds_of(printed.title).letter_errors.get((printed.id, printed.text))
    return f"ours is {printed.written(value)}" if error is None else _explained(printed, error)


def _explained(printed: Printed, error: LetterError) -> str:
    text = error.explanation if isinstance(error.explanation, str) else error.explanation()
    if error.value is None:
        return text
    value = error.value()
    assert printed.is_met_by(value, cut_off=error.truncated), (printed.id, decimal(value, 8))
    return f"{text}, which gives {printed.written(value)}; a match, not a proof"


def _setting(printed: Printed) -> str:
    title, paytable, name = printed.id.split("/")
    recommended = _paytable(title, paytable).recommended.get(name)
    assert recommended is not None, printed.id
    return f"a setting of the paytable, kept there as {recommended}"


def _paytable(title: str, identifier: str) -> Paytable:
    return registry.paytable(title, "jackpot", identifier)
