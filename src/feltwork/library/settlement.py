"""Settlement of one round, and of many."""

import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, overload

from feltwork.library.extras import says_what_it_needs
from feltwork.library.inputs import RoundInput, read_input
from feltwork.odds.distribution import html_table
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.bulk import Lines, lines_of, settled_alike
from feltwork.titles.settle import settle as settle_round
from feltwork.titles.settlement import Settlement

if TYPE_CHECKING:
    import pyarrow as pa


def settle(source: RoundInput, /) -> Settlement:
    """Settle one round: a `Round`, a dictionary in the round notation, or its TOML or JSON."""
    return settle_round(read_input(source))


class Settlements(Sequence[Settlement]):
    """Settled rounds, in the order given, and as a table with one line per wager.

    Rounds that are settled alike went through the rules once; the settlement of one, with its reasons,
    is made from its source when it is asked for.
    """

    __slots__ = ("_alike", "_places", "_sources", "_whole")

    def __init__(
        self,
        sources: Sequence[RoundInput],
        alike: Mapping[int, Sequence[tuple[int, Lines]]],
        whole: Mapping[int, Settlement],
        places: range | None = None,
    ) -> None:
        self._sources, self._alike, self._whole = sources, alike, whole
        self._places = range(len(sources)) if places is None else places

    @overload
    def __getitem__(self, place: int) -> Settlement: ...
    @overload
    def __getitem__(self, place: slice) -> "Settlements": ...
    def __getitem__(self, place: int | slice) -> "Settlement | Settlements":
        if isinstance(place, slice):
            return Settlements(self._sources, self._alike, self._whole, self._places[place])
        at = self._places[place]
        return self._whole[at] if at in self._whole else settle(self._sources[at])

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return f"<Settlements of {len(self):,} rounds>"

    def _repr_html_(self) -> str:
        lines = zip(*self[:20].columns().values(), strict=True)
        return html_table(COLUMNS, (map(str, line) for line in lines))

    def columns(self) -> dict[str, list[int] | list[str]]:
        """Return one line per wager, column by column; amounts in millionths of a dollar."""
        rounds: list[int] = []
        seats: list[int] = []
        lines: list[tuple[str, str, int, int, str]] = []
        for number, place in enumerate(self._places):
            for seat, of_seat in self._lines(place):
                rounds += [number] * len(of_seat)
                seats += [seat] * len(of_seat)
                lines += of_seat
        rest = zip(*lines, strict=True) if lines else ([] for _ in COLUMNS[2:])
        return dict(zip(COLUMNS, (rounds, seats, *map(list, rest)), strict=True))

    @says_what_it_needs
    def to_arrow(self) -> "pa.Table":
        """Return the lines as an Arrow table; needs the extra ``arrow``."""
        import pyarrow as pa

        return pa.table(self.columns())

    def _lines(self, place: int) -> Sequence[tuple[int, Lines]]:
        if place in self._alike:
            return self._alike[place]
        settled = self._whole[place]
        return [(seat.seat, lines_of(seat, void=settled.void)) for seat in settled.seats]


#: The columns of `Settlements.columns`.
COLUMNS = ("round", "seat", "kind", "wager", "staked", "returned", "outcome")


def settle_many(sources: Iterable[RoundInput], /) -> Settlements:
    """Settle many rounds; a problem names the index of its round, counted from 0."""
    given = tuple(sources)
    forms = [_form(source) for source in given]
    alike = settled_alike(forms)
    whole = {place: _settled(source, place) for place, source in enumerate(given) if place not in alike}
    return Settlements(given, alike, whole)


def _form(source: RoundInput) -> object:
    """Return JSON as a dictionary; what cannot be read is left to the reader of the notation."""
    if not isinstance(source, str):
        return source
    return _parsed(source)


@lru_cache(maxsize=4096)
def _parsed(text: str) -> object:
    try:
        return json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _settled(source: RoundInput, place: int) -> Settlement:
    try:
        return settle(source)
    except ProblemsError as error:
        raise ProblemsError(
            Problem(f"rounds[{place}], {problem.where}", problem.what, problem.remedy)
            for problem in error.problems
        ) from error
