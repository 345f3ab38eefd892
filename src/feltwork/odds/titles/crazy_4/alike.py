"""Crazy 4 Poker: classes of alike simulated rounds."""

from feltwork.odds.batches import AlikeRounds, Dealt, Keys, Strategy
from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.four_card.classes import KING_HIGH, pay_classes
from feltwork.odds.lazy_numpy import np
from feltwork.odds.title_odds import Paytables, TableOptions
from feltwork.odds.titles.crazy_4.counts import cached_counts
from feltwork.odds.titles.crazy_4.solve import Unqualified, cached_bases, solve

CARDS = 10


def alike(paytables: Paytables, options: TableOptions, _strategy: Strategy) -> AlikeRounds:
    """Classify rounds by the best Play wager and the values of both hands."""
    unqualified: Unqualified = "push" if options["super_bonus_unqualified"] == "push" else "compare"
    stakes = solve(cached_bases(), pays_by_class(paytables["super_bonus"]), unqualified=unqualified).stakes
    order = np.argsort(cached_counts().hands)
    hands = cached_counts().hands[order]

    def decided(dealt: Dealt) -> Keys:
        """Key the decision: the rule of thumb uses only the value, optimal play the hand."""
        from feltwork.odds.kernels.dealing import canonical_deals

        renamed = np.empty((len(dealt), 1), dtype=np.int64)
        canonical_deals(dealt[:, :5], 5, renamed)
        best = stakes[order[np.searchsorted(hands, renamed[:, 0])]]
        return _values(dealt[:, :5]) * 4 + best

    return AlikeRounds(CARDS, decided, _settled)


def _settled(dealt: Dealt) -> Keys:
    """Key the result: a row pays by class; the dealer qualifies with a king, and the higher hand wins."""
    player, dealer = _values(dealt[:, :5]), _values(dealt[:, 5:])
    classes = pay_classes(player.astype(np.int32)) * 32 + pay_classes(dealer.astype(np.int32))
    return np.asarray((classes * 3 + np.sign(player - dealer) + 1) * 2 + (dealer >= KING_HIGH))


def _values(hands: Dealt) -> Keys:
    from feltwork.odds.kernels.dealing import best_fours

    values = np.empty(len(hands), dtype=np.int64)
    best_fours(hands, values)
    return values
