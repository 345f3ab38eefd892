"""Count, by value, the four-card hands that hidden cards complete, without listing them.

Ranks alone decide a hand without four cards of a suit, so 6,000 choices of ranks cover the 1.4 million draws
of five cards. Among six cards, only one suit can have four.
"""

from bisect import bisect
from collections.abc import Sequence
from itertools import combinations
from math import comb

from feltwork.odds.four_card.classes import CATEGORY_SHIFT
from feltwork.titles.cards.card import ACE
from feltwork.titles.hands.four_card import FourCardCategory

#: The ways to have zero, one and two cards of other suits in addition to those of a suit.
_Suited = tuple[int, int, int]
_PAIR = FourCardCategory.PAIR << CATEGORY_SHIFT
_TWO_PAIR = FourCardCategory.TWO_PAIR << CATEGORY_SHIFT
_STRAIGHT = FourCardCategory.STRAIGHT << CATEGORY_SHIFT
_FLUSH = FourCardCategory.FLUSH << CATEGORY_SHIFT
_THREE = FourCardCategory.THREE_OF_A_KIND << CATEGORY_SHIFT
_STRAIGHT_FLUSH = FourCardCategory.STRAIGHT_FLUSH << CATEGORY_SHIFT
_FOUR = FourCardCategory.FOUR_OF_A_KIND << CATEGORY_SHIFT
_CARDS = 4
_MOST_CARDS = 6


def count_draws(known: Sequence[int], hidden: Sequence[int], draws: int, bounds: Sequence[int]) -> list[int]:
    """Count the draws whose best four reach no bound, one, two and so on; the bounds ascend.

    The known cards and the draw total four, five or six cards.
    """
    return _Draws(known, hidden, draws, bounds).count()


class _Draws:
    def __init__(
        self, known: Sequence[int], hidden: Sequence[int], draws: int, bounds: Sequence[int]
    ) -> None:
        self._known = known
        self._suits = [sorted(card // 4 for card in hidden if card % 4 == suit) for suit in range(4)]
        self._left = [[card // 4 for card in hidden].count(rank) for rank in range(13)]
        self._held = [[card // 4 for card in known].count(rank) for rank in range(13)]
        self._draws = draws
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        #: Number of cards that may be of suits other than the flush.
        self._others = len(known) + draws - _CARDS

    def count(self) -> list[int]:
        masks = [sum(1 << rank for rank in range(13) if self._held[rank] > copies) for copies in range(4)]
        suited = []
        for suit in range(4):
            others = sum(card % 4 != suit for card in self._known)
            if others <= self._others:
                start = (int(others == 0), int(others == 1), int(others == 2))
                suited.append((frozenset(self._suits[suit]), start))
        flushes = self._choose(13, self._draws, 1, masks, suited)
        if self._bounds[-1] <= _FLUSH:
            self._counts[-1] += flushes
        else:
            self._count_flushes()
        return self._counts

    def _choose(
        self,
        below: int,
        draws: int,
        ways: int,
        masks: Sequence[int],
        suited: list[tuple[frozenset[int], _Suited]],
    ) -> int:
        """Draw from ranks below `below`; count hands without a flush, and return the number with a flush."""
        if not draws:
            flushes = sum(sum(by_others[: self._others + 1]) for _, by_others in suited)
            self._counts[bisect(self._bounds, _value(*masks))] += ways - flushes
            return flushes
        flushes = 0
        for rank in range(below):
            left, held = self._left[rank], self._held[rank]
            for copies in range(1, min(draws, left) + 1):
                flushes += self._choose(
                    rank,
                    draws - copies,
                    ways * comb(left, copies),
                    [
                        mask | (1 << rank if held < more <= held + copies else 0)
                        for more, mask in enumerate(masks, 1)
                    ],
                    _drawn(suited, rank, left, copies),
                )
        return flushes

    def _count_flushes(self) -> None:
        """Count the hands with four cards of a suit; three of a kind may still beat their flush."""
        for suit, ranks in enumerate(self._suits):
            own = sum(1 << card // 4 for card in self._known if card % 4 == suit)
            others = {card // 4 for card in self._known if card % 4 != suit}
            for size in range(max(0, _CARDS - own.bit_count()), self._draws + 1):
                rest = self._draws - size
                every = comb(sum(self._left) - len(ranks), rest)
                is_three_possible = len(self._known) + self._draws == _MOST_CARDS and (
                    own.bit_count() + size == _CARDS
                )
                for drawn in combinations(ranks, size):
                    mask = own | sum(1 << rank for rank in drawn)
                    value, ways = _suited_value(mask), every
                    if is_three_possible and value < _THREE:
                        for rank in range(13):
                            if mask >> rank & 1 and others <= {rank}:
                                more = comb(self._left[rank] - (rank in ranks), rest)
                                ways -= more
                                self._add(_three(rank, mask), more)
                    self._add(value, ways)

    def _add(self, value: int, ways: int) -> None:
        self._counts[bisect(self._bounds, value)] += ways


def _drawn(
    suited: list[tuple[frozenset[int], _Suited]], rank: int, left: int, copies: int
) -> list[tuple[frozenset[int], _Suited]]:
    """Return the ways of each suit after drawing copies of a rank; suits without ways are dropped."""
    if copies > 3:
        return []
    suits_after = []
    for ranks, (none, one, two) in suited:
        has = rank in ranks
        other = left - has
        if copies == 1:
            after = (none * has, one * has + none * other, two * has + one * other)
        elif copies == 2:
            after = (0, none * has * other, one * has * other + none * comb(other, 2))
        else:
            after = (0, 0, none * has * comb(other, 2))
        if any(after):
            suits_after.append((ranks, after))
    return suits_after


def _value(one: int, two: int, three: int, four: int) -> int:
    """Return the best four by ranks alone, from the ranks held at least once, twice, three and four times."""
    if four:
        return _FOUR | _ranks(four, 1)
    if three:
        return _three(three.bit_length() - 1, one)
    if top := _straight(one):
        return _STRAIGHT | top << 12
    if two:
        first = 1 << two.bit_length() - 1
        if rest := two ^ first:
            return _TWO_PAIR | _ranks(first, 1) | _ranks(rest, 1) >> 4
        return _PAIR | _ranks(first, 1) | _ranks(one ^ first, 2) >> 4
    return _ranks(one, 4)


def _suited_value(mask: int) -> int:
    """Return the value of the best four of the ranks of one suit."""
    top = _straight(mask)
    return _STRAIGHT_FLUSH | top << 12 if top else _FLUSH | _ranks(mask, 4)


def _three(rank: int, mask: int) -> int:
    return _THREE | rank + 2 << 12 | _ranks(mask & ~(1 << rank), 1) >> 4


def _straight(mask: int) -> int:
    """Return the top rank of the best straight of four, or 0; the ace also counts low."""
    low = mask << 1 | mask >> ACE - 2
    run = low & low >> 1 & low >> 2 & low >> 3
    return run.bit_length() + 3 if run else 0


def _ranks(mask: int, count: int) -> int:
    """Return the highest ranks of a mask, four bits each from bit 12 down."""
    value = 0
    for shift in range(12, 12 - 4 * count, -4):
        if not mask:
            break
        top = mask.bit_length() - 1
        value |= top + 2 << shift
        mask ^= 1 << top
    return value
