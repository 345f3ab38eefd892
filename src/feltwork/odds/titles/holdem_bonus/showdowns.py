"""Hold'em Bonus: one hand against every dealer pair, counted by ranks and flush suit, without numpy.

The sum of the cards' words holds, from the lowest bit up, the ranks of each suit (13 bits per suit), the
number of its cards (four bits), and the number of cards of each rank (three bits per rank).
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement

from feltwork.odds.hand_values import (
    ALL_RANKS,
    FLUSH_VALUE,
    STRAIGHT_VALUE,
    THREE_TENS_VALUE,
    flush_value,
    value_of_ranks,
)
from feltwork.odds.titles.holdem_bonus.counts import Outcomes

_SIZES, _RANKS = 52, 68
_WORDS = tuple(
    1 << 13 * suit + rank | 1 << _SIZES + 4 * suit | 1 << _RANKS + 3 * rank
    for rank in range(13)
    for suit in range(4)
)
#: Two ranks, equal for a pair, and their increment to the ranks of a word.
_RANK_PAIRS = tuple(
    (first, second, (1 << 3 * first) + (1 << 3 * second))
    for first, second in combinations_with_replacement(range(13), 2)
)


class Showdowns:
    """A hole pair against all dealer pairs of a deck, a set of cards as bits; boards are cached."""

    def __init__(self, hole: Sequence[int], deck: int) -> None:
        self._hole = _word(hole)
        self._cards = [card for card in range(52) if deck >> card & 1 and card not in hole]
        self._deck = _word(self._cards)
        self._values: dict[int, int] = {}
        self._settled: dict[tuple[int, int, int], tuple[int, int, int]] = {}

    def after(self, board: Sequence[int]) -> Outcomes:
        """Add the deals over all rivers after four board cards."""
        board_word = _word(board)
        won = lost = tens = straights = flushes = 0
        for river in self._cards:
            if river in board:
                continue
            wins, losses, value = self._settle(board_word + _WORDS[river])
            won, lost = won + wins, lost + losses
            tens += wins * (value >= THREE_TENS_VALUE)
            straights += wins * (value >= STRAIGHT_VALUE)
            flushes += wins * (value >= FLUSH_VALUE)
        return Outcomes(1, won, lost, tens, straights, flushes)

    def _settle(self, board: int) -> tuple[int, int, int]:
        """Return the dealer pairs won and lost against, and the value of the hand."""
        suit = _suit_of(board, 3)
        suited = -1 if suit < 0 else board >> 13 * suit & ALL_RANKS
        key = board >> _RANKS, suit, suited
        if key not in self._settled:
            hand = board + self._hole
            flush = _suit_of(hand, 5)
            value = self._value(hand >> _RANKS) if flush < 0 else flush_value(hand >> 13 * flush & ALL_RANKS)
            self._settled[key] = *self._pairs(board, suit, value), value
        return self._settled[key]

    def _pairs(self, board: int, suit: int, value: int) -> tuple[int, int]:
        """Count the dealer pairs won and lost against: by their ranks, then again for those with a flush."""
        ranks, left, known = board >> _RANKS, (self._deck - board) >> _RANKS, self._values
        won = lost = 0
        for pair, ways in _rank_pairs([left >> 3 * rank & 7 for rank in range(13)]):
            dealer = known.get(ranks + pair) or self._value(ranks + pair)
            if dealer < value:
                won += ways
            elif dealer > value:
                lost += ways
        if suit >= 0:
            for pair, ways, flush in _flushes(board, self._deck - board, suit):
                plain = self._value(ranks + pair)
                won += ways * ((flush < value) - (plain < value))
                lost += ways * ((flush > value) - (plain > value))
        return won, lost

    def _value(self, ranks: int) -> int:
        """Return the value of seven cards without suits."""
        if ranks not in self._values:
            held = [rank for rank in range(13) for _ in range(ranks >> 3 * rank & 7)]
            self._values[ranks] = value_of_ranks(held)
        return self._values[ranks]


def _word(cards: Sequence[int]) -> int:
    return sum(_WORDS[card] for card in cards)


def _suit_of(word: int, cards: int) -> int:
    """Return the suit with at least this many cards, or -1; at most four cards are of another suit."""
    return next((suit for suit in range(4) if word >> _SIZES + 4 * suit & 15 >= cards), -1)


def _rank_pairs(left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the ranks of two cards, and the number of pairs of cards with these ranks."""
    for first, second, pair in _RANK_PAIRS:
        ways = left[first] * (left[second] if first != second else left[first] - 1)
        if ways:
            yield pair, ways if first != second else ways // 2


def _flushes(board: int, hidden: int, suit: int) -> Iterator[tuple[int, int, int]]:
    """Yield the ranks of dealer pairs that make a flush, their number, and the flush's value."""
    held, count = board >> 13 * suit & ALL_RANKS, board >> _SIZES + 4 * suit & 15
    suited = [rank for rank in range(13) if hidden >> 13 * suit + rank & 1]
    others = [(hidden >> _RANKS + 3 * rank & 7) - (rank in suited) for rank in range(13)]
    for first, second in combinations(suited, 2):
        yield (1 << 3 * first) + (1 << 3 * second), 1, flush_value(held | 1 << first | 1 << second)
    if count >= 4:
        for first in suited:
            flush = flush_value(held | 1 << first)
            for second, ways in enumerate(others):
                yield (1 << 3 * first) + (1 << 3 * second), ways, flush
    if count == 5:
        flush = flush_value(held)
        yield from ((pair, ways, flush) for pair, ways in _rank_pairs(others))
