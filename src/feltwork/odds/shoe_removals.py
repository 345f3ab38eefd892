"""Counts of a shoe without one card, for each card of the deck."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement, product
from math import comb

from feltwork.odds.atoms import Atoms, Names
from feltwork.titles.cards.card import DECK, Card
from feltwork.titles.title import Sight

#: Counting method for a bet on a few cards of a shoe.
DRAWN = "every draw of the cards the bet looks at, named by the rules"


def sights_without_one(
    decks: int, groups: tuple[int, ...], names: Callable[[Sight], Names]
) -> dict[Card, Atoms]:
    """Count every way to draw groups of cards, for a shoe without each card of the deck.

    Every copy of a card is in the same number of draws, so the draws with one particular copy are the draws
    with the card, times the copies they hold, divided by the decks.
    """
    full: Counter[Names] = Counter()
    held: list[Counter[Names]] = [Counter() for _ in DECK]
    for kinds in product(*(combinations_with_replacement(range(52), size) for size in groups)):
        called = names(tuple(tuple([DECK[kind] for kind in group]) for group in kinds))
        ways, left = 1, dict.fromkeys(range(52), decks)
        for group in kinds:
            for kind, copies in Counter(group).items():
                ways *= comb(left[kind], copies)
                left[kind] -= copies
        full[called] += ways
        for group in kinds:
            for kind in group:
                held[kind][called] += ways
    return {
        card: {called: ways - gone[called] // decks for called, ways in full.items()}
        for card, gone in zip(DECK, held, strict=True)
    }
