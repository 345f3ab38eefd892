"""Compiled sweep over the ranks of a deck that counts sets of disjoint good hands (Cover All).

The method, the meaning of a state and a readable version of the same sweep are in
`cover_all_reference`; `docs/figures` holds the proof. This file only packs a state into 64 bits, and
stores states in an open-addressing table and counts as exact two-limb integers.

A count is `high * 2**56 + low` with `0 <= low < 2**56`. A set of at most eight hands is counted with
weights whose sum per hand stays below 20,700, so a count stays below 20,700**8 < 2**115 and cannot
overflow; a transition multiplies by less than 2**7, so `low * weight` stays below 2**63.
"""

from itertools import product
from math import comb
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

LIMB_BITS = 56
LIMB_MASK = (1 << LIMB_BITS) - 1
EMPTY = -1

# Bits of a packed state. Four suits of eight bits each follow: cards used (4), need (3), waiting (1).
HANDS, FILLERS, TRIPLES, PAIRS, ACES, RUNS, SUITS = 0, 4, 9, 13, 17, 20, 32

# Columns of `rules`.
RULE_ALWAYS, RULE_TRIPLE, RULE_QUAD, RULE_RUN, RULE_SUITED, RULE_HOUSES = range(6)
# A state never has more successors than this: 625 placements of a rank times a few readings of each.
MOST_SUCCESSORS = 2048
INITIAL_SLOTS = 4 * MOST_SUCCESSORS

Ints = NDArray[np.int64]


def _placements() -> tuple[Ints, Ints]:
    """Return all ways to assign the four suits of one rank: groups 0..15 by free suits, group 16 for the ace.

    A row is four disjoint sets of suits: straight flushes started here, ace-high straight flushes whose
    ace is put aside, cards given to straights, cards of a core. A core has two, three or four cards.
    """
    rows: list[tuple[int, int, int, int]] = []
    starts = [0]
    for group in range(17):
        for roles in product(range(5), repeat=4):
            started, aside, run, core = (
                sum(1 << suit for suit in range(4) if roles[suit] == role) for role in range(1, 5)
            )
            free = group if group < 16 else 15
            fits = (started | aside | run | core) & ~free == 0
            if fits and core.bit_count() != 1 and (aside == 0 or group == 16):
                rows.append((started, aside, run, core))
        starts.append(len(rows))
    return np.array(rows, dtype=np.int64), np.array(starts, dtype=np.int64)


ACE_GROUP = 16
PLACEMENTS, PLACEMENT_STARTS = _placements()
BIT_COUNT = np.array([value.bit_count() for value in range(16)], dtype=np.int64)
FACTORIAL = np.array([1, 1, 2, 6, 24], dtype=np.int64)
CHOOSE = np.array([[comb(n, k) for k in range(5)] for n in range(5)], dtype=np.int64)

# Uses of four, three or two cards of one rank: cards, column of `rules` with the weight, ways, then the
# increments of hands, fillers, triples and pairs.
CORES = np.array(
    [
        [0, RULE_ALWAYS, 1, 0, 0, 0, 0],
        [2, RULE_HOUSES, 1, 0, 0, 0, 1],
        [3, RULE_HOUSES, 1, 0, 0, 1, 0],
        [3, RULE_TRIPLE, 1, 1, 2, 0, 0],
        [4, RULE_QUAD, 1, 1, 1, 0, 0],
        [4, RULE_HOUSES, 3, 0, 0, 0, 2],
    ],
    dtype=np.int64,
)


@njit(cache=True, nogil=True)
def _slot(keys: Ints, key: int) -> int:
    mask = keys.size - 1
    mixed = (key ^ ((key >> 29) & 0x7FFFFFFFF)) * 0x1E3779B97F4A7C15
    place = (mixed >> 31) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + 1) & mask
    return place


