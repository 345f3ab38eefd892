"""Caribbean Stud: the dealer's possible hands, counted by rank in a few milliseconds without numpy."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import comb, prod

from feltwork.odds.hand_values import flush_value, value_of_ranks


def dealer_hands(known: Sequence[int], hidden: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the values of the hands that complete one or more known cards, with their counts."""
    left = Counter(card >> 2 for card in hidden)
    held, suits = [card >> 2 for card in known], {card & 3 for card in known}
    suited = {card >> 2 for card in hidden if suits == {card & 3}}
    for drawn in combinations_with_replacement(range(13), 5 - len(known)):
        ways = prod(comb(left[rank], drawn.count(rank)) for rank in set(drawn))
        if not ways:
            continue
        ranks = (*held, *drawn)
        if len(suits) == 1 and len(set(ranks)) == 5 and suited.issuperset(drawn):
            yield flush_value(sum(1 << rank for rank in ranks)), 1
            ways -= 1
        yield value_of_ranks(ranks), ways
