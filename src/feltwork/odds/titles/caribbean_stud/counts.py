"""Exact counts for Cover All: the probability that the best of n five-card hands reaches a category.

For a category, call a hand good when it is of that category or higher. If N(k) out of
T(k) ordered k-tuples of disjoint hands contain only good hands,

    P(no good hand among n) = sum over k of (-1)**k * C(n, k) * N(k) / T(k),

so N(1) .. N(8) are sufficient. "Good" is a signed sum of *cores* that leave the rest of the hand arbitrary,
which makes eight hands countable:

* three of a kind or better, by rank: (three of a rank + any two cards) - 3 x (four of a rank + any card);
  a quad holds four triples, so it is counted 4 - 3 = 1 times, and a full house or trips once;
* straight or flush: any straight + any flush - straight flush;
* full house: a triple and a pair; they cannot share a rank, so triples and pairs are matched at the end;
* flush: any five cards of the suit that the other hands leave, drawn at the end.

A sweep over the ranks then only has to remember unfinished straights and, for suits with flushes, how many
cards are gone.
"""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement
from math import comb, factorial

MOST_HANDS = 8
CATEGORIES = (
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
)


@dataclass(frozen=True, slots=True)
class Cores:
    """The signed cores whose sum marks a good hand. `scale` keeps half ways whole: see `_finished`."""

    triple: int = 0
    quad: int = 0
    run: int = 0
    suited: int = 0
    houses: int = 0
    flushes: bool = False
    scale: int = 1


# With triples, every hand except the triple is weighted double, because the two fillers of a triple are drawn
# in order and so counted twice; the factor 2 per hand is divided out at the end.
CORES = {
    "three_of_a_kind": Cores(triple=1, quad=-6, run=2, suited=-2, flushes=True, scale=2),
    "straight": Cores(quad=1, run=1, suited=-1, houses=1, flushes=True),
    "flush": Cores(quad=1, houses=1, flushes=True),
    "full_house": Cores(quad=1, suited=1, houses=1),
    "four_of_a_kind": Cores(quad=1, suited=1),
    "straight_flush": Cores(suited=1),
}


@dataclass(frozen=True, slots=True)
class FinalState:
    """The end of a sweep: hands begun, fillers needed, full houses, cards gone from each suit."""

    hands: int
    fillers: int
    houses: int
    used: tuple[int, int, int, int]


def final_states(
    category: str, *, limit: int, flushes: tuple[int, ...], rank_count: int = 13
) -> Iterator[tuple[FinalState, int]]:
    """Yield every way a sweep can end with all hands complete, with its count."""
    import numpy as np

    from feltwork.odds.kernels import cover_all as kernel

    cores = CORES[category]
    rules = np.array([1, cores.triple, cores.quad, cores.run, cores.suited, cores.houses], dtype=np.int64)
    keys, counts = kernel.sweep(rank_count, limit, np.array(flushes, dtype=np.int64), rules)
    for place in np.flatnonzero(keys != kernel.EMPTY):
        key = int(keys[place])
        count = (int(counts[place, 1]) << kernel.LIMB_BITS) + int(counts[place, 0])
        suits = [key >> (kernel.SUITS + 8 * suit) & 255 for suit in range(4)]
        unfinished = key >> kernel.ACES & 0x7FFF or any(code >> 4 for code in suits)
        triples, pairs = key >> kernel.TRIPLES & 15, key >> kernel.PAIRS & 15
        if unfinished or triples != pairs:
            continue
        used = (suits[0] & 15, suits[1] & 15, suits[2] & 15, suits[3] & 15)
        yield FinalState(key & 15, key >> kernel.FILLERS & 31, triples, used), count


def _finished(
    category: str, flushes: tuple[int, ...], *, most_hands: int = MOST_HANDS, rank_count: int = 13
) -> list[int]:
    """Count unordered sets of k disjoint good hands (index k) in which suit s has `flushes[s]` flushes.

    All orders of the four suits that give the same numbers are included.
    """
    drawn = sum(flushes)
    sets = [0] * (most_hands + 1)
    arrangements = factorial(4)
    for number in set(flushes):
        arrangements //= factorial(flushes.count(number))
    scale = CORES[category].scale
    for state, count in final_states(
        category, limit=most_hands - drawn, flushes=flushes, rank_count=rank_count
    ):
        hands = state.hands + state.houses
        size = hands + drawn
        left = 4 * rank_count - 5 * size
        if left < 0:
            continue
        ways = count * factorial(state.houses) * arrangements
        for used, number in zip(state.used, flushes, strict=True):
            free = rank_count - used
            ways *= (1, comb(free, 5), comb(free, 5) * comb(free - 5, 5) // 2 if free >= 10 else 0)[number]
        ways *= factorial(left + state.fillers) // factorial(left)
        quotient, rest = divmod(ways, scale**hands)
        assert rest == 0, "each state must hold a whole number of sets"
        sets[size] += quotient
    return sets


def good_tuples(
    category: str,
    *,
    most_hands: int = MOST_HANDS,
    rank_count: int = 13,
    workers: int = 2,
) -> tuple[int, ...]:
    """Count ordered k-tuples of disjoint hands of `category` or better, for k = 0 .. most_hands."""
    if category == "royal_flush":
        return tuple(factorial(k) * comb(4, k) for k in range(most_hands + 1))
    choices = range(3) if CORES[category].flushes else range(1)
    plans = [plan for plan in combinations_with_replacement(choices, 4) if sum(plan) <= most_hands]
    totals = [0] * (most_hands + 1)
    count = partial(_finished, category, most_hands=most_hands, rank_count=rank_count)
    with ThreadPoolExecutor(workers) as pool:
        for sets in pool.map(count, plans):
            totals = [total + part for total, part in zip(totals, sets, strict=True)]
    return tuple(total * factorial(k) for k, total in enumerate(totals))


def all_tuples(hands: int) -> int:
    """Count ordered tuples of `hands` disjoint five-card hands."""
    total = 1
    for dealt in range(hands):
        total *= comb(52 - 5 * dealt, 5)
    return total


def highest_hand_counts(hands: int, tuples: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    """Count deals by the category of the highest hand; the empty name is any hand below three of a kind."""
    total = all_tuples(hands)
    reached = {
        category: total
        - sum(
            (-1) ** k * comb(hands, k) * tuples[category][k] * (total // all_tuples(k))
            for k in range(hands + 1)
        )
        for category in CATEGORIES
    }
    above = 0
    rows: dict[str, int] = {}
    for category in reversed(CATEGORIES):
        rows[category] = reached[category] - above
        above = reached[category]
    rows[""] = total - above
    return rows
