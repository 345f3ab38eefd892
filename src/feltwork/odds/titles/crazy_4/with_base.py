"""Crazy 4 Poker: covariance of side bets with the base game in optimal play, from the same deals."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.four_card.classes import CATEGORY_SHIFT, pay_classes
from feltwork.odds.lazy_numpy import np
from feltwork.odds.pricing import net_pay
from feltwork.odds.title_odds import WithBase
from feltwork.odds.titles.crazy_4.counts import BAD_BEAT_CATEGORIES, LOSS, WIN, cached_counts
from feltwork.odds.titles.crazy_4.solve import FIRST_TABLE, FOLD, outcomes_of, settle, solution
from feltwork.titles import registry
from feltwork.titles.hands.category import Hand, names_of
from feltwork.titles.hands.four_card import ROWS
from feltwork.titles.paytables.paytable import Paytable


def queens_up_with_base(paytable: Paytable) -> WithBase:
    """Return the exact covariance of Queens Up and the base game in optimal play.

    Both are known from the pay class of the hand and the outcome against the dealer. A hand that Queens Up
    pays is never folded, so a folded hand loses it, whatever the house option.
    """
    pays = pays_by_class(paytable)
    paid = (
        (stake, pay_class, outcome, pay + 1, deals)
        for stake, pay_class, outcome, deals in outcomes_of(solution().totals)
        if (pay := pays[pay_class]) is not None
    )
    return _covariance(paid)


def bad_beat_with_base(paytable: Paytable) -> WithBase:
    """Return the exact covariance of the Bad Beat and the base game in optimal play.

    A beaten two pair or better is the player's in a lost showdown and the dealer's in a won showdown; the
    dealer qualifies in both.
    """
    rows = [
        paytable.row_for(names_of(Hand(category, (2, 2, 2, 2)), ROWS)) for category in BAD_BEAT_CATEGORIES
    ]
    return _covariance(
        (stake, pay_class, outcome, net_pay(row) + 1, deals)
        for row, counted in zip(rows, _beaten(), strict=True)
        if row is not None
        for stake, pay_class, outcome, deals in counted
    )


@cache
def _beaten() -> list[list[tuple[int, int, int, int]]]:
    """Count deals in which a hand of each category is beaten, by Play wager, pay class and outcome."""
    counts, stakes = cached_counts(), solution().stakes
    classes = pay_classes(counts.values).astype(np.int64)
    ways = counts.multiplicity.astype(np.int64) * (stakes != FOLD)
    kinds, place_of = np.unique(np.stack([stakes, classes]), axis=1, return_inverse=True)
    rows_by_category: list[list[tuple[int, int, int, int]]] = []
    for place, category in enumerate(BAD_BEAT_CATEGORIES):
        own = counts.values >> CATEGORY_SHIFT == category
        rows_by_category.append([])
        for outcome, beaten in ((LOSS, counts.outcomes[LOSS] * own), (WIN, counts.dealer_beaten[place])):
            deals = np.zeros(kinds.shape[1], dtype=np.int64)
            np.add.at(deals, place_of.reshape(-1), beaten * ways)
            rows_by_category[-1] += [
                (stake, pay_class, outcome, count)
                for (stake, pay_class), count in zip(kinds.T.tolist(), deals.tolist(), strict=True)
                if count
            ]
    return rows_by_category


def _covariance(paid: Iterable[tuple[int, int, int, Fraction, int]]) -> WithBase:
    """Compute the covariance from the side bet's returns and deals by Play wager, pay class and outcome."""
    play = solution()
    bonus = pays_by_class(registry.paytable("crazy_4", "super_bonus", FIRST_TABLE))
    products = own = Fraction(0)
    for stake, pay_class, outcome, returns, deals in paid:
        net = settle(stake=stake, outcome=outcome, super_bonus_pay=bonus[pay_class], unqualified="compare")
        products += net * returns * deals
        own += returns * deals
    # The stake itself is lost in every deal, so it adds no covariance.
    covariance = products / play.deals + play.house_edge * own / play.deals
    return WithBase(covariance=covariance, base_variance=play.variance)
