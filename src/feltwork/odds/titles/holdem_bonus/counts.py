"""Exact counts of Hold'em Bonus under optimal turn and river bets, by starting hand.

Turn and River bets pay even money on the showdown alone, so each is correct exactly when more of the
remaining deals win than lose, whatever the ante criterion. Only the first decision, fold or Flop bet, depends
on the criterion.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, dataclass
from functools import cache
from itertools import combinations, pairwise, permutations
from typing import TYPE_CHECKING, Any, TypeAlias

from feltwork.odds.count_cache import kept_view
from feltwork.odds.lazy_numpy import np

if TYPE_CHECKING:
    import numpy.typing as npt

    from feltwork.odds.kernels.holdem import Bytes, Words

Ints: TypeAlias = "npt.NDArray[np.int64]"
RENAMINGS = tuple(permutations(range(4)))
STARTING_HANDS = 169
RANK_LETTERS = "23456789TJQKA"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Deals of one starting hand and betting line, in units of (flop, turn, river, dealer pair).

    `decisions` counts flops and turns; the other fields count deals, and the remaining deals are ties.
    """

    decisions: int
    won: int
    lost: int
    won_three_tens: int
    won_straight: int
    won_flush: int


@dataclass(frozen=True, slots=True)
class HoldemBonusCounts:
    """Outcomes by starting hand (see `starting_hand`), then by turn bet and river bet (0 or 1 each)."""

    outcomes: tuple[tuple[tuple[Outcomes, Outcomes], tuple[Outcomes, Outcomes]], ...]

    def as_lists(self) -> list[list[list[tuple[int, ...]]]]:
        """Return plain numbers for the cache."""
        return [[[astuple(way) for way in ways] for ways in hand] for hand in self.outcomes]

    @classmethod
    def from_lists(cls, totals: Sequence[Sequence[Sequence[Sequence[int]]]]) -> "HoldemBonusCounts":
        """Read plain numbers from the cache."""
        return cls(
            tuple(
                (
                    (Outcomes(*hand[0][0]), Outcomes(*hand[0][1])),
                    (Outcomes(*hand[1][0]), Outcomes(*hand[1][1])),
                )
                for hand in totals
            )
        )


@cache
def rank_orders() -> "tuple[Bytes, Words]":
    """Order the hole pairs by rank for each set of board ranks."""
    from feltwork.odds.kernels import holdem as kernel

    return kernel.rank_orders()


def starting_hand(index: int) -> str:
    """Name one of the 169 starting hands, such as AA, AKs or T7o."""
    first, second = divmod(index, 13)
    if first == second:
        return RANK_LETTERS[first] * 2
    high, low = max(first, second), min(first, second)
    return RANK_LETTERS[high] + RANK_LETTERS[low] + ("s" if first > second else "o")


def index_of(hole: Sequence[int]) -> int:
    """Return the index of the starting hand of two cards."""
    low, high = sorted(hole)
    first, second = (high, low) if high & 3 == low & 3 else (low, high)
    return 13 * (first >> 2) + (second >> 2)


def pairs_in(index: int) -> int:
    """Count the hole pairs, of 1,326, in a starting hand."""
    first, second = divmod(index, 13)
    return 6 if first == second else 4 if first > second else 12


@dataclass(frozen=True, slots=True)
class Boards:
    """The flops and turn boards of a deck up to a renaming of suits."""

    flops: Ints
    weights: Ints
    turn_boards: Ints
    row_of: Ints
    renaming_of: Ints
    renamings: Ints


def _least_renaming(boards: Ints, renamings: Ints) -> tuple[Ints, Ints]:
    """Find each board's canonical code, and the renaming of suits that gives it."""
    codes = np.empty((renamings.shape[0], boards.shape[0]), dtype=np.int64)
    for place, suits in enumerate(renamings):
        cards = np.sort(boards & ~3 | suits[boards & 3], axis=1)
        codes[place] = cards @ (64 ** np.arange(boards.shape[1])[::-1])
    return codes.min(axis=0), codes.argmin(axis=0)


def _decoded(codes: Ints, size: int) -> Ints:
    return codes[:, None] // 64 ** np.arange(size)[::-1] % 64


def boards_of(deck: tuple[int, ...], renamings: tuple[tuple[int, ...], ...]) -> Boards:
    """List the boards; `renamings` must map the deck to itself and contain the identity."""
    suits = np.array(renamings, dtype=np.int64)
    all_flops = np.array(list(combinations(deck, 3)), dtype=np.int64)
    codes, weights = np.unique(_least_renaming(all_flops, suits)[0], return_counts=True)
    flops = _decoded(codes, 3)

    row_of = np.full((len(flops), 52), -1, dtype=np.int64)
    renaming_of = np.zeros_like(row_of)
    in_play = np.zeros_like(row_of, dtype=np.bool_)
    in_play[:, list(deck)] = True
    np.put_along_axis(in_play, flops, values=False, axis=1)
    flop_places, turns = np.nonzero(in_play)
    turn_codes, turn_renamings = _least_renaming(np.column_stack([flops[flop_places], turns]), suits)
    turn_boards, rows = np.unique(turn_codes, return_inverse=True)
    row_of[flop_places, turns] = rows
    renaming_of[flop_places, turns] = turn_renamings
    return Boards(flops, weights.astype(np.int64), _decoded(turn_boards, 4), row_of, renaming_of, suits)


def count_outcomes(
    *,
    deck: tuple[int, ...] = tuple(range(52)),
    renamings: tuple[tuple[int, ...], ...] = RENAMINGS,
    workers: int = 2,
) -> HoldemBonusCounts:
    """Count every deal of the game; the tests use a smaller deck."""
    from feltwork.odds.kernels import holdem as kernel

    boards = boards_of(deck, renamings)
    deck_bits = sum(1 << card for card in deck)
    orders, values = rank_orders()
    rows = np.zeros((len(boards.turn_boards), kernel.COLUMNS), dtype=np.int64)
    tens = np.zeros(rows.shape, dtype=np.uint16)

    def settle(part: slice) -> None:
        kernel.settle_turns(boards.turn_boards[part], deck_bits, orders, values, rows[part], tens[part])

    def play(part: slice) -> Ints:
        return kernel.play_flops(
            boards.flops[part], boards.weights[part], deck_bits, boards.renamings,
            boards.row_of[part], boards.renaming_of[part], rows, tens,
        )  # fmt: skip

    totals = np.zeros((STARTING_HANDS, 2, 2, 6), dtype=np.int64)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(settle, _parts(len(boards.turn_boards))))
        for part in pool.map(play, _parts(len(boards.flops))):
            totals += part
    return HoldemBonusCounts.from_lists(totals.tolist())


def _parts(size: int, count: int = 32) -> list[slice]:
    edges = [size * part // count for part in range(count + 1)]
    return [slice(start, end) for start, end in pairwise(edges) if end > start]


@cache
def cached_counts() -> HoldemBonusCounts:
    """Load the counts of the full deck, or count them once."""
    view = kept_view(
        "holdem_bonus",
        "outcomes",
        lambda: {"outcomes": np.array(count_outcomes().as_lists())},
        of=(__name__,),
    )
    lists: Any = view.tolist()
    return HoldemBonusCounts.from_lists(lists)
