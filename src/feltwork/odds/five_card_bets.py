"""Bets on five-card hands: the link, the hold'em jackpot, the Bonus on the hole cards, Cover All."""

from collections import Counter
from itertools import combinations

from feltwork.cards.card import DECK, parse_cards
from feltwork.hands.category import Hand, names_of
from feltwork.hands.five_card import ROWS, FiveCardCategory
from feltwork.odds.atoms import Atoms, Names, count_hands, suit_classes
from feltwork.odds.cover_all import certificate
from feltwork.odds.cover_all.counts import highest_hand_counts
from feltwork.titles import registry
from feltwork.titles.games.holdem_bonus.rules import bonus_names

#: How often a royal is complete after five, six, seven cards, or on the board alone: the two cards outside it
#: lie on any two of the seven places alike, and there are 21 such pairs of places.
ROYAL_PLACES = (
    (1, "As Ks", "Qs Js Ts 2d 3d"),
    (5, "As Ks", "Qs Js 2d Ts 3d"),
    (14, "As Ks", "Qs Js 2d 3d Ts"),
    (1, "2d 3d", "As Ks Qs Js Ts"),
)
PLACES = 21


def five_cards() -> Atoms:
    """The link: all five dealt, or hole cards and flop; the same space either way."""
    names = registry.jackpot("five_card").names
    return count_hands(5, lambda cards: names((cards,)))


def hole_and_board() -> Atoms:
    """The hold'em jackpot: sets of seven cards, each standing for all ways to place them."""
    from feltwork.odds.kernels.five_card import category_counts

    names = registry.jackpot("holdem").names
    atoms: Counter[Names] = Counter()
    *sets_by_category, royals = category_counts(7)
    for category, sets in zip(FiveCardCategory, sets_by_category, strict=True):
        atoms[names_of(Hand(category, (2, 2)), ROWS)] += sets * PLACES
    for places, hole, board in ROYAL_PLACES:
        atoms[names((parse_cards(hole), parse_cards(board)))] += royals * places
    return atoms


def hole_cards() -> Atoms:
    """The Bonus: the player's two cards, and the dealer's two against them."""
    atoms: Counter[Names] = Counter()
    for hole, ways in suit_classes(2):
        for dealer in combinations([card for card in DECK if card not in hole], 2):
            atoms[bonus_names(hole, dealer)] += ways
    return atoms


def cover_all(hands: int) -> Atoms:
    """Cover All: deals by the highest of so many hands, from the shipped certificate."""
    atoms: Counter[Names] = Counter()
    for row, deals in highest_hand_counts(hands, certificate.shipped()).items():
        atoms[_names_of_row(row)] += deals
    return atoms


def _names_of_row(row: str) -> Names:
    if row == "royal_flush":
        return names_of(Hand(FiveCardCategory.STRAIGHT_FLUSH, (14,)), ROWS)
    return names_of(Hand(FiveCardCategory[row.upper()], (2, 2)), ROWS) if row else frozenset()
