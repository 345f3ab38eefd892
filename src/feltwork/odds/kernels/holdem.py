"""Compiled counting for Hold'em Bonus: every hole pair against every dealer pair on every board.

On a board, hole cards of one *type* are interchangeable: a type is a rank together with "of the suit that
can flush" or not. Pairs of types are visited in ascending order of value, counting for each type the
pairs so far that contain one given card of it; the dealer pairs that a player's pair (a, b) beats are then

    below - below[a] - below[b]

since a pair below (a, b) never contains both. Results are added over the rivers of each of the 16,432 turn
boards that differ by more than a renaming of suits; a second pass decides the turn and river bets flop by
flop, reading the turn boards through suit permutations.

Hole cards high > low have the column `high * (high - 1) // 2 + low`. Results are packed, sixteen bits
each: deals won, lost, won with a straight or better, won with a flush or better. At most 46 rivers times
990 dealer pairs are added, so no field overflows.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from feltwork.odds.hand_values import (
    CATEGORY_SHIFT,
    FLUSH_VALUE,
    STRAIGHT_VALUE,
    THREE_TENS_VALUE,
    flush_value,
    ranks_value,
)
from feltwork.odds.kernels.five_card import Ints

Bytes = NDArray[np.uint8]
Shorts = NDArray[np.uint16]
Words = NDArray[np.int32]

RANK_PAIRS = 91
PAIR_HIGH = np.array([high for high in range(13) for _ in range(high + 1)], dtype=np.int64)
PAIR_LOW = np.array([low for high in range(13) for low in range(high + 1)], dtype=np.int64)
BOARDS_OF_RANKS = 6188
COLUMNS = 1326
DEAD = 26
FIELD = 0xFFFF
LOST_SHIFT, STRAIGHT_SHIFT, FLUSH_SHIFT = 16, 32, 48
HALF = 0xFFFFFFFF
ABOVE_ALL = 10 << CATEGORY_SHIFT
WORK_SIZE = 832
# Columns of a result: decisions counted, then deals won, lost, and won with at least each criterion.
DECISIONS, WON, LOST, WON_THREE_TENS, WON_STRAIGHT, WON_FLUSH = range(6)


@njit(cache=True, nogil=True)
def board_index(ranks: Ints) -> int:
    """Position of five ascending ranks among the 6,188 multisets of five ranks."""
    index = 0
    for place in range(5):
        top = ranks[place] + place
        ways = 1
        for step in range(place + 1):
            ways = ways * (top - step) // (step + 1)
        index += ways
    return index


@njit(cache=True, nogil=True)
def rank_orders() -> tuple[Bytes, Words]:
    """For each multiset of board ranks: the 91 hole rank pairs in ascending value, and their values."""
    orders = np.zeros((BOARDS_OF_RANKS, RANK_PAIRS), np.uint8)
    values = np.zeros((BOARDS_OF_RANKS, RANK_PAIRS), np.int32)
    ranks = np.zeros(5, np.int64)
    while True:
        index = board_index(ranks)
        _order_rank_pairs(ranks, orders[index], values[index])
        place = 0
        while place < 4 and ranks[place] == ranks[place + 1]:
            ranks[place] = 0
            place += 1
        if place == 4 and ranks[4] == 12:
            return orders, values
        ranks[place] += 1


@njit(cache=True, nogil=True)
def _order_rank_pairs(ranks: Ints, order: Bytes, values: Words) -> None:
    pair = 0
    masks = np.zeros(4, np.int64)
    for high in range(13):
        for low in range(high + 1):
            masks[:] = 0
            for place in range(7):
                rank = ranks[place] if place < 5 else (high if place == 5 else low)
                bit = 1 << rank
                masks[3] |= masks[2] & bit
                masks[2] |= masks[1] & bit
                masks[1] |= masks[0] & bit
                masks[0] |= bit
            values[pair] = ranks_value(masks[0], masks[1], masks[2], masks[3])
            spot = pair
            while spot > 0 and values[order[spot - 1]] > values[pair]:
                order[spot] = order[spot - 1]
                spot -= 1
            order[spot] = pair
            pair += 1


@njit(cache=True, nogil=True)
def _board_shape(board: Ints, ranks: Ints) -> tuple[int, int, int]:
    """Sort the board's ranks; return the suit that can flush (-1: none), its card count and its ranks."""
    tally = 0
    for place in range(5):
        tally += 1 << 4 * (board[place] & 3)
        rank = board[place] >> 2
        spot = place
        while spot > 0 and ranks[spot - 1] > rank:
            ranks[spot] = ranks[spot - 1]
            spot -= 1
        ranks[spot] = rank
    for suit in range(4):
        suited = tally >> 4 * suit & 15
        if suited >= 3:
            mask = 0
            for place in range(5):
                if board[place] & 3 == suit:
                    mask |= 1 << (board[place] >> 2)
            return suit, suited, mask
    return -1, 0, 0


