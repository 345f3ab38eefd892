"""A rule of thumb for blackjack: basic strategy for several decks, the same for all house rules."""

from feltwork.titles.cards.card import ACE
from feltwork.titles.hands.points import blackjack_total, blackjack_value
from feltwork.titles.title import Decision

#: For each total, the play against 2, 3 ... 10 and ace: hit, stand, double or hit, Double or stand.
HARD = {
    **dict.fromkeys(range(4, 9), "hhhhhhhhhh"),
    9: "hddddhhhhh",
    10: "ddddddddhh",
    11: "dddddddddh",
    12: "hhssshhhhh",
    **dict.fromkeys(range(13, 17), "ssssshhhhh"),
    **dict.fromkeys(range(17, 22), "ssssssssss"),
}
SOFT = {
    12: "hhhhhhhhhh",
    **dict.fromkeys((13, 14), "hhhddhhhhh"),
    **dict.fromkeys((15, 16), "hhdddhhhhh"),
    17: "hddddhhhhh",
    18: "sDDDDsshhh",
    **dict.fromkeys(range(19, 22), "ssssssssss"),
}
#: The up cards (ace 11) against which a pair of this value (ace 1) is split.
SPLITS = {
    1: range(2, 12),
    2: range(2, 8),
    3: range(2, 8),
    4: range(5, 7),
    6: range(2, 7),
    7: range(2, 8),
    8: range(2, 12),
    9: (2, 3, 4, 5, 6, 8, 9),
}
#: The up cards against which a hard total is surrendered.
SURRENDERS = {16: (9, 10, 11), 15: (10,)}
ACTIONS = {"h": ("hit",), "s": ("stand",), "d": ("double", "hit"), "D": ("double", "stand")}


def rule_of_thumb(decision: Decision) -> str:
    """Play basic strategy; let House Money ride on starting hands that win more than they lose."""
    if decision.name == "house_money":
        return _house_money(decision)
    (up_card,) = decision.sees["dealer"]
    up = 11 if up_card.rank == ACE else blackjack_value(up_card)
    total, soft = blackjack_total(decision.cards)
    if "split" in decision.choices and up in SPLITS.get(blackjack_value(decision.cards[0]), ()):
        return "split"
    if "surrender" in decision.choices and not soft and up in SURRENDERS.get(total, ()):
        return "surrender"
    preferences = ACTIONS[(SOFT if soft else HARD)[total][up - 2]]
    return next((action for action in preferences if action in decision.choices), "stand")


def _house_money(decision: Decision) -> str:
    """Leave the proceeds on ten, eleven, nineteen or better, and a pair of aces."""
    total, _ = blackjack_total(decision.cards)
    pair_of_aces = all(card.rank == ACE for card in decision.cards)
    return "leave" if total in (10, 11) or total >= 19 or pair_of_aces else "take"
