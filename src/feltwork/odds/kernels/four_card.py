"""Counting kernels of the four-card games.

All kernels live in this one file because numba's disk cache notices a changed file, not a changed callee
elsewhere. The readable counterparts over the same rules are in the tests.

The sweep. Let the dealer's hands be sorted by value, and let ``table`` hold, for every set of at most four
cards, how many of the hands taken so far contain that set. The hands so far that share no card with a
player's five cards are then the alternating sum of ``table`` over the subsets of those five. Taking hands in
rising order answers, for each player hand at the moment its own value is reached, how many dealer hands it
beats and ties.

Sets of cards a < b < c < d share one flat table: the empty set, then singles, pairs, triples and fours, each
size numbered in the usual combinatorial way, a + C(b, 2) + C(c, 3) + C(d, 4).
"""

# mypy: disable-error-code="no-any-return"
# Reading an array gives mypy Any; inside a kernel numba checks the types instead.

from math import comb
from typing import Final, TypeAlias

import numpy as np

from feltwork.odds.four_card.classes import Int8Array, Int32Array, Int64Array
from feltwork.odds.kernels.compiled import kernel
from feltwork.titles.hands.four_card import FourCardCategory

Table: TypeAlias = "Int32Array | Int64Array"


def _card_words() -> Int64Array:
    """Return each card as a 64-bit word: 16 bits per suit, 13 for the ranks and 3 to count its cards.

    The sum of words describes a hand of up to seven cards; bit 15 of a field is set if the suit has four or
    more.
    """
    words = [(1 << (16 * (c % 4) + c // 4)) + (1 << (16 * (c % 4) + 13)) for c in range(52)]
    return np.array(words, dtype=np.int64)


def _top_four() -> Int32Array:
    """Return the four highest ranks of each set of ranks, four bits each, highest first."""
    table = np.zeros(1 << 13, dtype=np.int32)
    for ranks in range(1 << 13):
        held = [bit + 2 for bit in range(12, -1, -1) if ranks >> bit & 1][:4]
        table[ranks] = sum(rank << (12 - 4 * place) for place, rank in enumerate(held))
    return table


def _straights() -> Int8Array:
    """Return the top rank of the best run of four in each rank set, or 0; the ace is low in 4-3-2-A only."""
    table = np.zeros(1 << 13, dtype=np.int8)
    for ranks in range(1 << 13):
        held = {bit + 2 for bit in range(13) if ranks >> bit & 1}
        held |= {1} if 14 in held else set()
        table[ranks] = max(
            (top for top in range(4, 15) if {top - 3, top - 2, top - 1, top} <= held), default=0
        )
    return table


def _binomials(size: int, offset: int) -> Int32Array:
    return np.array([comb(card, size) + offset for card in range(52)], dtype=np.int32)


WORD: Final = _card_words()
TOP_FOUR: Final = _top_four()
STRAIGHT_TOP: Final = _straights()

SINGLES: Final = 1
PAIRS: Final = SINGLES + comb(52, 1)
TRIPLES: Final = PAIRS + comb(52, 2)
FOURS: Final = TRIPLES + comb(52, 3)
SLOTS: Final = FOURS + comb(52, 4)
CHOOSE_2: Final = _binomials(2, 0)
CHOOSE_3: Final = _binomials(3, 0)
PAIR_AT: Final = _binomials(2, PAIRS)
TRIPLE_AT: Final = _binomials(3, TRIPLES)
FOUR_AT: Final = _binomials(4, FOURS)

RANK_BITS: Final = 0x1FFF
# Bit 15 of each 16-bit field, as a signed 64-bit number.
FOUR_SUITED: Final = 0x8000800080008000 - (1 << 64)
VALUE_LIMIT: Final = 8 << 16

QUADS_BASE: Final = FourCardCategory.FOUR_OF_A_KIND << 16
STRAIGHT_FLUSH_BASE: Final = FourCardCategory.STRAIGHT_FLUSH << 16
TRIPS_BASE: Final = FourCardCategory.THREE_OF_A_KIND << 16
FLUSH_BASE: Final = FourCardCategory.FLUSH << 16
STRAIGHT_BASE: Final = FourCardCategory.STRAIGHT << 16
TWO_PAIR_BASE: Final = FourCardCategory.TWO_PAIR << 16
PAIR_BASE: Final = FourCardCategory.PAIR << 16

# Three sums share one integer in the four-card sweep: hands, their high cards, the squares of those. Over all
# C(52, 4) hands they are 270,725, 416,500 and 882,000, so 21 bits each cannot spill into the next field.
FIELD_BITS: Final = 21
FIELD_MASK: Final = (1 << FIELD_BITS) - 1
FIRST_HIGH_CARD: Final = 4 * (10 - 2)

# Columns of the 6-5-4 tally: all deals; won and tied if every hand is played; played, won and tied
# under optimal play.
DEALS, ALL_WINS, ALL_TIES, PLAYED, WINS, TIES = range(6)


@kernel
def best_four(word: int) -> int:
    """Return the value of the best four of the four to six cards in a word."""
    clubs = word & RANK_BITS
    diamonds = (word >> 16) & RANK_BITS
    hearts = (word >> 32) & RANK_BITS
    spades = (word >> 48) & RANK_BITS
    low_both, high_both = clubs & diamonds, hearts & spades
    low_any, high_any = clubs | diamonds, hearts | spades
    fours = low_both & high_both
    if fours:
        return QUADS_BASE | (TOP_FOUR[fours] & 0xF000)
    ranks = low_any | high_any
    suited = 0
    if word & FOUR_SUITED:
        # Six cards hold at most one suit four times.
        if (word >> 15) & 1:
            suited = clubs
        elif (word >> 31) & 1:
            suited = diamonds
        elif (word >> 47) & 1:
            suited = hearts
        else:
            suited = spades
        if STRAIGHT_TOP[suited]:
            return STRAIGHT_FLUSH_BASE | (STRAIGHT_TOP[suited] << 12)
    threes = (low_both & high_any) | (high_both & low_any)
    if threes:
        three = TOP_FOUR[threes] & 0xF000
        kicker = TOP_FOUR[ranks & ~(1 << ((three >> 12) - 2))] & 0xF000
        return TRIPS_BASE | three | (kicker >> 4)
    if suited:
        return FLUSH_BASE | TOP_FOUR[suited]
    if STRAIGHT_TOP[ranks]:
        return STRAIGHT_BASE | (STRAIGHT_TOP[ranks] << 12)
    twos = low_both | high_both | (low_any & high_any)
    if twos == 0:
        return TOP_FOUR[ranks]
    if twos & (twos - 1):
        return TWO_PAIR_BASE | (TOP_FOUR[twos] & 0xFF00)
    return PAIR_BASE | (TOP_FOUR[twos] & 0xF000) | ((TOP_FOUR[ranks & ~twos] & 0xFF00) >> 4)


@kernel
def rank_fives(deck: Int64Array, kept_word: int, hands: Int32Array, values: Int32Array) -> None:
    """List every five cards of the deck, packed, with the best four of them and a kept card (0 for none)."""
    at = 0
    for e in range(4, len(deck)):
        word_e = kept_word + WORD[deck[e]]
        for d in range(3, e):
            word_d = word_e + WORD[deck[d]]
            packed_d = (deck[e] << 24) | (deck[d] << 18)
            for c in range(2, d):
                word_c = word_d + WORD[deck[c]]
                packed_c = packed_d | (deck[c] << 12)
                for b in range(1, c):
                    word_b = word_c + WORD[deck[b]]
                    packed_b = packed_c | (deck[b] << 6)
                    for a in range(b):
                        hands[at] = packed_b | deck[a]
                        values[at] = best_four(word_b + WORD[deck[a]])
                        at += 1


@kernel
def rank_fours(deck: Int64Array, kept_word: int, hands: Int32Array, values: Int32Array) -> None:
    """List every four cards of the deck, packed, with the best four of them and a kept card (0 for none)."""
    at = 0
    for d in range(3, len(deck)):
        word_d = kept_word + WORD[deck[d]]
        for c in range(2, d):
            word_c = word_d + WORD[deck[c]]
            for b in range(1, c):
                word_b = word_c + WORD[deck[b]]
                for a in range(b):
                    hands[at] = (deck[d] << 18) | (deck[c] << 12) | (deck[b] << 6) | deck[a]
                    values[at] = best_four(word_b + WORD[deck[a]])
                    at += 1


@kernel
def sort_by_value(
    hands: Int32Array, values: Int32Array, sorted_hands: Int32Array, sorted_values: Int32Array
) -> None:
    """Sort by counting, stably: values are small integers and there are millions of hands."""
    start = np.zeros(VALUE_LIMIT + 1, dtype=np.int64)
    for i in range(len(values)):
        start[values[i] + 1] += 1
    for value in range(VALUE_LIMIT):
        start[value + 1] += start[value]
    for i in range(len(values)):
        at = start[values[i]]
        start[values[i]] = at + 1
        sorted_hands[at] = hands[i]
        sorted_values[at] = values[i]


@kernel
def mark_canonical(hands: Int32Array, fixed_suits: int, multiplicity: Int8Array) -> None:
    """Store the number of suit renamings for each canonical hand, and 0 for the others.

    A canonical hand has its suits' rank sets in descending order. The first ``fixed_suits`` suits keep their
    names.
    """
    for i in range(len(hands)):
        word = 0
        for place in range(5):
            word += WORD[(hands[i] >> (6 * place)) & 63]
        orderings, run = 1, 1
        previous = -1
        for suit in range(fixed_suits, 4):
            ranks = (word >> (16 * suit)) & RANK_BITS
            if suit > fixed_suits and ranks > previous:
                orderings = 0
                break
            run = run + 1 if ranks == previous else 1
            # Multiplies to n! / (product of the factorials of equal runs), one suit at a time.
            orderings = orderings * (suit - fixed_suits + 1) // run
            previous = ranks
        multiplicity[i] = orderings


@kernel
def values_with(hands: Int32Array, kept_word: int, values: Int32Array) -> None:
    """Compute the best four of each packed five cards together with a kept card."""
    for i in range(len(hands)):
        word = kept_word
        for place in range(5):
            word += WORD[(hands[i] >> (6 * place)) & 63]
        values[i] = best_four(word)


@kernel
def subset_slots(packed: int, size: int, slots: Int32Array) -> None:
    """List the table slots of all subsets of up to four of a packed hand's cards, smaller subsets first."""
    one = 1
    two = one + size
    three = two + size * (size - 1) // 2
    four = three + size * (size - 1) * (size - 2) // 6
    slots[0] = 0
    for i in range(size):
        d = (packed >> (6 * i)) & 63
        slots[one] = SINGLES + d
        one += 1
        for j in range(i):
            c = (packed >> (6 * j)) & 63
            slots[two] = c + PAIR_AT[d]
            two += 1
            for k in range(j):
                b = (packed >> (6 * k)) & 63
                slots[three] = b + CHOOSE_2[c] + TRIPLE_AT[d]
                three += 1
                for m in range(k):
                    a = (packed >> (6 * m)) & 63
                    slots[four] = a + CHOOSE_2[b] + CHOOSE_3[c] + FOUR_AT[d]
                    four += 1


@kernel
def disjoint(table: Table, slots: Int32Array) -> int:
    """Return the inclusion-exclusion sum over the subsets of up to four of five cards."""
    total = table[0]
    for i in range(1, 6):
        total -= table[slots[i]]
    for i in range(6, 16):
        total += table[slots[i]]
    for i in range(16, 26):
        total -= table[slots[i]]
    for i in range(26, 31):
        total += table[slots[i]]
    return total


@kernel
def sweep_fives(
    hands: Int32Array,
    values: Int32Array,
    players: Int32Array,
    player_values: Int32Array,
    own_values: Int32Array,
    marks: Int32Array,
    below: Int32Array,
    up_to: Int32Array,
    below_mark: Int32Array,
) -> None:
    """Count, for each player hand, the disjoint hidden fives of lower value, of no higher value, and of value
    lower than each mark.

    Dealer hands and players must be sorted by value. ``own_values`` is the dealer's value with the player's
    own five cards: the only hand that contains all five, so the last term of the inclusion-exclusion.
    """
    table = np.zeros(SLOTS, dtype=np.int32)
    slots = np.zeros(32, dtype=np.int32)
    hand, player, mark = 0, 0, 0
    while player < len(players):
        value = player_values[player]
        if hand < len(hands) and values[hand] < value:
            value = values[hand]
        while mark < len(marks) and marks[mark] <= value:
            for i in range(len(players)):
                subset_slots(players[i], 5, slots)
                below_mark[mark, i] = disjoint(table, slots) - (own_values[i] < marks[mark])
            mark += 1
        last_player = player
        while last_player < len(players) and player_values[last_player] == value:
            subset_slots(players[last_player], 5, slots)
            below[last_player] = disjoint(table, slots) - (own_values[last_player] < value)
            last_player += 1
        while hand < len(hands) and values[hand] == value:
            subset_slots(hands[hand], 5, slots)
            for i in range(31):
                table[slots[i]] += 1
            hand += 1
        for i in range(player, last_player):
            subset_slots(players[i], 5, slots)
            up_to[i] = disjoint(table, slots) - (own_values[i] <= value)
        player = last_player


@kernel
def triple_slot(a: int, b: int, c: int) -> int:
    """The table slot of three cards in any order."""
    low, high = min(a, b), max(a, b)
    middle = max(low, min(high, c))
    return min(low, c) + CHOOSE_2[middle] + TRIPLE_AT[max(high, c)]


@kernel
def four_slot(a: int, b: int, c: int, d: int) -> int:
    """The table slot of four cards in any order."""
    low_1, high_1 = min(a, b), max(a, b)
    low_2, high_2 = min(c, d), max(c, d)
    inner_1, inner_2 = max(low_1, low_2), min(high_1, high_2)
    lowest, highest = min(low_1, low_2), max(high_1, high_2)
    return lowest + CHOOSE_2[min(inner_1, inner_2)] + CHOOSE_3[max(inner_1, inner_2)] + FOUR_AT[highest]


@kernel
def pair_slot(a: int, b: int) -> int:
    """The table slot of two cards in any order."""
    return min(a, b) + PAIR_AT[max(a, b)]


@kernel
def holding_one(below: Int64Array, equal: Int64Array, card: int, cards: Int64Array) -> tuple[int, int]:
    """Fours below and equal so far that hold a card and none of the player's five."""
    slot = SINGLES + card
    wins, ties = below[slot], equal[slot]
    for i in range(5):
        slot = pair_slot(card, cards[i])
        wins, ties = wins - below[slot], ties - equal[slot]
        for j in range(i):
            slot = triple_slot(card, cards[i], cards[j])
            wins, ties = wins + below[slot], ties + equal[slot]
            for k in range(j):
                slot = four_slot(card, cards[i], cards[j], cards[k])
                wins, ties = wins - below[slot], ties - equal[slot]
    return wins & FIELD_MASK, ties & FIELD_MASK


@kernel
def holding_two(
    below: Int64Array, equal: Int64Array, first: int, second: int, cards: Int64Array
) -> tuple[int, int]:
    """Fours below and equal so far that hold two cards and none of the player's five."""
    slot = pair_slot(first, second)
    wins, ties = below[slot], equal[slot]
    for i in range(5):
        slot = triple_slot(first, second, cards[i])
        wins, ties = wins - below[slot], ties - equal[slot]
        for j in range(i):
            slot = four_slot(first, second, cards[i], cards[j])
            wins, ties = wins + below[slot], ties + equal[slot]
    return wins & FIELD_MASK, ties & FIELD_MASK


@kernel
def most_taken(below: Int64Array, equal: Int64Array, high_cards: Int64Array, discards: int) -> int:
    """A bound on how much of 2 wins + ties any discards can take away, whatever the player holds.

    A discard takes at most all fours so far that hold it; the two highest such sums bound two discards.
    """
    highest, second = 0, 0
    for i in range(len(high_cards)):
        slot = SINGLES + high_cards[i]
        score = 2 * (below[slot] & FIELD_MASK) + (equal[slot] & FIELD_MASK)
        if score > highest:
            highest, second = score, highest
        elif score > second:
            second = score
    return highest * (discards > 0) + second * (discards > 1)


@kernel
def over_discards(packed_sums: int, free: int, discards: int) -> int:
    """Sum over all discards of the fours that hold none of them, from (fours, high cards, their squares).

    ``free`` high cards are not the player's; a four with s of them leaves free - s to discard, one or two of
    them. No discard is the plain sweep, which the tests run for one set of exposed cards at a time.
    """
    fours = packed_sums & FIELD_MASK
    high = (packed_sums >> FIELD_BITS) & FIELD_MASK
    squares = packed_sums >> (2 * FIELD_BITS)
    if discards == 0:
        return fours
    if discards == 1:
        return free * fours - high
    return (free * (free - 1) * fours - (2 * free - 1) * high + squares) // 2


@kernel
def free_high_cards(high_cards: Int64Array, cards: Int64Array, free: Int64Array) -> int:
    """List the high cards that are not the player's; return their number."""
    count = 0
    for i in range(len(high_cards)):
        is_own = False
        for j in range(5):
            is_own = is_own or cards[j] == high_cards[i]
        if not is_own:
            free[count] = high_cards[i]
            count += 1
    return count


@kernel
def settle_discards(
    below: Int64Array,
    equal: Int64Array,
    packed: int,
    value: int,
    times: int,
    high_cards: Int64Array,
    discards: int,
    fours_left: int,
    slack: int,
    row: Int64Array,
    lowest_played: Int32Array,
    highest_folded: Int32Array,
    slots: Int32Array,
    scratch: Int64Array,
) -> None:
    """Settle one player hand against every choice of discards.

    Playing is right when 2 * (2 wins + ties) exceeds ``fours_left``. Discards take away at most ``slack`` of
    2 wins + ties, so most hands are decided for all discards at once, and their sums over discards follow
    from how many high cards the fours hold; only hands near the margin are counted one by one.
    """
    cards, free, taken_wins, taken_ties = scratch[0], scratch[1], scratch[2], scratch[3]
    subset_slots(packed, 5, slots)
    for i in range(5):
        cards[i] = slots[1 + i] - SINGLES
    count = free_high_cards(high_cards, cards, free)
    choices = over_discards(1, count, discards)
    packed_wins, packed_ties = disjoint(below, slots), disjoint(equal, slots)
    all_wins = times * over_discards(packed_wins, count, discards)
    all_ties = times * over_discards(packed_ties, count, discards)
    row[DEALS] += times * choices * fours_left
    row[ALL_WINS] += all_wins
    row[ALL_TIES] += all_ties
    wins, ties = packed_wins & FIELD_MASK, packed_ties & FIELD_MASK
    never = 2 * (2 * wins + ties) <= fours_left
    always = 2 * (2 * wins + ties - slack) > fours_left
    if always:
        row[PLAYED] += times * choices * fours_left
        row[WINS] += all_wins
        row[TIES] += all_ties
    near = not (always or never)
    if near:
        for i in range(count):
            taken_wins[i], taken_ties[i] = holding_one(below, equal, free[i], cards)
    for i in range(count if discards else 0):
        for j in range(0 if discards == 2 else i, i if discards == 2 else i + 1):
            played = always
            if near:
                left_wins, left_ties = wins - taken_wins[i], ties - taken_ties[i]
                if discards == 2:
                    both_wins, both_ties = holding_two(below, equal, free[i], free[j], cards)
                    left_wins += both_wins - taken_wins[j]
                    left_ties += both_ties - taken_ties[j]
                played = 2 * (2 * left_wins + left_ties) > fours_left
                if played:
                    row[PLAYED] += times * fours_left
                    row[WINS] += times * left_wins
                    row[TIES] += times * left_ties
            if played:
                lowest_played[free[i], free[j]] = min(lowest_played[free[i], free[j]], value)
            else:
                highest_folded[free[i], free[j]] = max(highest_folded[free[i], free[j]], value)


@kernel
def sweep_fours(
    hands: Int32Array,
    values: Int32Array,
    players: Int32Array,
    player_values: Int32Array,
    player_rows: Int64Array,
    multiplicity: Int8Array,
    high_cards: Int64Array,
    discards: int,
    fours_left: int,
    tally: Int64Array,
    lowest_played: Int32Array,
    highest_folded: Int32Array,
) -> None:
    """Sweep 6-5-4 with four hidden cards and one or two discards, settling each player hand along the way.

    ``fours_left`` hidden fours hold no card of the player's and no discard. Each four adds one, its number of
    high cards, and the square of that number, packed in one integer.
    """
    below = np.zeros(SLOTS, dtype=np.int64)
    equal = np.zeros(SLOTS, dtype=np.int64)
    slots = np.zeros(32, dtype=np.int32)
    scratch = np.zeros((4, 52), dtype=np.int64)
    hand, player = 0, 0
    while player < len(players):
        value = player_values[player]
        if hand < len(hands) and values[hand] < value:
            value = values[hand]
        last_hand = hand
        while last_hand < len(hands) and values[last_hand] == value:
            high = 0
            for place in range(4):
                high += ((hands[last_hand] >> (6 * place)) & 63) >= FIRST_HIGH_CARD
            weight = 1 | (high << FIELD_BITS) | ((high * high) << (2 * FIELD_BITS))
            subset_slots(hands[last_hand], 4, slots)
            for i in range(16):
                equal[slots[i]] += weight
            last_hand += 1
        slack = most_taken(below, equal, high_cards, discards)
        while player < len(players) and player_values[player] == value:
            settle_discards(
                below,
                equal,
                players[player],
                value,
                multiplicity[player],
                high_cards,
                discards,
                fours_left,
                slack,
                tally[player_rows[player]],
                lowest_played,
                highest_folded,
                slots,
                scratch,
            )
            player += 1
        # Hands of one value share slots: the first of them moves a slot's whole sum, the others find it
        # empty.
        while hand < last_hand:
            subset_slots(hands[hand], 4, slots)
            for i in range(16):
                below[slots[i]] += equal[slots[i]]
                equal[slots[i]] = 0
            hand += 1
