"""Counting kernels of five-card stud: every player hand and dealer's up card against all dealer hands.

Dealer hands are taken in ascending order of value, and ``table`` counts, for every set of at most five cards,
the hands so far that contain it. The hands so far that contain the up card and none of the player's cards are
the alternating sum of ``table`` over the subsets of the player's five, each together with the up card.

Sets of cards a < b < c < d < e share one flat table, each size numbered a + C(b, 2) + C(c, 3) + ...
"""

# mypy: disable-error-code="no-any-return"
# Reading an array gives mypy Any; inside a kernel numba checks the types instead.

from math import comb
from typing import Final

import numpy as np

from feltwork.odds.four_card.classes import Int32Array, Int64Array
from feltwork.odds.kernels.compiled import kernel
from feltwork.odds.kernels.five_card import hand_value

#: Contribution of a card to the number of its set, by card and place in the sorted set.
CHOOSE: Final = np.array([[comb(card, place + 1) for place in range(5)] for card in range(52)], np.int32)
#: First slot of the sets of each size.
STARTS: Final = np.cumsum([0, *(comb(52, size) for size in range(6))]).astype(np.int32)
SLOTS: Final = int(STARTS[-1])


@kernel
def rank_hands(deck: Int64Array, hands: Int32Array, values: Int32Array) -> None:
    """List every five cards of the deck, packed at six bits per card, and their values."""
    cards = np.empty(5, np.int64)
    at = 0
    for e in range(4, len(deck)):
        cards[4] = deck[e]
        for d in range(3, e):
            cards[3] = deck[d]
            for c in range(2, d):
                cards[2] = deck[c]
                for b in range(1, c):
                    cards[1] = deck[b]
                    for a in range(b):
                        cards[0] = deck[a]
                        packed = 0
                        for place in range(5):
                            packed |= cards[place] << (6 * place)
                        hands[at] = packed
                        values[at] = hand_value(cards)
                        at += 1


@kernel
def with_up_card(table: Int32Array, packed: int, up: int) -> int:
    """Count the hands taken so far that contain the up card and none of the player's cards."""
    cards = np.empty(6, np.int64)
    place, up_place = 0, 5
    for i in range(5):
        card = (packed >> (6 * i)) & 63
        if up_place == 5 and up < card:
            cards[place] = up
            up_place = place
            place += 1
        cards[place] = card
        place += 1
    if up_place == 5:
        cards[5] = up
    total = 0
    for chosen in range(1, 63):
        if chosen >> up_place & 1:
            size, number = 0, 0
            for i in range(6):
                if chosen >> i & 1:
                    number += CHOOSE[cards[i], size]
                    size += 1
            count = table[STARTS[size] + number]
            total += count if size & 1 else -count
    return total


@kernel
def sweep_up_cards(
    deck: Int64Array,
    hands: Int32Array,
    values: Int32Array,
    players: Int32Array,
    player_values: Int32Array,
    qualifying: int,
    below: Int32Array,
    up_to: Int32Array,
    unqualified: Int32Array,
) -> None:
    """Count, for each player hand and up card, the dealer hands with that card that are disjoint from the
    player's: of lower value, of no higher value, and below the qualifying value.

    Dealer hands and players must be sorted by value. Cells of the player's own cards are left unchanged.
    """
    table = np.zeros(SLOTS, np.int32)
    cards = np.empty(5, np.int64)
    hand, player, is_marked = 0, 0, False
    while player < len(players):
        value = player_values[player]
        if hand < len(hands) and values[hand] < value:
            value = values[hand]
        if not is_marked and value >= qualifying:
            _count(table, deck, players, 0, len(players), unqualified)
            is_marked = True
        last = player
        while last < len(players) and player_values[last] == value:
            last += 1
        _count(table, deck, players, player, last, below)
        while hand < len(hands) and values[hand] == value:
            for i in range(5):
                cards[i] = (hands[hand] >> (6 * i)) & 63
            for chosen in range(1, 32):
                size, number = 0, 0
                for i in range(5):
                    if chosen >> i & 1:
                        number += CHOOSE[cards[i], size]
                        size += 1
                table[STARTS[size] + number] += 1
            hand += 1
        _count(table, deck, players, player, last, up_to)
        player = last


@kernel
def _count(
    table: Int32Array, deck: Int64Array, players: Int32Array, first: int, last: int, results: Int32Array
) -> None:
    for player in range(first, last):
        for up in deck:
            is_own = False
            for i in range(5):
                is_own |= (players[player] >> (6 * i)) & 63 == up
            if not is_own:
                results[player, up] = with_up_card(table, players[player], up)
