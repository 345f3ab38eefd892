"""The optimal Turn and River bets of Hold'em Bonus, one bit per hand and canonical board."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, TypeAlias

from feltwork.odds.count_cache import Arrays, kept_arrays
from feltwork.odds.lazy_numpy import np
from feltwork.odds.titles.holdem_bonus.counts import RENAMINGS, Boards, boards_of, rank_orders

if TYPE_CHECKING:
    import numpy.typing as npt

Bits: TypeAlias = "npt.NDArray[np.uint8]"


@dataclass(frozen=True)
class HoldemBets:
    """One row of bits per flop and per turn board, one column per pair of hole cards."""

    turn_bets: Bits
    river_bets: Bits

    def arrays(self) -> Arrays:
        """Return named arrays for the cache."""
        return {"turn_bets": self.turn_bets, "river_bets": self.river_bets}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> "HoldemBets":
        """Read named arrays from the cache."""
        return cls(arrays["turn_bets"], arrays["river_bets"])

    def is_bet(self, hole: Sequence[int], board: Sequence[int]) -> bool:
        """Whether to bet: on the Turn with three board cards seen, on the River with four."""
        suits, place = self._canonical(board[:3])
        high, low, *turn = (_renamed(card, suits) for card in (*hole, *board[3:]))
        if not turn:
            return _bit(self.turn_bets[place], high, low)
        again = RENAMINGS[self._boards.renaming_of[place, turn[0]]]
        row = self.river_bets[self._boards.row_of[place, turn[0]]]
        return _bit(row, _renamed(high, again), _renamed(low, again))

    @cached_property
    def _boards(self) -> Boards:
        return _all_boards()

    @cached_property
    def _places(self) -> dict[tuple[int, ...], int]:
        return {tuple(flop): place for place, flop in enumerate(self._boards.flops.tolist())}

    def _canonical(self, flop: Sequence[int]) -> tuple[Sequence[int], int]:
        """Find the renaming of suits that makes a flop canonical, and its row."""
        for suits in RENAMINGS:
            place = self._places.get(tuple(sorted(_renamed(card, suits) for card in flop)))
            if place is not None:
                return suits, place
        raise AssertionError("every flop has a canonical form")


def count_bets() -> HoldemBets:
    """Settle every turn board over its rivers, then every flop over its turns."""
    from feltwork.odds.kernels import holdem as kernel

    boards = _all_boards()
    rows = np.zeros((len(boards.turn_boards), kernel.COLUMNS), dtype=np.int64)
    tens = np.zeros(rows.shape, dtype=np.uint16)
    kernel.settle_turns(boards.turn_boards, (1 << 52) - 1, *rank_orders(), rows, tens)
    margins = ((rows & kernel.FIELD) - (rows >> kernel.LOST_SHIFT & kernel.FIELD)).astype(np.int32)
    columns = np.array([_renamed_columns(suits) for suits in RENAMINGS])
    over_turns = np.zeros((len(boards.flops), kernel.COLUMNS), dtype=np.int64)
    for place in range(len(boards.flops)):
        turns = np.flatnonzero(boards.row_of[place] >= 0)
        renamed = columns[boards.renaming_of[place, turns]]
        over_turns[place] = margins[boards.row_of[place, turns, None], renamed].sum(axis=0)
    return HoldemBets(np.packbits(over_turns > 0, axis=1), np.packbits(margins > 0, axis=1))


@cache
def cached_bets() -> HoldemBets:
    """Load the Turn and River bets of the full deck, or count them once."""
    return HoldemBets.from_arrays(kept_arrays("holdem_bets", lambda: count_bets().arrays(), of=(__name__,)))


def _all_boards() -> Boards:
    return boards_of(tuple(range(52)), RENAMINGS)


def _renamed(card: int, suits: Sequence[int]) -> int:
    return card & ~3 | suits[card & 3]


def _column(first: int, second: int) -> int:
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low


def _renamed_columns(suits: Sequence[int]) -> list[int]:
    """Return the column of each pair of hole cards after its suits are renamed."""
    return [
        _column(_renamed(high, suits), _renamed(low, suits)) for high in range(1, 52) for low in range(high)
    ]


def _bit(row: Bits, first: int, second: int) -> bool:
    """Read a bit in the order of ``packbits``, highest bit first."""
    place = _column(first, second)
    return bool(row[place >> 3] >> (7 - (place & 7)) & 1)
