"""The chance that two given players at a table both take a share of a meter in one round."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, permutations, product
from math import comb, prod
from typing import TypeAlias

from feltwork.odds.atoms import suit_classes
from feltwork.titles.cards.card import DECK, Card
from feltwork.titles.paytables.paytable import Paytable, Share
from feltwork.titles.title import Jackpot, Sight

Cards: TypeAlias = tuple[Card, ...]
#: Probability that two players hit these rows in the same round.
Pairs: TypeAlias = Mapping[tuple[str, str], Fraction]

#: For each view: the cards of one player, and the cards that all players share.
SIZES = {
    "five_dealt": (5, 0),
    "best_four_of_five": (5, 0),
    "hole_and_flop": (2, 3),
    "first_two_and_up": (2, 1),
}
#: Views in which no two players can take the whole meter: a royal flush needs three cards of the board.
EXCLUSIVE = ("hole_and_board",)


def is_counted(view: str) -> bool:
    """Whether hits of two players in one round are counted for a view."""
    return view in SIZES or view in EXCLUSIVE


_COUNTED: dict[tuple[str, str, int], Pairs] = {}


def two_winners(jackpot: Jackpot, paytable: Paytable, view: str, decks: int) -> Pairs | None:
    """Count the pairs of hands that both take a share; None for a view that is not counted."""
    if view in EXCLUSIVE:
        return {}
    if view not in SIZES:
        return None
    known = (paytable.fingerprint, view, decks)
    if known not in _COUNTED:
        _COUNTED[known] = _count(jackpot, paytable, *SIZES[view], decks)
    return _COUNTED[known]


def _count(jackpot: Jackpot, paytable: Paytable, own: int, shared: int, decks: int) -> Pairs:
    hits: dict[Cards, list[tuple[Cards, str]]] = {}
    for own_cards, everybodys, row in _hits(jackpot, paytable, own, shared):
        hits.setdefault(everybodys, []).append((own_cards, row))
    ways: Counter[tuple[str, str]] = Counter()
    for everybodys, hands in hits.items():
        for (first, row), (second, other) in product(hands, repeat=2):
            ways[row, other] += _ways(decks, everybodys, first, second)
    cards = 52 * decks
    deals = comb(cards, shared) * comb(cards - shared, own) * comb(cards - shared - own, own)
    return {rows: Fraction(count, deals) for rows, count in ways.items() if count}


def _hits(jackpot: Jackpot, paytable: Paytable, own: int, shared: int) -> Iterator[tuple[Cards, Cards, str]]:
    """Yield a player's cards, the shared cards and the row, for every hand that takes a share."""

    def share_of(sight: Sight) -> str:
        row = paytable.row_for(jackpot.names(sight))
        return row.hand if row is not None and isinstance(row.pays, Share) else ""

    if own + shared == 5:
        taking = [(cards, row) for cards, _ in suit_classes(5) if (row := share_of((cards,)))]
        for hand, row in dict.fromkeys((hand, row) for cards, row in taking for hand in _in_all_suits(cards)):
            for own_cards in combinations(hand, own):
                yield own_cards, tuple(card for card in hand if card not in own_cards), row
        return
    groups = (combinations_with_replacement(DECK, size) for size in (own, shared))
    for own_cards, everybodys in product(*groups):
        if row := share_of((own_cards, everybodys)):
            yield own_cards, everybodys, row


def _in_all_suits(cards: Cards) -> Iterable[Cards]:
    for suits in permutations(range(4)):
        yield tuple(sorted(DECK[card.index // 4 * 4 + suits[card.index % 4]] for card in cards))


def _ways(decks: int, *groups: Cards) -> int:
    """Count the ways to deal groups of cards one after the other."""
    if decks == 1:
        return int(len(set(chain(*groups))) == sum(map(len, groups)))
    dealt: Counter[Card] = Counter()
    ways = 1
    for group in groups:
        copies = Counter(group)
        ways *= prod(comb(max(decks - dealt[card], 0), count) for card, count in copies.items())
        dealt += copies
    return ways
