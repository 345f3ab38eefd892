"""Atoms: totals, examples small enough to count by hand, and one hand standing for many."""

from collections import Counter
from itertools import combinations, permutations, product
from math import comb

import pytest

from feltwork.odds.atoms import Names, count_hands, count_sights, suit_classes
from feltwork.titles.cards.card import ACE, DECK, Card, Suit
from feltwork.titles.title import Sight

NO_NAMES: Names = frozenset()


def pair_names(sight: Sight) -> Names:
    """Whether the first group is a pair, and whether its two cards are the same card."""
    first, second = sight[0]
    return frozenset({"pair"} if first.rank == second.rank else ()) | (
        {"twins"} if first == second else set()
    )


def matched_names(sight: Sight) -> Names:
    """How often the card of the second group is also in the first."""
    pair, (third,) = sight
    return frozenset({f"matched {pair.count(third)}"})


def ace_names(cards: tuple[Card, ...]) -> Names:
    aces = sum(card.rank == ACE for card in cards)
    return frozenset({f"{aces} aces"} | ({"suited"} if len({card.suit for card in cards}) == 1 else set()))


def test_pairs_of_one_two_and_six_decks_by_hand() -> None:
    """Of 13 ranks: two of the 4n cards; of 52 cards: two of the n copies."""
    for decks in (1, 2, 6):
        pairs, twins = 13 * comb(4 * decks, 2), 52 * comb(decks, 2)
        assert +Counter(count_sights(decks, (2,), pair_names)) == +Counter(
            {
                frozenset({"pair", "twins"}): twins,
                frozenset({"pair"}): pairs - twins,
                NO_NAMES: comb(52 * decks, 2) - pairs,
            }
        )


def test_later_groups_draw_from_what_the_earlier_left() -> None:
    """Two decks: the third card is the last copy of a single card, or any of the other kinds."""
    twins, others = 52, comb(104, 2) - 52
    assert +Counter(count_sights(2, (2, 1), matched_names)) == {
        # Twins leave no third copy; two different cards leave one of each.
        frozenset({"matched 1"}): others * 2,
        frozenset({"matched 0"}): twins * 102 + others * 100,
    }


def test_one_deck_holds_no_card_twice() -> None:
    atoms = +Counter(count_sights(1, (2, 1), matched_names))
    assert atoms == {frozenset({"matched 0"}): comb(52, 2) * 50}


@pytest.mark.parametrize("groups", [(1,), (2,), (1, 1)])
@pytest.mark.parametrize("decks", [1, 2, 3])
def test_sights_equal_dealing_every_card(decks: int, groups: tuple[int, ...]) -> None:
    """Every physical card told apart; within a group the order does not count."""

    def names(sight: Sight) -> Names:
        return frozenset(str(sorted(card.suit for card in group)) for group in sight)

    shoe = list(product(DECK, range(decks)))
    dealt: Counter[Names] = Counter()
    for cards in combinations(shoe, *groups) if len(groups) == 1 else permutations(shoe, 2):
        faces = tuple(card for card, _ in cards)
        dealt[names((faces,) if len(groups) == 1 else (faces[:1], faces[1:]))] += 1
    assert +Counter(count_sights(decks, groups, names)) == dealt


@pytest.mark.parametrize(("decks", "groups"), [(1, (2,)), (8, (2,)), (1, (1, 1)), (6, (2, 1)), (8, (1, 2))])
def test_sights_add_up_to_all_deals(decks: int, groups: tuple[int, ...]) -> None:
    left, total = 52 * decks, 1
    for size in groups:
        total *= comb(left, size)
        left -= size
    assert sum(count_sights(decks, groups, lambda _: NO_NAMES).values()) == total


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_hands_equal_dealing_every_hand(size: int) -> None:
    assert count_hands(size, ace_names) == Counter(ace_names(cards) for cards in combinations(DECK, size))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_suit_classes_stand_for_all_hands(size: int) -> None:
    assert sum(ways for _, ways in suit_classes(size)) == comb(52, size)


def test_suit_classes_of_two_cards_by_hand() -> None:
    """13 pairs in 6 ways, 78 suited hands in 4, 78 unsuited ones in 12."""
    assert Counter(ways for _, ways in suit_classes(2)) == {6: 13, 4: 78, 12: 78}


def test_a_class_is_all_renamings_of_its_suits() -> None:
    seen_cards: set[frozenset[Card]] = set()
    for cards, ways in suit_classes(3):
        renamed = {
            frozenset(Card(card.rank, suits[card.suit]) for card in cards) for suits in permutations(Suit)
        }
        assert len(renamed) == ways
        assert not renamed & seen_cards
        seen_cards |= renamed
    assert len(seen_cards) == comb(52, 3)


def test_five_card_hands_have_134459_classes() -> None:
    assert sum(1 for _ in suit_classes(5)) == 134_459