@njit(cache=True, nogil=True)
def _add(keys: Ints, counts: Ints, key: int, weight: int, low: int, high: int) -> int:
    """Add `weight` times a count to a state; return 1 if the state is new."""
    place = _slot(keys, key)
    fresh = 0
    if keys[place] == EMPTY:
        keys[place] = key
        fresh = 1
    total = counts[place, 0] + weight * low
    counts[place, 0] = total & LIMB_MASK
    counts[place, 1] += weight * high + (total >> LIMB_BITS)
    return fresh


@njit(cache=True, nogil=True)
def _grown(keys: Ints, counts: Ints) -> tuple[Ints, Ints]:
    new_keys = np.full(keys.size * 2, EMPTY, np.int64)
    new_counts = np.zeros((keys.size * 2, 2), np.int64)
    for old in range(keys.size):
        if keys[old] != EMPTY:
            _add(new_keys, new_counts, keys[old], 1, counts[old, 0], counts[old, 1])
    return new_keys, new_counts


@njit(cache=True, nogil=True)
def _ordered_suits(codes: Ints, flushes: Ints) -> Any:
    """Sort the codes of suits that await the same number of flushes, since these are interchangeable."""
    for end in range(1, 4):
        spot = end
        while spot > 0 and flushes[spot - 1] == flushes[spot] and codes[spot - 1] > codes[spot]:
            codes[spot - 1], codes[spot] = codes[spot], codes[spot - 1]
            spot -= 1
    return codes[0] | codes[1] << 8 | codes[2] << 16 | codes[3] << 24


@njit(cache=True, nogil=True)
def _unpacked_suits(key: int, at_ten: bool, suits: Ints) -> int:
    """Fill `suits` with (used, need, waiting); return the free suits, or -1 if two hands need one card."""
    free = 0
    for suit in range(4):
        code = (key >> (SUITS + 8 * suit)) & 255
        suits[suit, 0] = code & 15
        suits[suit, 1] = (code >> 4) & 7
        suits[suit, 2] = code >> 7
        if at_ten and suits[suit, 2]:
            if suits[suit, 1] > 0:
                return -1
            suits[suit, 1] = 4
            suits[suit, 2] = 0
        if suits[suit, 1] == 0:
            free |= 1 << suit
    return free


@njit(cache=True, nogil=True)
def _suit_codes(suits: Ints, placement: Ints, flushes: Ints, rank_count: int, codes: Ints) -> bool:
    """Fill the suits' codes after a placement; return False if a suit has too few cards for its flushes."""
    suit_mask = placement[0] | placement[1] | placement[2] | placement[3]
    for suit in range(4):
        used, need, waiting = suits[suit]
        if flushes[suit] > 0 and (need > 0 or (suit_mask >> suit) & 1):
            used += 1
            if used + 5 * flushes[suit] > rank_count:
                return False
        if need > 0:
            need -= 1
        if (placement[0] >> suit) & 1:
            need = 4
        if (placement[1] >> suit) & 1:
            waiting = 1
        codes[suit] = used | need << 4 | waiting << 7
    return True


@njit(cache=True, nogil=True)
def _add_cores(
    keys: Ints, counts: Ints, key: int, shape: int, core_cards: int, limit: int, rules: Ints, parts: Ints
) -> int:
    """Add one placement under every reading of its core.

    `parts` = (new hands, weight, low limb, high limb, ranks left). States whose numbers of triples
    and pairs can no longer become equal are dropped immediately.
    """
    fresh = 0
    for row in range(CORES.shape[0]):
        core = CORES[row]
        weight = parts[1] * core[2] * rules[core[1]]
        if core[0] != core_cards or weight == 0:
            continue
        hands = (key & 15) + parts[0] + core[3]
        fillers = ((key >> FILLERS) & 31) + core[4]
        triples = ((key >> TRIPLES) & 15) + core[5]
        pairs = ((key >> PAIRS) & 15) + core[6]
        if pairs - triples > parts[4] or triples - pairs > 2 * parts[4]:
            continue
        if hands + max(triples, pairs) <= limit:
            tally = hands | fillers << FILLERS | triples << TRIPLES | pairs << PAIRS
            fresh += _add(keys, counts, tally | shape, weight, parts[2], parts[3])
    return fresh


