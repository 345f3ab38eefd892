"""Cover All: the sweep against its reference, against brute force on a small deck, and its certificate."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb, factorial

import numpy as np
import pytest

from feltwork.odds.hand_values import CATEGORY_SHIFT
from feltwork.odds.kernels.five_card import category_counts
from feltwork.odds.titles.caribbean_stud import certificate
from feltwork.odds.titles.caribbean_stud.counts import (
    CATEGORIES,
    CORES,
    FinalState,
    all_tuples,
    final_states,
    good_tuples,
    highest_hand_counts,
)
from tests.odds import cover_all_reference
from tests.odds.five_card_reference import hand_values

RANKS = 6
WINDOWS = [{0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}, {2, 3, 4, 5, 0}]
Hand = tuple[int, ...]


def _shape(hand: Hand) -> list[int]:
    ranks = [card // 4 for card in hand]
    return sorted((ranks.count(rank) for rank in set(ranks)), reverse=True)


def _straight(hand: Hand) -> bool:
    return {card // 4 for card in hand} in WINDOWS


def _flush(hand: Hand) -> bool:
    return len({card % 4 for card in hand}) == 1


IS: dict[str, Callable[[Hand], bool]] = {
    "straight_flush": lambda hand: _straight(hand) and _flush(hand),
    "four_of_a_kind": lambda hand: _shape(hand) == [4, 1],
    "full_house": lambda hand: _shape(hand) == [3, 2],
    "flush": _flush,
    "straight": _straight,
    "three_of_a_kind": lambda hand: _shape(hand) == [3, 1, 1],
}


def brute_tuples(good: Sequence[Hand]) -> list[int]:
    """Ordered tuples of one to four disjoint hands out of 24 cards.

    `pairs[s]` counts unordered pairs of disjoint hands that fill the set s; summing over subsets tells for
    any set how many hands or pairs lie inside it.
    """
    masks = np.array([sum(1 << card for card in hand) for hand in good], dtype=np.int64)
    singles = np.zeros(1 << 24, dtype=np.int64)
    singles[masks] = 1
    pairs = np.zeros(1 << 24, dtype=np.int64)
    for place, mask in enumerate(masks[:-1]):
        later = masks[place + 1 :]
        np.add.at(pairs, later[later & mask == 0] | mask, 1)
    filled = np.flatnonzero(pairs)
    counted = pairs[filled]
    rest = (1 << 24) - 1 - filled
    for table in (singles, pairs):
        for bit in range(24):
            view = table.reshape(-1, 2, 1 << bit)
            view[:, 1] += view[:, 0]
    triples = sum(int(n) for n in counted * singles[rest])
    quadruples = sum(int(a) * int(b) for a, b in zip(counted, pairs[rest], strict=True))
    return [1, len(good), 2 * int(counted.sum()), 2 * triples, 4 * quadruples]


@pytest.mark.parametrize(
    "category",
    [pytest.param(name, marks=[] if name == "straight_flush" else [pytest.mark.whole]) for name in CORES],
)
def test_small_deck_by_brute_force(category: str) -> None:
    reached = CATEGORIES[CATEGORIES.index(category) : -1]
    hands = [hand for hand in combinations(range(4 * RANKS), 5) if any(IS[name](hand) for name in reached)]
    assert list(good_tuples(category, most_hands=4, rank_count=RANKS)) == brute_tuples(hands)


PLANS = [
    (category, flushes)
    for category in CORES
    for flushes in ((0, 0, 0, 0), (0, 0, 1, 1), (0, 0, 1, 2))
    if CORES[category].flushes or not any(flushes)
]


@pytest.mark.parametrize(("category", "flushes"), PLANS)
@pytest.mark.parametrize(("rank_count", "limit"), [pytest.param(10, 2, marks=pytest.mark.whole), (13, 1)])
def test_kernel_is_the_reference(
    category: str, flushes: tuple[int, ...], rank_count: int, limit: int
) -> None:
    counts: defaultdict[FinalState, int] = defaultdict(int)
    for state, count in final_states(category, limit=limit, flushes=flushes, rank_count=rank_count):
        counts[state] += count
    assert counts == cover_all_reference.final_states(
        category, limit=limit, flushes=flushes, rank_count=rank_count
    )


@pytest.mark.parametrize("category", CATEGORIES)
def test_certificate_begins_as_recounted(category: str) -> None:
    assert good_tuples(category, most_hands=4) == certificate.shipped()[category][:5]


@pytest.mark.parametrize(
    "category", ["flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"]
)
def test_certificate_is_recounted_whole_where_that_is_quick(category: str) -> None:
    assert good_tuples(category) == certificate.shipped()[category]


def test_certificate_of_other_rules_is_refused() -> None:
    text = certificate.as_json(certificate.shipped())
    assert certificate.from_json(text) == certificate.shipped()
    with pytest.raises(ValueError, match="recompute"):
        certificate.from_json(text.replace(certificate.fingerprint(), "0" * 64))


def test_one_hand_has_the_well_known_counts() -> None:
    counts = highest_hand_counts(1, certificate.shipped())
    assert [counts[row] for row in CATEGORIES] == list(category_counts(5)[3:])
    assert sum(counts.values()) == comb(52, 5)


def test_two_hands_by_counting_what_the_second_may_hold() -> None:
    """Four of a kind or better twice: rank by rank, without any sweep."""
    quads = [frozenset(range(4 * rank, 4 * rank + 4)) for rank in range(13)]
    hands = [quad | {card} for quad in quads for card in range(52) if card not in quad]
    for low in range(-1, 9):
        for suit in range(4):
            hands.append(frozenset(4 * ((low + step) % 13) + suit for step in range(5)))
    twice = sum(not first & second for first in hands for second in hands)
    assert twice == certificate.shipped()["four_of_a_kind"][2]


@pytest.mark.parametrize("hands", range(2, 9))
def test_rows_are_whole_and_rare_rows_near_their_sum(hands: int) -> None:
    counts = highest_hand_counts(hands, certificate.shipped())
    single = highest_hand_counts(1, certificate.shipped())
    assert sum(counts.values()) == all_tuples(hands)
    assert all(count > 0 for count in counts.values())
    for row in CATEGORIES:
        assert counts[row] * comb(52, 5) <= hands * single[row] * all_tuples(hands)


@pytest.mark.whole
def test_simulated_tables_of_eight_hands() -> None:
    rng = np.random.default_rng(7)
    tables = 60_000
    decks = rng.permuted(np.tile(np.arange(52), (tables, 1)), axis=1)[:, :40].reshape(-1, 5)
    best = (hand_values(decks) >> CATEGORY_SHIFT).reshape(tables, 8).max(axis=1)
    counts = highest_hand_counts(8, certificate.shipped())
    for category, row in ((3, "three_of_a_kind"), (4, "straight"), (5, "flush"), (6, "full_house")):
        chance = counts[row] / sum(counts.values())
        error = (chance * (1 - chance) / tables) ** 0.5
        assert abs((best == category).mean() - chance) < 3.5 * error


def test_tuples_of_all_hands() -> None:
    assert all_tuples(8) == factorial(52) // (factorial(5) ** 8 * factorial(12))
    assert all_tuples(1) == comb(52, 5)
