"""The four-card games counted slowly in plain Python: what the kernels are held against."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations

from feltwork.odds.four_card.classes import KING_HIGH, hand_of, rank_of
from feltwork.odds.titles.crazy_4.counts import (
    LOSS,
    TIE,
    UNQUALIFIED_LOSS,
    UNQUALIFIED_TIE,
    UNQUALIFIED_WIN,
    WIN,
)
from feltwork.titles.cards.card import parse_cards
from feltwork.titles.hands.four_card import FourCardCategory

HIGHEST_KEPT_RANK = 9


def indices(text: str) -> tuple[int, ...]:
    """Cards as the kernels see them, in the order given."""
    return tuple(card.index for card in parse_cards(text))


def deck_of(ranks: str) -> tuple[int, ...]:
    """All four suits of some ranks."""
    return indices(" ".join(rank + suit for rank in ranks for suit in "cdhs"))


def _encode(category: FourCardCategory, *ranks: int) -> int:
    value = int(category)
    for rank in (*ranks, 0, 0, 0, 0)[:4]:
        value = value * 16 + rank
    return value


@cache
def value_of_four(cards: tuple[int, ...]) -> int:
    """The value of exactly four cards."""
    ranks = sorted((rank_of(card) for card in cards), reverse=True)
    flush = len({card % 4 for card in cards}) == 1
    top = 0
    if ranks == [14, 4, 3, 2]:
        top = 4
    elif ranks == list(range(ranks[0], ranks[0] - 4, -1)):
        top = ranks[0]
    by_count = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    shape = [count for _, count in by_count]
    held = [rank for rank, _ in by_count]
    if shape == [4]:
        return _encode(FourCardCategory.FOUR_OF_A_KIND, *held)
    if flush and top:
        return _encode(FourCardCategory.STRAIGHT_FLUSH, top)
    if shape == [3, 1]:
        return _encode(FourCardCategory.THREE_OF_A_KIND, *held)
    if flush:
        return _encode(FourCardCategory.FLUSH, *ranks)
    if top:
        return _encode(FourCardCategory.STRAIGHT, top)
    if shape == [2, 2]:
        return _encode(FourCardCategory.TWO_PAIR, *held)
    if shape == [2, 1, 1]:
        return _encode(FourCardCategory.PAIR, *held)
    return _encode(FourCardCategory.HIGH_CARD, *ranks)


@lru_cache(maxsize=1 << 17)
def best_of(cards: tuple[int, ...]) -> int:
    """The value of the best four of the cards, which come in ascending order."""
    return max(map(value_of_four, combinations(cards, 4)))


def _without(deck: Sequence[int], *used: int) -> list[int]:
    return [card for card in sorted(deck) if card not in used]


def crazy_4_showdowns(
    player: Sequence[int], deck: Sequence[int]
) -> tuple[list[int], Counter[FourCardCategory]]:
    """How all dealer hands fall against one player hand, and the categories of those that it beats."""
    player_value = best_of(tuple(sorted(player)))
    outcomes = [0] * 6
    beaten: Counter[FourCardCategory] = Counter()
    for hand in combinations(_without(deck, *player), 5):
        dealer_value = best_of(hand)
        if dealer_value < KING_HIGH:
            outcomes[
                UNQUALIFIED_WIN
                if player_value > dealer_value
                else UNQUALIFIED_TIE
                if player_value == dealer_value
                else UNQUALIFIED_LOSS
            ] += 1
        else:
            outcomes[
                WIN if player_value > dealer_value else TIE if player_value == dealer_value else LOSS
            ] += 1
        if player_value > dealer_value:
            beaten[FourCardCategory(hand_of(dealer_value).category)] += 1
    return outcomes, beaten


def exposures(player: Sequence[int], deck: Sequence[int]) -> Iterator[tuple[int | None, tuple[int, ...]]]:
    """All (kept card, discards) that the dealer of 6-5-4 may show, discards in the order turned."""
    for first in _without(deck, *player):
        if rank_of(first) <= HIGHEST_KEPT_RANK:
            yield first, ()
            continue
        for second in _without(deck, *player, first):
            if rank_of(second) <= HIGHEST_KEPT_RANK:
                yield second, (first,)
            else:
                yield None, (first, second)


def six_five_four_showdowns(
    player: Sequence[int], kept_card: int | None, discards: Sequence[int], deck: Sequence[int]
) -> tuple[int, int, int]:
    """Hidden hands of the dealer that lose to, tie and beat the player."""
    player_value = best_of(tuple(sorted(player)))
    own = () if kept_card is None else (kept_card,)
    result = [0, 0, 0]
    for hidden in combinations(_without(deck, *player, *own, *discards), 4 if discards else 5):
        dealer_value = best_of(tuple(sorted((*own, *hidden))))
        result[0 if dealer_value < player_value else 1 if dealer_value == player_value else 2] += 1
    return result[0], result[1], result[2]


def unpack(packed: int) -> tuple[int, int, int, int, int]:
    """The five cards of a packed hand, ascending."""
    return (packed & 63, (packed >> 6) & 63, (packed >> 12) & 63, (packed >> 18) & 63, (packed >> 24) & 63)
