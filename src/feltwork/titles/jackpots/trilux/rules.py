"""The rows of TriLux."""

from feltwork.titles.cards.card import ACE
from feltwork.titles.hands.three_card import ThreeCardCategory, of_one_rank, of_one_suit, three_card_hand
from feltwork.titles.title import Sight

ROWS = frozenset(
    {
        "three_aces_suited",
        "three_of_a_kind_suited",
        "straight_flush",
        "three_of_a_kind",
        "straight",
        "flush",
    }
)


def names(sight: Sight) -> frozenset[str]:
    """Return the rows of the first two cards and the dealer's up card [HM.trilux.2].

    Suits are checked separately: with several decks a flush may hold the same card twice.
    """
    first_two, up = sight
    cards = first_two + up
    suited, alike = of_one_suit(cards), of_one_rank(cards)
    run = three_card_hand(cards).category in (ThreeCardCategory.STRAIGHT, ThreeCardCategory.STRAIGHT_FLUSH)
    matches = {
        "three_aces_suited": suited and alike and cards[0].rank == ACE,
        "three_of_a_kind_suited": suited and alike,
        "straight_flush": suited and run,
        "three_of_a_kind": alike,
        "straight": run,
        "flush": suited,
    }
    return frozenset(name for name, holds in matches.items() if holds)
