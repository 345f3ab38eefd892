"""Texas Hold'em Bonus: classes of alike simulated rounds."""

from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING

from feltwork.odds.batches import AlikeRounds, Dealt, Keys, Strategy
from feltwork.odds.lazy_numpy import np
from feltwork.odds.title_odds import Paytables, TableOptions
from feltwork.odds.titles.holdem_bonus.bets import cached_bets
from feltwork.odds.titles.holdem_bonus.counts import RENAMINGS, Boards, boards_of
from feltwork.titles.cards.card import ACE, DECK, RANKS, TEN
from feltwork.titles.games.holdem_bonus.rules import bonus_names

if TYPE_CHECKING:
    import numpy.typing as npt

#: Number of cards: two each, then the board.
CARDS = 9
HOLE, DEALER, BOARD = slice(0, 2), slice(2, 4), slice(4, 9)
CATEGORY_SHIFT, PRIMARY_SHIFT = 26, 13
THREE_OF_A_KIND, STRAIGHT = 3, 4
#: Weights that encode three sorted cards as a number.
POWERS = (64**2, 64, 1)


def alike(_paytables: Paytables, _options: TableOptions, _strategy: Strategy) -> AlikeRounds:
    """Classify rounds by the starting hand, the best bets, and the values of both hands."""
    return AlikeRounds(CARDS, _decided, _settled)


def _decided(dealt: Dealt) -> Keys:
    """Optimal play looks up its bets; the rule of thumb bets with a paired hole card or a straight."""
    keys = _starting_hands(dealt)
    ranks = dealt >> 2
    for end, bets in zip((7, 8), _bets(dealt), strict=True):
        paired = (ranks[:, HOLE, None] == ranks[:, None, 4:end]).any(axis=(1, 2))
        strong = _values(dealt, [0, 1, *range(4, end)]) >> CATEGORY_SHIFT >= STRAIGHT
        keys = ((keys * 2 + bets) * 2 + paired) * 2 + strong
    return keys


def _settled(dealt: Dealt) -> Keys:
    """Key results: the Bonus pays by hole cards, the Ante by category and three tens; the best hand wins."""
    player, dealer = _values(dealt, [0, 1, *range(4, 9)]), _values(dealt, [2, 3, *range(4, 9)])
    category = player >> CATEGORY_SHIFT
    tens = (category == THREE_OF_A_KIND) & (player >> PRIMARY_SHIFT & 0x1FFF >= 1 << (TEN - 2))
    aces = (dealt[:, DEALER] >> 2 == ACE - 2).all(axis=1)
    bonus = _bonus_classes()[_starting_hands(dealt)] * 2 + aces
    return np.asarray(((bonus * 16 + category) * 2 + tens) * 3 + np.sign(player - dealer) + 1)


def _values(dealt: Dealt, columns: list[int]) -> Keys:
    from feltwork.odds.kernels.dealing import best_fives

    values = np.empty(len(dealt), dtype=np.int64)
    best_fives(np.ascontiguousarray(dealt[:, columns]), values)
    return values


def _starting_hands(dealt: Dealt) -> Keys:
    """Number the hole cards by rank and by whether they are suited."""
    high, low = dealt[:, HOLE].max(axis=1), dealt[:, HOLE].min(axis=1)
    return np.asarray(((high >> 2) * 13 + (low >> 2)) * 2 + (high & 3 == low & 3))


@cache
def _bonus_classes() -> Keys:
    """Number the sets of Bonus rows that starting hands match."""
    names: dict[frozenset[str], int] = {}
    classes = np.zeros(13 * 13 * 2, dtype=np.int64)
    for high, low, suited in product(RANKS, RANKS, (0, 1)):
        hole = (DECK[4 * (high - 2)], DECK[4 * (low - 2) + 1 - suited])
        called = bonus_names(hole, ()) if hole[0] != hole[1] else frozenset[str]()
        classes[((high - 2) * 13 + low - 2) * 2 + suited] = names.setdefault(called, len(names))
    return classes


@cache
def _boards() -> Boards:
    return boards_of(tuple(range(52)), RENAMINGS)


def _renamed(cards: Keys, renaming: Keys) -> Keys:
    """Rename suits; the renaming of a row applies to all of its cards."""
    renaming = renaming.reshape(-1, *[1] * (cards.ndim - 1))
    return np.asarray(cards & ~3 | np.array(RENAMINGS)[renaming, cards & 3])


@cache
def _flops() -> tuple[Keys, Keys, Keys]:
    """List every flop as a code, its canonical row, and the renaming of suits that leads to it."""
    flops = np.array(list(combinations(range(52), 3)), dtype=np.int64)
    codes = np.stack(
        [
            np.sort(_renamed(flops, np.full(len(flops), place)), axis=1) @ POWERS
            for place in range(len(RENAMINGS))
        ]
    )
    rows = np.searchsorted(_boards().flops @ POWERS, codes.min(axis=0))
    return flops @ POWERS, rows, codes.argmin(axis=0)


def _bets(dealt: Dealt) -> "tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]":
    """Look up the Turn bet and the River bet of each round."""
    codes, rows, renamings = _flops()
    indices = np.searchsorted(codes, np.sort(dealt[:, 4:7], axis=1) @ POWERS)
    place, renaming = rows[indices], renamings[indices]
    turn, hole = _renamed(dealt[:, 7], renaming), _renamed(dealt[:, HOLE], renaming)
    turn_bets = _bits(cached_bets().turn_bets, place, hole)
    again = _boards().renaming_of[place, turn]
    row = _boards().row_of[place, turn]
    return turn_bets, _bits(cached_bets().river_bets, row, _renamed(hole, again))


def _bits(rows: "npt.NDArray[np.uint8]", place: Keys, hole: Keys) -> "npt.NDArray[np.bool_]":
    """Read one bit per round in the order of ``packbits``, highest bit first."""
    high, low = hole.max(axis=1), hole.min(axis=1)
    column = high * (high - 1) // 2 + low
    return np.asarray(rows[place, column >> 3] >> (7 - (column & 7)) & 1, dtype=np.bool_)
