"""The cost of one unit more on each pay, the spread of the hold, and the risk of ruin of a bank."""

from dataclasses import replace
from fractions import Fraction
from math import floor

from feltwork.money import WHOLE_BASIS_POINTS
from feltwork.odds.distribution import Distribution
from feltwork.odds.pricing import net_pay, returned
from feltwork.odds.sessions import BankSession, session
from feltwork.odds.sheet import sheet
from feltwork.odds.what_if.answer import WhatIfAnswer
from feltwork.odds.what_if.question import Question, divides
from feltwork.odds.what_if.volatility import Band, MeterPay, RoundLaw, bands, law_of_lines
from feltwork.odds.what_if.what_if import meter_laws, what_if
from feltwork.titles.paytables.paytable import Odds, Share

#: Figures for the share that the house keeps, in order of preference.
KEPT = ("hold", "house_edge")


def kept_figure(answer: WhatIfAnswer) -> str:
    """Return the name of the figure for the share that the house keeps, if any."""
    return next((name for name in KEPT if name in answer.bet), "")


def sensitivity(question: Question) -> dict[str, Fraction]:
    """Return by row how much less the house keeps if the row pays one unit more.

    A game around the paytable is solved again for each row.
    """
    question = replace(question, sampled=False)
    now = what_if(question)
    name = kept_figure(now)
    if not name:
        return {}
    changes = {}
    for place, row in enumerate(question.paytable.rows):
        if not isinstance(row.pays, Odds):
            continue
        rows = list(question.paytable.rows)
        rows[place] = replace(row, pays=replace(row.pays, wins=row.pays.wins + row.pays.per))
        raised = replace(question, paytable=replace(question.paytable, rows=tuple(rows)))
        changes[row.hand] = now.bet[name].value - what_if(raised).bet[name].value
    return changes


def hold_bands(answer: WhatIfAnswer) -> list[Band]:
    """Return 90% intervals of the share that the house keeps of the first wagers of many rounds."""
    law = round_law(answer.question)
    if law is None:
        return []
    return [replace(band, low=1 - band.high, high=1 - band.low) for band in bands(law)]


def round_law(question: Question) -> RoundLaw | None:
    """Return the law of one round; None with a decision, divided shares, envy, a cap, or pays off a meter."""
    paytable = question.paytable
    par_sheet = sheet(paytable, question.options)
    if not par_sheet.stands_alone:
        return law_of_lines(par_sheet.net_results) if par_sheet.net_results else None
    if par_sheet.gain:
        return None
    meters: tuple[MeterPay, ...] = ()
    price = par_sheet.price
    if paytable.levels:
        laws = meter_laws(question)
        if set(laws) != set(paytable.levels) or divides(paytable) or question.returns.envy:
            return None
        if any(law.cap is not None or law.fixed for law in laws.values()):
            return None
        price = question.offer.prices[question.side]
        meters = tuple(MeterPay(law, question.wager, law.shares) for law in laws.values())
    pays = [(Fraction(0), price.probability(None))]
    pays += [
        (returned(row), price.probability(place))
        for place, row in enumerate(price.paytable.rows)
        if not isinstance(row.pays, Share)
    ]
    return RoundLaw(tuple(Distribution.of(pays).pmf.items()), meters)


def session_of(question: Question) -> BankSession | None:
    """Return the risk of ruin of a player's bank; None if rounds of the bet are not independent draws.

    A share of a meter pays its long-run mean, in whole wagers.
    """
    nets = _nets(question)
    if not nets:
        return None
    return session(nets, rounds=question.session, bank=question.bank, risk=question.risk)


def _nets(question: Question) -> dict[Fraction, Fraction]:
    """Return the net results of one round in wagers; none with a decision, divided shares or envy."""
    paytable = question.paytable
    par_sheet = sheet(paytable, question.options)
    if not par_sheet.stands_alone:
        lines = [
            (line.returns / line.probability, line.probability)
            for line in par_sheet.net_results
            if line.returns is not None and line.probability
        ]
        return dict(Distribution.of(lines).pmf)
    price = par_sheet.price
    awards: dict[str, Fraction] = {}
    if paytable.levels:
        if divides(paytable) or question.returns.envy:
            return {}
        price = question.offer.prices[question.side]
        awards = dict(question.returns.mean_award)
    if par_sheet.gain:
        return {}
    lines = [(Fraction(-1), price.probability(None))]
    for place, row in enumerate(paytable.rows):
        net = net_pay(row)
        if isinstance(row.pays, Share):
            part = Fraction(row.pays.basis_points, WHOLE_BASIS_POINTS)
            net = Fraction(floor(awards[row.pays.level] * part / question.wager) - 1)
        lines.append((net, price.probability(place)))
    return dict(Distribution.of(lines).pmf)
