"""Settlement of one round, and of many."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from feltwork.library.inputs import RoundInput, read_input
from feltwork.problem import Problem, ProblemsError
from feltwork.titles.settle import settle as settle_round
from feltwork.titles.settlement import Settlement

if TYPE_CHECKING:
    import pyarrow as pa


def settle(source: RoundInput, /) -> Settlement:
    """Settle one round: a `Round`, a dictionary in the round notation, or its TOML or JSON."""
    return settle_round(read_input(source))


@dataclass(frozen=True, slots=True)
class Settlements(Sequence[Settlement]):
    """Settled rounds, in the order given, and as a table with one line per wager."""

    rounds: tuple[Settlement, ...]

    @overload
    def __getitem__(self, place: int) -> Settlement: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Settlement]: ...
    def __getitem__(self, place: int | slice) -> Settlement | Sequence[Settlement]:
        return self.rounds[place]

    def __len__(self) -> int:
        return len(self.rounds)

    def columns(self) -> dict[str, list[int] | list[str]]:
        """Return one line per wager, column by column; amounts in millionths of a dollar."""
        lines = list(self._lines())
        return {name: [line[place] for line in lines] for place, name in enumerate(COLUMNS)}  # type: ignore[misc]

    def to_arrow(self) -> "pa.Table":
        """Return the lines as an Arrow table; needs the extra ``arrow``."""
        import pyarrow as pa

        return pa.table(self.columns())

    def _lines(self) -> Iterator[tuple[int | str, ...]]:
        for number, settled in enumerate(self.rounds):
            for seat in settled.seats:
                for bet, result in seat.bets.items():
                    yield number, seat.seat, "bet", bet, result.staked, result.returned, result.outcome
                for jackpot, paid in seat.jackpots.items():
                    back = paid.award + paid.envy + paid.stake_returned
                    outcome = "void" if settled.void else "win" if back else "lose"
                    yield number, seat.seat, "jackpot", jackpot, paid.wager, back, outcome


#: The columns of `Settlements.columns`.
COLUMNS = ("round", "seat", "kind", "wager", "staked", "returned", "outcome")


def settle_many(sources: Iterable[RoundInput], /) -> Settlements:
    """Settle many rounds; a problem names the index of its round, counted from 0."""
    return Settlements(tuple(_settled(source, place) for place, source in enumerate(sources)))


def _settled(source: RoundInput, place: int) -> Settlement:
    try:
        return settle(source)
    except ProblemsError as error:
        raise ProblemsError(
            Problem(f"rounds[{place}], {problem.where}", problem.what, problem.remedy)
            for problem in error.problems
        ) from error
