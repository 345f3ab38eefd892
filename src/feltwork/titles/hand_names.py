"""The names of hands as printed in the letters' jackpot paytables."""

from collections.abc import Mapping

from feltwork.titles.paytables.paytable import Paytable

#: Title of a jackpot -> row -> its printed name, if that differs from the words of the row.
_PRINTED: Mapping[str, Mapping[str, str]] = {
    "blazing_7s": {
        "three_7s_diamonds": "Three 7's - Diamonds",
        "three_7s_suited": "Three 7's - Same Suit",
        "three_7s_same_color": "Three 7's - Same Color",
        "three_7s": "Three 7's",
        "two_7s": "First Two Cards - 7's",
        "one_7": "Either of the First Two Cards - 7",
    },
    "dragon": {
        "two_three_four_diamonds": "2, 3 & 4 - 0 Diamonds",
        "two_three_four_suited": "2, 3 & 4 - 0 Suited",
        "two_three_four": "2, 3 & 4 - 0 Unsuited",
        "nine_over_zero": "9 - 0 (Non-Natural)",
        "eight_over_zero": "8 - 0 (Non-Natural)",
        "suited_six_card_win_by_9": "Suited 6 Card Win by 9",
        "suited_four_card_win_by_9": "Suited 4 Card Win by 9",
        "win_by_9": "Win by 9",
    },
    "holdem": {"community_royal": "Community Royal Flush"},
    "trilux": {
        "three_aces_suited": "Three Aces (Suited)",
        "three_of_a_kind_suited": "Three of a Kind (Suited)",
        "three_of_a_kind": "Three of a Kind (Offsuit)",
    },
}
_SMALL_WORDS = frozenset({"of", "a", "or", "by"})


def hand_name(paytable: Paytable, hand: str) -> str:
    """Return the approved name of a paytable row, such as ``Three 7's - Diamonds``."""
    if hand == "three_7s_suited" and any(row.hand == "three_7s_diamonds" for row in paytable.rows):
        return "Three 7's - Suited (Other)"
    return _PRINTED.get(paytable.title, {}).get(hand) or spoken_hand(hand)


def spoken_hand(hand: str) -> str:
    """Return the words of a row, such as ``Four of a Kind``; existing capitals stay."""
    words = (word if word in _SMALL_WORDS else word[:1].upper() + word[1:] for word in hand.split("_"))
    return " ".join(words)
