"""6-5-4 Poker: covariance of Queens Up with the base game in optimal play, from the same deals."""

from fractions import Fraction

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.title_odds import WithBase
from feltwork.odds.titles.six_five_four.counts import DEALS, cached_counts
from feltwork.odds.titles.six_five_four.solve import class_totals, net_results_of, solution
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Paytable


def queens_up_with_base(paytable: Paytable) -> WithBase:
    """Return the exact covariance; pay class and outcome determine the results of both bets."""
    play = solution()
    bonus = pays_by_class(registry.paytable("six_five_four", "ante_bonus", "1"))
    products = own = Fraction(0)
    for row, extra, pay in zip(class_totals(cached_counts()), bonus, pays_by_class(paytable), strict=True):
        returns = Fraction(0) if pay is None else pay + 1
        nets = sum((net * deals for net, deals in net_results_of(row, extra or Fraction(0))), Fraction(0))
        products += returns * nets
        own += returns * row[DEALS]
    covariance = products / play.deals + play.house_edge * own / play.deals
    return WithBase(covariance=covariance, base_variance=play.variance)