@njit(cache=True, nogil=True)
def _sort_cards(board: Ints, deck: int, flush_suit: int, types: Bytes, sizes: Ints) -> int:
    """Fill types of the 52 cards (DEAD on the board or outside `deck`) and their sizes; count live cards."""
    for card in board:
        deck &= ~(1 << card)
    sizes[:] = 0
    live = 0
    for card in range(52):
        kind = DEAD
        if deck >> card & 1:
            kind = (card >> 2) * 2 + (card & 3 == flush_suit)
            sizes[kind] += 1
            live += 1
        types[card] = kind
    return live


@njit(cache=True, nogil=True)
def _flush_classes(board_ranks: int, board_count: int, added: Ints, values: Ints) -> int:
    """List the sets of suited hole ranks that make a flush, ascending in value; return their number.

    A set is coded (high + 1) << 4 | (low + 1), with 0 for a hole card of another suit.
    """
    count = 0
    for high in range(14):
        for low in range(max(high, 1)):
            mask = (1 << high | 1 << low) >> 1
            if board_count + (high > 0) + (low > 0) < 5 or mask & board_ranks:
                continue
            value = flush_value(board_ranks | mask)
            spot = count
            while spot > 0 and values[spot - 1] > value:
                values[spot] = values[spot - 1]
                added[spot] = added[spot - 1]
                spot -= 1
            values[spot] = value
            added[spot] = high << 4 | low
            count += 1
    return count


@njit(cache=True, nogil=True)
def _list_pairs(
    order: Bytes, value_of: Words, suited_need: int, flushes: int, added: Ints, flush_values: Ints,
    pairs: Bytes, values: Ints,
) -> int:  # fmt: skip
    """List all pairs of types in ascending value; return their number. Types out of the deck do no harm."""
    count = 0
    flush = 0
    for place in range(RANK_PAIRS + 1):
        last = place == RANK_PAIRS
        value = ABOVE_ALL if last else np.int64(value_of[order[place]])
        while flush < flushes and flush_values[flush] < value:
            high, low = added[flush] >> 4, added[flush] & 15
            # Without a second suited rank the other card is any card of another suit.
            for rank in range(low - 1 if low else 0, low if low else 13):
                for other in range(rank + 1 if high == 0 else 1):
                    pairs[count, 0] = 2 * high - 1 if high else 2 * other
                    pairs[count, 1] = 2 * rank + (low > 0)
                    values[count] = flush_values[flush]
                    count += 1
            flush += 1
        if last or suited_need == 0:
            continue
        high, low = PAIR_HIGH[order[place]], PAIR_LOW[order[place]]
        for suits in range(4):
            if (suits >> 1) + (suits & 1) < suited_need and (high != low or suits < 2):
                pairs[count, 0] = 2 * high + (suits & 1)
                pairs[count, 1] = 2 * low + (suits >> 1)
                values[count] = value
                count += 1
    return count


@njit(cache=True, nogil=True)
def _settle_pairs(
    count: int, pairs: Bytes, values: Ints, sizes: Ints, below: Ints, live: int, showdowns: Ints, tens: Shorts
) -> None:
    """Wins and losses of every pair of types; `below[type]` counts pairs with one given card of the type."""
    below[:] = 0
    all_below = 0
    dealer_pairs = (live - 2) * (live - 3) // 2
    start = 0
    while start < count:
        value = values[start]
        end = start
        while end < count and values[end] == value:
            first, second = pairs[end, 0], pairs[end, 1]
            showdowns[first, second] = all_below - below[first] - below[second]
            end += 1
        for place in range(start, end):
            first, second = pairs[place, 0], pairs[place, 1]
            if first == second:
                all_below += sizes[first] * (sizes[first] - 1) // 2
                below[first] += sizes[first] - 1
            else:
                all_below += sizes[first] * sizes[second]
                below[first] += sizes[second]
                below[second] += sizes[first]
        for place in range(start, end):
            first, second = pairs[place, 0], pairs[place, 1]
            won = showdowns[first, second]
            # The pair itself is subtracted once for each of its two cards: add it back once.
            lost = dealer_pairs - (all_below - below[first] - below[second] + 1)
            packed = won | lost << LOST_SHIFT
            if value >= STRAIGHT_VALUE:
                packed |= won << STRAIGHT_SHIFT
            if value >= FLUSH_VALUE:
                packed |= won << FLUSH_SHIFT
            showdowns[first, second] = packed
            showdowns[second, first] = packed
            three_tens = won if value >= THREE_TENS_VALUE else 0
            tens[first, second] = three_tens
            tens[second, first] = three_tens
        start = end


