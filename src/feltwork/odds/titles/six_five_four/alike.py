"""6-5-4 Poker: classes of alike simulated rounds."""

from feltwork.odds.batches import AlikeRounds, Dealt, Keys, Strategy
from feltwork.odds.four_card.classes import pay_classes
from feltwork.odds.lazy_numpy import np
from feltwork.odds.title_odds import Paytables, TableOptions
from feltwork.titles.cards.card import TEN

#: Number of cards: five of the seat, five of the dealer face down, one face up.
CARDS = 11
PLAYER = [0, 1, 2, 3, 4]
DEALER = [10, 5, 6, 7, 8, 9]


def alike(_paytables: Paytables, _options: TableOptions, strategy: Strategy) -> AlikeRounds | None:
    """Classify rounds for the rule of thumb; optimal play counts one hand in fourteen individually."""
    return AlikeRounds(CARDS, _decided, _settled) if strategy == "simple" else None


def _decided(dealt: Dealt) -> Keys:
    """Key the decision: the rule of thumb uses the hand and the number of dealer discards."""
    return _values(dealt[:, PLAYER]) * 3 + _discards(dealt)


def _settled(dealt: Dealt) -> Keys:
    """Key the result: a row pays by the class of the hand, and the higher hand wins."""
    player, dealer, discards = _values(dealt[:, PLAYER]), np.empty(len(dealt), np.int64), _discards(dealt)
    for gone in range(3):
        (rows,) = np.nonzero(discards == gone)
        dealer[rows] = _values(dealt[rows][:, DEALER[gone:]])
    return np.asarray(pay_classes(player.astype(np.int32)) * 3 + np.sign(player - dealer) + 1)


def _discards(dealt: Dealt) -> Keys:
    """Count the dealer's first two cards that are discarded because they are ten or higher."""
    first, second = (dealt[:, place] >> 2 >= TEN - 2 for place in DEALER[:2])
    return first * 1 + (first & second)


def _values(hands: Dealt) -> Keys:
    from feltwork.odds.kernels.dealing import best_fours

    values = np.empty(len(hands), dtype=np.int64)
    best_fours(np.ascontiguousarray(hands), values)
    return values
