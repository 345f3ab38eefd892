"""Hands are named as the approval letters print them."""

import pytest

from feltwork.titles import registry
from feltwork.titles.hand_names import hand_name

PRINTED = [
    ("blazing_7s", "1", ["Three 7's - Same Suit", "Three 7's - Same Color", "Three 7's"]),
    ("blazing_7s", "ML04", ["Three 7's - Diamonds", "Three 7's - Suited (Other)", "Three 7's - Same Color"]),
    ("dragon", "2", ["2, 3 & 4 - 0 Diamonds", "2, 3 & 4 - 0 Suited", "2, 3 & 4 - 0 Unsuited"]),
    ("dragon", "3", ["Suited 6 Card Win by 9", "Suited 4 Card Win by 9", "Win by 9"]),
    ("five_card", "ML03", ["Royal Flush", "Straight Flush", "Four of a Kind"]),
    ("four_card", "3", ["Four Aces"]),
    ("holdem", "QH-11", ["Royal Flush", "Community Royal Flush", "Straight Flush", "Four of a Kind"]),
    ("trilux", "6", ["Three Aces (Suited)", "Three of a Kind (Suited)", "Straight Flush"]),
]


@pytest.mark.parametrize(("jackpot", "paytable", "names"), PRINTED)
def test_rows_have_the_names_that_their_letter_prints(jackpot: str, paytable: str, names: list[str]) -> None:
    card = registry.paytable(jackpot, "jackpot", paytable)
    assert [hand_name(card, row.hand) for row in card.rows][: len(names)] == names