@njit(cache=True, nogil=True)
def _settle_types(
    shape: tuple[int, int, int],
    live: int,
    orders: Bytes,
    values: Words,
    showdowns: Ints,
    tens: Shorts,
    work: Ints,
) -> None:
    """Fill results by types for the board whose ranks and type sizes are in `work`."""
    ranks, sizes, below = work[:5], work[5:31], work[31:57]
    added, flush_values, pair_values = work[64:128], work[128:192], work[192:704]
    pairs = work[704:832].view(np.uint8).reshape(512, 2)
    flush_suit, suited, suited_ranks = shape
    flushes = 0
    # Where no suit can flush, no card is of a suited type.
    suited_need = 1
    if flush_suit >= 0:
        suited_need = 5 - suited
        flushes = _flush_classes(suited_ranks, suited, added, flush_values)
    index = board_index(ranks)
    count = _list_pairs(
        orders[index], values[index], suited_need, flushes, added, flush_values, pairs, pair_values
    )
    _settle_pairs(count, pairs, pair_values, sizes, below, live, showdowns, tens)


@njit(cache=True, nogil=True)
def _add_spread(types: Bytes, showdowns: Ints, tens: Shorts, row: Ints, row_tens: Shorts) -> None:
    for high in range(1, 52):
        kind = types[high]
        if kind == DEAD:
            continue
        start = high * (high - 1) // 2
        into, into_tens = row[start : start + high], row_tens[start : start + high]
        of_high, tens_of_high = showdowns[kind], tens[kind]
        for low in range(high):
            into[low] += of_high[types[low]]
            into_tens[low] += tens_of_high[types[low]]


@njit(cache=True, nogil=True)
def settle_turn(
    first_four: Ints, deck: int, orders: Bytes, values: Words, row: Ints, row_tens: Shorts
) -> None:
    """Add the results of all hole pairs over the rivers of one turn board of four cards.

    `deck` is the set of cards in play as bits.
    """
    board = np.empty(5, np.int64)
    board[:4] = first_four
    types = np.empty(52, np.uint8)
    work = np.zeros(WORK_SIZE, np.int64)
    type_results = np.zeros((27, 27), np.int64)
    tens = np.zeros((27, 27), np.uint16)
    plain_results = np.zeros((27, 27), np.int64)
    plain_tens = np.zeros((27, 27), np.uint16)
    plain_rank = -1
    rivers = deck
    for card in first_four:
        rivers &= ~(1 << card)
    for river in range(52):
        if not rivers >> river & 1:
            continue
        board[4] = river
        shape = _board_shape(board, work[:5])
        live = _sort_cards(board, deck, shape[0], types, work[5:31])
        if shape[0] >= 0:
            _settle_types(shape, live, orders, values, type_results, tens, work)
            _add_spread(types, type_results, tens, row, row_tens)
            continue
        # Without a flush the results by types depend on ranks alone: rivers of one rank share them.
        if plain_rank != river >> 2:
            plain_rank = river >> 2
            _settle_types(shape, live, orders, values, plain_results, plain_tens, work)
        _add_spread(types, plain_results, plain_tens, row, row_tens)


@njit(cache=True, nogil=True)
def settle_turns(
    boards: Ints, deck: int, orders: Bytes, values: Words, rows: Ints, rows_tens: Shorts
) -> None:
    """`settle_turn` for many turn boards, one row of results each."""
    for place in range(boards.shape[0]):
        settle_turn(boards[place], deck, orders, values, rows[place], rows_tens[place])


