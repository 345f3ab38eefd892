"""Crazy 4 Poker: how a side bet on the best four cards moves with the base game, from the same deals."""

from fractions import Fraction

from feltwork.odds.four_card.class_pays import pays_by_class
from feltwork.odds.title_odds import WithBase
from feltwork.odds.titles.crazy_4.solve import FIRST_TABLE, outcomes_of, settle, solution
from feltwork.paytables.paytable import Paytable
from feltwork.titles import registry


def queens_up_with_base(paytable: Paytable) -> WithBase:
    """Return the exact covariance of Queens Up and the base game in optimal play.

    Both are known from the pay class of the hand and the outcome against the dealer. A hand that Queens Up
    pays is never folded, so a folded hand loses it, whatever the house option.
    """
    play = solution()
    bonus = pays_by_class(registry.paytable("crazy_4", "super_bonus", FIRST_TABLE))
    side = [Fraction(-1) if pay is None else pay for pay in pays_by_class(paytable)]
    products = own = Fraction(0)
    for stake, pay_class, outcome, deals in outcomes_of(play.totals):
        net = settle(stake=stake, outcome=outcome, super_bonus_pay=bonus[pay_class], unqualified="compare")
        products += net * side[pay_class] * deals
        own += side[pay_class] * deals
    covariance = products / play.deals + play.house_edge * own / play.deals
    return WithBase(covariance=covariance, base_variance=play.variance)