@njit(cache=True, nogil=True)
def _expand(
    key: int, count: Ints, position: int, rank_count: int, limit: int, flushes: Ints, rules: Ints,
    keys: Ints, counts: Ints, suits: Ints, codes: Ints, parts: Ints,
) -> int:  # fmt: skip
    """Deal the rank at `position` to one state; return the number of new states."""
    at_ten = position == rank_count - 4
    free = _unpacked_suits(key, at_ten, suits)
    if free < 0:
        return 0
    aces = (key >> ACES) & 7
    runs = (key >> RUNS) & 4095
    if at_ten:
        runs += aces << 9
        aces = 0
    going = (runs & 7) + (runs >> 3 & 7) + (runs >> 6 & 7) + (runs >> 9)
    group = ACE_GROUP if position == 0 else free
    fresh = 0
    for row in range(PLACEMENT_STARTS[group], PLACEMENT_STARTS[group + 1]):
        placement = PLACEMENTS[row]
        run_cards = BIT_COUNT[placement[2]]
        new_runs = run_cards - going
        new_suited = BIT_COUNT[placement[0]] + BIT_COUNT[placement[1]]
        parts[0] = new_runs + new_suited
        if new_runs < 0 or (parts[0] > 0 and position > rank_count - 5):
            continue
        if (key & 15) + parts[0] > limit:
            continue
        weight = FACTORIAL[going] * CHOOSE[run_cards, new_runs]
        weight *= rules[RULE_RUN] ** new_runs * rules[RULE_SUITED] ** new_suited
        if weight == 0 or not _suit_codes(suits, placement, flushes, rank_count, codes):
            continue
        suit_bits = _ordered_suits(codes, flushes) << SUITS
        parts[2] = count[0]
        parts[3] = count[1]
        # Only at the ace may a new straight be put aside to be finished from the ten.
        for aside in range(new_runs + 1 if position == 0 else 1):
            parts[1] = weight * CHOOSE[new_runs, aside]
            shape = (aces + aside) << ACES | ((new_runs - aside) << 9 | runs >> 3) << RUNS | suit_bits
            core_cards = BIT_COUNT[placement[3]]
            fresh += _add_cores(keys, counts, key, shape, core_cards, limit, rules, parts)
    return fresh


@njit(cache=True, nogil=True)
def sweep(rank_count: int, limit: int, flushes: Ints, rules: Ints) -> tuple[Ints, Ints]:
    """Return packed final states (EMPTY in unused slots) and their two-limb counts.

    `flushes[suit]`, ascending, is the number of flushes drawn later from the remaining cards of a suit;
    `limit` is the maximum number of hands; `rules` holds the weights named RULE_*.
    """
    keys = np.full(INITIAL_SLOTS, EMPTY, np.int64)
    counts = np.zeros((INITIAL_SLOTS, 2), np.int64)
    _add(keys, counts, 0, 1, 1, 0)
    suits = np.zeros((4, 3), np.int64)
    codes = np.zeros(4, np.int64)
    parts = np.zeros(5, np.int64)
    for position in range(rank_count):
        next_keys = np.full(INITIAL_SLOTS, EMPTY, np.int64)
        next_counts = np.zeros((INITIAL_SLOTS, 2), np.int64)
        filled = 0
        parts[4] = rank_count - 1 - position
        for old in range(keys.size):
            if keys[old] == EMPTY:
                continue
            while 2 * (filled + MOST_SUCCESSORS) > next_keys.size:
                next_keys, next_counts = _grown(next_keys, next_counts)
            filled += _expand(
                keys[old], counts[old], position, rank_count, limit, flushes, rules,
                next_keys, next_counts, suits, codes, parts,
            )  # fmt: skip
        keys, counts = next_keys, next_counts
    return keys, counts