@njit(cache=True, nogil=True)
def hole_class(high: int, low: int) -> int:
    """Index of a starting hand: 13 * high + low when suited, 13 * low + high when not (pairs: equal)."""
    if high & 3 == low & 3:
        return 13 * (high >> 2) + (low >> 2)
    return 13 * (low >> 2) + (high >> 2)


@njit(cache=True, nogil=True)
def _permuted_columns(suits: Ints, columns: Shorts) -> None:
    """Fill the column of each hole pair after its suits are renamed."""
    for high in range(1, 52):
        for low in range(high):
            first = high & ~3 | suits[high & 3]
            second = low & ~3 | suits[low & 3]
            top, bottom = max(first, second), min(first, second)
            columns[high * (high - 1) // 2 + low] = top * (top - 1) // 2 + bottom


@njit(cache=True, nogil=True)
def _add_margins(row: Ints, columns: Shorts, margins: Ints) -> None:
    for column in range(COLUMNS):
        packed = row[columns[column]]
        margins[column] += (packed & FIELD) - (packed >> LOST_SHIFT & FIELD)


@njit(cache=True, nogil=True)
def _play_turn(
    row: Ints, row_tens: Shorts, columns: Shorts, margins: Ints, dead: int, classes: Bytes, sums: Ints
) -> None:
    """Add one turn card's outcomes by starting hand, turn bet and river bet, two sums to a word.

    A bet is made only if it wins more than it loses; a bet worth nothing is not made.
    """
    for high in range(1, 52):
        if dead >> high & 1:
            continue
        start = high * (high - 1) // 2
        for low in range(high):
            if dead >> low & 1:
                continue
            column = start + low
            packed = row[columns[column]]
            won, lost = packed & FIELD, packed >> LOST_SHIFT & FIELD
            bets = (2 if margins[column] > 0 else 0) + (1 if won > lost else 0)
            into = sums[classes[column], bets]
            into[0] += 1 | np.int64(row_tens[columns[column]]) << 32
            into[1] += won | lost << 32
            into[2] += packed >> STRAIGHT_SHIFT & FIELD | (packed >> FLUSH_SHIFT & FIELD) << 32


@njit(cache=True, nogil=True)
def _collect(sums: Ints, weight: int, results: Ints) -> None:
    for place in range(sums.shape[0]):
        for bets in range(4):
            into = results[place, bets >> 1, bets & 1]
            first, second, third = sums[place, bets, 0], sums[place, bets, 1], sums[place, bets, 2]
            into[DECISIONS] += weight * (first & HALF)
            into[WON] += weight * (second & HALF)
            into[LOST] += weight * (second >> 32)
            into[WON_THREE_TENS] += weight * (first >> 32)
            into[WON_STRAIGHT] += weight * (third & HALF)
            into[WON_FLUSH] += weight * (third >> 32)


@njit(cache=True, nogil=True)
def play_flops(
    flops: Ints, weights: Ints, deck: int, permutations: Ints, row_of: Ints, renaming_of: Ints,
    rows: Ints, rows_tens: Shorts,
) -> Ints:  # fmt: skip
    """Outcomes by starting hand, turn bet and river bet over flops, each counted `weights` times.

    The turn board of flop f and turn card t has row `row_of[f, t]` once its suits are renamed by
    `permutations[renaming_of[f, t]]`; `row_of` is -1 where t is not in play.
    """
    columns = np.empty((permutations.shape[0], COLUMNS), np.uint16)
    for place in range(permutations.shape[0]):
        _permuted_columns(permutations[place], columns[place])
    classes = np.empty(COLUMNS, np.uint8)
    for high in range(1, 52):
        for low in range(high):
            classes[high * (high - 1) // 2 + low] = hole_class(high, low)
    results = np.zeros((169, 2, 2, 6), np.int64)
    sums = np.empty((169, 4, 3), np.int64)
    margins = np.empty(COLUMNS, np.int64)
    for place in range(flops.shape[0]):
        margins[:] = 0
        sums[:] = 0
        dead = ~deck
        for card in flops[place]:
            dead |= 1 << card
        for turn in range(52):
            if row_of[place, turn] >= 0:
                _add_margins(rows[row_of[place, turn]], columns[renaming_of[place, turn]], margins)
        for turn in range(52):
            index = row_of[place, turn]
            if index >= 0:
                renamed = columns[renaming_of[place, turn]]
                _play_turn(rows[index], rows_tens[index], renamed, margins, dead | 1 << turn, classes, sums)
        _collect(sums, weights[place], results)
    return results
