"""The kernels against the slow reference, on complete small cases."""

from collections import Counter
from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from feltwork.odds.atoms import Names
from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.four_card.classes import (
    CLASS_NAMES,
    FULL_DECK,
    TWO_PAIR_CLASS,
    canonical_hand,
    class_atoms,
    hand_of,
    pay_classes,
)
from feltwork.odds.four_card.hands import player_hands, rank_all
from feltwork.odds.kernels.four_card import FIELD_BITS, FIELD_MASK
from feltwork.titles import registry
from feltwork.titles.cards.card import DECK
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS, FourCardCategory
from feltwork.titles.hands.four_card import best_four as best_by_the_rules
from tests.odds.four_card_reference import best_of, deck_of, indices, unpack, value_of_four


def unpack_four(packed: int) -> tuple[int, ...]:
    return unpack(packed)[:4]


def test_all_four_card_hands_have_the_reference_value() -> None:
    ranked = rank_all(FULL_DECK, size=4)
    assert len(ranked) == comb(52, 4)
    for packed, value in zip(ranked.hands.tolist(), ranked.values.tolist(), strict=True):
        assert value == value_of_four(unpack_four(packed))


@pytest.mark.parametrize("ranks", ["234A", "9TJQ", "JQKA", "2468Q", "2345A"])
def test_best_four_of_five_and_of_six(ranks: str) -> None:
    deck = deck_of(ranks)
    ranked = rank_all(deck, size=5)
    assert sorted(map(unpack, ranked.hands.tolist())) == list(combinations(deck, 5))
    assert ranked.values.tolist() == [best_of(unpack(hand)) for hand in ranked.hands.tolist()]
    for kept_card in (deck[0], deck[-1], deck[7]):
        ranked = rank_all(deck, size=5, kept_card=kept_card)
        assert len(ranked) == comb(len(deck) - 1, 5)
        for hand, value in zip(ranked.hands.tolist(), ranked.values.tolist(), strict=True):
            assert value == best_of(tuple(sorted((*unpack(hand), kept_card))))


def test_one_suit_and_mixed_suits_of_the_full_deck() -> None:
    cards = indices("2c 3c 4c 5c 7c 9c Tc Jc Kc Ac 2d 3d 4h Ah 9s")
    for kept_card in (cards[0], cards[9]):
        ranked = rank_all(cards, size=5, kept_card=kept_card)
        for hand, value in zip(ranked.hands.tolist(), ranked.values.tolist(), strict=True):
            assert value == best_of(tuple(sorted((*unpack(hand), kept_card))))


@pytest.mark.parametrize("fixed_suits", [0, 1, 2])
def test_canonical_hands_stand_for_their_renamings(fixed_suits: int) -> None:
    ranked = rank_all(deck_of("258A"), size=5)
    players = player_hands(ranked, fixed_suits=fixed_suits)
    seen_hands: set[tuple[int, ...]] = set()
    for packed, times in zip(players.hands.tolist(), players.multiplicity.tolist(), strict=True):
        orbit = set()
        for suits in permutations(range(fixed_suits, 4)):
            rename = (*range(fixed_suits), *suits)
            orbit.add(tuple(sorted(card - card % 4 + rename[card % 4] for card in unpack(packed))))
        assert len(orbit) == times
        assert not orbit & seen_hands
        seen_hands |= orbit
        if not fixed_suits:
            assert {canonical_hand(hand) for hand in orbit} == {packed}
    assert len(seen_hands) == len(ranked)


def test_full_deck_has_134459_canonical_hands() -> None:
    players = player_hands(rank_all(FULL_DECK, size=5), fixed_suits=0)
    assert len(players.hands) == 134_459
    assert players.multiplicity.sum(dtype=np.int64) == comb(52, 5)
    atoms = class_atoms(players.values, players.multiplicity)
    from_two_pair_up = [atoms[names] for names in CLASS_NAMES[TWO_PAIR_CLASS:]]
    assert from_two_pair_up == [123_552, 101_808, 114_616, 58_656, 2_072, 576, 48]
    assert sum(atoms.values()) == comb(52, 5)


@pytest.mark.whole
def test_every_hand_of_the_full_deck_is_what_the_rules_call_it() -> None:
    players = player_hands(rank_all(FULL_DECK, size=5), fixed_suits=0)
    hands: Counter[Hand] = Counter()
    columns = (players.hands.tolist(), players.values.tolist(), players.multiplicity.tolist())
    for packed, value, times in zip(*columns, strict=True):
        hand = best_by_the_rules([DECK[card] for card in unpack(packed)])
        assert hand_of(value) == hand
        hands[hand] += times
    atoms: Counter[Names] = Counter()
    for hand, times in hands.items():
        atoms[names_of(hand, ROWS)] += times
    assert class_atoms(players.values, players.multiplicity) == atoms


def test_packed_sums_fit_their_fields() -> None:
    high = Counter(sum(card >= 32 for card in four) for four in combinations(FULL_DECK, 4))
    sums = [
        sum(n for n in high.values()),
        sum(s * n for s, n in high.items()),
        sum(s * s * n for s, n in high.items()),
    ]
    assert sums == [270_725, 416_500, 882_000]
    assert max(sums) <= FIELD_MASK
    assert 3 * FIELD_BITS <= 63


def test_pay_classes_follow_the_rows() -> None:
    examples = {
        "As Ad Ah Ac 2c": 20,
        "2s 2d 2h 2c 3c": 19,
        "4s 3s 2s As 9d": 18,
        "9s 9d 9c 2c 4h": 17,
        "Ks 9s 5s 2s 3d": 16,
        "4s 3d 2s Ac Kd": 15,
        "4s 4d 2s 2c Kd": 14,
        "As Ad 5c 3s 2h": 13,
        "2s 2d 5c 7s 9h": 1,
        "Ks Qd 8c 4s 2h": 0,
    }
    for text, expected in examples.items():
        value = best_of(tuple(sorted(indices(text))))
        assert pay_classes(np.array([value], dtype=np.int32)).tolist() == [expected], str(hand_of(value))
    pays = pays_by_class(registry.paytable("crazy_4", "super_bonus", "C4P-09"))
    assert [str(pays[i]) for i in (20, 19, 18, 17, 16, 15, 14)] == [
        "200",
        "30",
        "15",
        "2",
        "3/2",
        "1",
        "None",
    ]
    pays = pays_by_class(registry.paytable("crazy_4", "queens_up", "C4P-09"))
    assert [pays[i] for i in (20, 19, 18, 13, 11, 10)] == [50, 50, 30, 1, 1, None]
    assert FourCardCategory.THREE_OF_A_KIND > FourCardCategory.FLUSH > FourCardCategory.STRAIGHT
