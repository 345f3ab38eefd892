"""Caribbean Stud: classes of alike simulated rounds."""

from feltwork.odds.batches import AlikeRounds, Dealt, Keys, Strategy
from feltwork.odds.lazy_numpy import np
from feltwork.odds.title_odds import Paytables, TableOptions
from feltwork.odds.titles.caribbean_stud.raise_counts import (
    CATEGORY_SHIFT,
    FIRST_PAIR,
    QUALIFYING,
    cached_counts,
)
from feltwork.odds.titles.caribbean_stud.solve import pays_of, solved_for

CARDS = 10


def alike(paytables: Paytables, _options: TableOptions, strategy: Strategy) -> AlikeRounds | None:
    """Classify rounds by the best choice with ace-king, the values of both hands and the up card."""
    counts = cached_counts()
    raises = solved_for(pays_of(paytables["raise"])).raises
    if strategy == "exact" and not raises[counts.cases[:, 0] > 0].all():
        return None  # pairs are decided one by one
    order = np.argsort(counts.ace_king)
    hands = counts.ace_king[order]

    def decided(dealt: Dealt) -> Keys:
        """Key the decision: only ace-king depends on the dealer's card; the rule of thumb uses its rank."""
        from feltwork.odds.kernels.dealing import canonical_deals

        values = _values(dealt[:, :5])
        keys = np.minimum(np.maximum(values, QUALIFYING - 1), FIRST_PAIR) * 32
        (close,) = np.nonzero((values >= QUALIFYING) & (values < FIRST_PAIR))
        renamed = np.empty((len(close), 2), dtype=np.int64)
        canonical_deals(np.ascontiguousarray(dealt[close, :6]), 5, renamed)
        cases = counts.ace_king_cases[order[np.searchsorted(hands, renamed[:, 0])], renamed[:, 1]]
        keys[close] += (dealt[close, 5] >> 2) * 2 + raises[cases]
        return keys

    return AlikeRounds(CARDS, decided, _settled)


def _settled(dealt: Dealt) -> Keys:
    """Key results: a row pays by category; the dealer qualifies with ace-king, and the higher hand wins."""
    player, dealer = _values(dealt[:, :5]), _values(dealt[:, 5:])
    classes = (player >> CATEGORY_SHIFT) * 16 + (dealer >> CATEGORY_SHIFT)
    return np.asarray((classes * 3 + np.sign(player - dealer) + 1) * 2 + (dealer >= QUALIFYING))


def _values(hands: Dealt) -> Keys:
    from feltwork.odds.kernels.dealing import best_fives

    values = np.empty(len(hands), dtype=np.int64)
    best_fives(hands, values)
    return values
