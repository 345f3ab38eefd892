"""What-if: all figures that follow from a paytable, its meter terms and the size of a floor.

A figure is *exact* (a fraction), *rounded* (a closed form to thirty digits) or *sampled* (with an interval).
Sampled figures are computed on request only; the others take milliseconds.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from feltwork.money import DOLLAR
from feltwork.odds.figures.figure import decimal
from feltwork.odds.meters.distribution import ERROR, MeterLaw, root
from feltwork.odds.meters.sampling import Sampled, dry_risk, sample, settles
from feltwork.odds.pricing import Price, RowReturn
from feltwork.odds.returns import returns
from feltwork.odds.sheet import Sheet, counted_bet, sheet, sides
from feltwork.odds.what_if.answer import ComputedFigure, How, WhatIfAnswer, inversions
from feltwork.odds.what_if.figure_labels import in_unit
from feltwork.odds.what_if.question import Question, divides, verify
from feltwork.titles.paytables.paytable import Odds, Share

HOURS_A_YEAR = 365 * 24
#: Views of cards that belong to one player only, from one deck.
OWN_CARDS = ("five_dealt", "best_four_of_five")
QUANTILES = (Fraction(5, 100), Fraction(25, 100), Fraction(50, 100), Fraction(75, 100), Fraction(95, 100))


OF_WAGER, OF_ROUNDS, DOLLARS, ONE_IN = "of the wager", "of all wagers", "dollars", "one in"


def what_if(question: Question) -> WhatIfAnswer:
    """Answer one question."""
    verify(question)
    par_sheet = sheet(question.paytable, question.options)
    if question.paytable.levels:
        par_sheet = replace(par_sheet, price=question.offer.prices[question.side])
    laws = meter_laws(question)
    means = _means(question, laws)
    bet = _bet_figures(question, par_sheet, laws, means)
    answer = WhatIfAnswer(
        question,
        par_sheet.method,
        _rows(question, par_sheet.price, means),
        bet,
        {
            level: {**_meter_figures(question, laws, level), **_wait(question, law)}
            for level, law in laws.items()
        },
        par_sheet.strategy,
        (*_losing(bet), *_notes(question, laws)),
    )
    return replace(answer, notes=(*inversions(answer), *answer.notes))


def meter_laws(question: Question) -> dict[str, MeterLaw]:
    """Return the law of each meter that can be paid in full; if shares are divided, a round is one trial."""
    wagers = _bettors(question)
    feeding = question.wager * wagers
    laws = {}
    for level, terms in question.terms.items():
        trials = 1 if divides(question.paytable) else question.crowd.mean_bettors
        hits = question.returns.hits[level]
        shares = {part: chance / trials for part, chance in hits.items() if chance}
        if Fraction(1) in shares:
            laws[level] = MeterLaw(
                terms.seed,
                terms.contribution * feeding,
                terms.reserve * feeding,
                tuple(shares.items()),
                terms.cap,
                _fixed_off_meter(question, level),
            )
    return laws


def _fixed_off_meter(question: Question, level: str) -> tuple[tuple[Fraction, Fraction], ...]:
    """Return the fixed pays that come off a meter per trial; they all come off the lowest meter."""
    paytable = question.paytable
    if question.offer.options.get("fixed_pays_from") != "meter" or level != paytable.levels[-1]:
        return ()
    price = question.offer.prices[question.side]
    return tuple(
        (row.pays.pay_on(question.wager), price.probability(place) * _bettors(question))
        for place, row in enumerate(paytable.rows)
        if isinstance(row.pays, Odds) and row.pays.wins and price.probability(place)
    )


def _means(question: Question, laws: Mapping[str, MeterLaw]) -> dict[str, ComputedFigure]:
    """Return the long-run mean of each meter, where it is known or may be sampled."""
    means = {}
    for level, law in laws.items():
        if law.cap is None and not law.fixed:
            back = question.returns
            error = back.award_error[level]
            how: How = "numeric" if error else "exact"
            means[level] = ComputedFigure(back.mean_award[level], DOLLARS, how, error)
        elif law.long_run_mean is not None:
            means[level] = ComputedFigure(law.long_run_mean, DOLLARS)
        elif question.sampled and settles(law):
            means[level] = _drawn(sample(law).mean(), DOLLARS)
    return means


def _bettors(question: Question) -> Fraction:
    """Return the mean number of wagers in one trial."""
    return question.crowd.mean_bettors if divides(question.paytable) else Fraction(1)


def _rows(question: Question, price: Price, means: Mapping[str, ComputedFigure]) -> tuple[RowReturn, ...]:
    rows = []
    for row, line in zip(price.paytable.rows, price.row_returns(), strict=True):
        returns = line.returns
        if isinstance(row.pays, Share):
            mean = means.get(row.pays.level)
            returns = mean.value * question.returns.per_dollar[row.hand] if mean is not None else None
        rows.append(replace(line, returns=returns))
    return tuple(rows)


def _bet_figures(
    question: Question, par_sheet: Sheet, laws: Mapping[str, MeterLaw], means: Mapping[str, ComputedFigure]
) -> dict[str, ComputedFigure]:
    price = par_sheet.price
    figures: dict[str, ComputedFigure] = {}
    if not par_sheet.stands_alone:
        figures |= {
            name: ComputedFigure(par_sheet.game[name.replace("_", " ")], unit)
            for name, unit in _GAME_UNITS.items()
            if par_sheet.game
        }
        if "variance" in figures:
            deviation = root(figures["variance"].value)
            figures["standard_deviation"] = ComputedFigure(deviation, "Antes", "rounded", ERROR)
        return {**figures, "hit_frequency": ComputedFigure(price.hit_frequency, "of all rounds")}
    if not price.paytable.levels:
        figures |= _edges(question, par_sheet)
        variance, error = None if par_sheet.gain else price.variance, Fraction(0)
    else:
        figures |= _long_run(question, means)
        variance, error = _variance(question, price, laws), Fraction(0)
        if variance is not None and question.returns.envy:
            added = _envy_variance(question, price)
            variance, error = (variance + added[0], added[1]) if added else (None, error)
    figures["hit_frequency"] = ComputedFigure(price.hit_frequency, OF_ROUNDS)
    if variance is not None:
        how: How = "numeric" if error else "exact"
        deviation = root(variance)
        figures["variance"] = ComputedFigure(variance, "wagers squared", how, error)
        figures["standard_deviation"] = ComputedFigure(
            deviation, "wagers", "numeric" if error else "rounded", max(error / deviation, ERROR)
        )
        figures |= _with_base(question, price, variance)
    figures |= _exposed(question)
    if price.deals[0]:
        figures["top_odds"] = ComputedFigure(price.top_odds, ONE_IN)
    if price.envy_per_bettor:
        figures["envy_per_bettor"] = ComputedFigure(price.envy_per_bettor, OF_WAGER)
    return figures


def _exposed(question: Question) -> dict[str, ComputedFigure]:
    if not question.exposed:
        return {}
    from feltwork.odds.what_if.exposed_bet import exposed_figures

    return exposed_figures(question)


def _with_base(question: Question, price: Price, variance: Fraction) -> dict[str, ComputedFigure]:
    """Compute the covariance of a side bet with the base game, if it is counted."""
    counted = counted_bet(price.paytable.title, price.paytable.bet)
    if counted.with_base is None:
        return {}
    both = counted.with_base(price.paytable, **{name: question.options[name] for name in counted.options})
    correlation = both.covariance / root(both.base_variance * variance)
    together = both.base_variance + variance + 2 * both.covariance
    return {
        "base_covariance": ComputedFigure(both.covariance, "wagers squared"),
        "base_correlation": ComputedFigure(correlation, "of one", "rounded", ERROR),
        "variance_with_base": ComputedFigure(together, "wagers squared"),
    }


_GAME_UNITS = {
    "house_edge": "of the Ante",
    "element_of_risk": "of all that is staked",
    "fold_frequency": "of all rounds",
    "variance": "Antes squared",
}


def _edges(question: Question, par_sheet: Sheet) -> dict[str, ComputedFigure]:
    """Compute the house edge with the best decision, and on the other side if the bet has two."""
    if par_sheet.gain:
        error = par_sheet.gain_error
        edge = ComputedFigure(par_sheet.house_edge, OF_WAGER, "numeric" if error else "exact", error)
        taken_edge = ComputedFigure(par_sheet.price.house_edge, OF_WAGER)
        spread = ComputedFigure(par_sheet.price.variance, "wagers squared")
        return {"house_edge": edge, "house_edge_taken": taken_edge, "variance_taken": spread}
    edge = ComputedFigure(par_sheet.house_edge, OF_WAGER)
    others = {
        f"house_edge_on_{side}": ComputedFigure(
            sheet(question.paytable, {**question.options, "side": side}).house_edge, OF_WAGER
        )
        for side in sides(question.paytable)
        if side != question.side
    }
    return {"house_edge": edge, **others, "element_of_risk": replace(edge, unit="of all that is staked")}


def _long_run(question: Question, means: Mapping[str, ComputedFigure]) -> dict[str, ComputedFigure]:
    """Compute the hold: contributions are paid back in time, and each restart costs a seed.

    If a cap or fixed pays off the meter require its mean to be simulated, the hold follows from that mean.
    """
    rate = sum((terms.contribution + terms.reserve for terms in question.terms.values()), Fraction(0))
    back = question.returns
    error = sum(
        (error * _per_dollar(question, level) for level, error in back.award_error.items()), Fraction(0)
    )
    hold = ComputedFigure(back.kept, OF_WAGER, "numeric" if error else "exact", error)
    sampled = any(mean.how == "sampled" for mean in means.values())
    if sampled:
        per_dollar = {level: _per_dollar(question, level) for level in means}
        shares = sum((mean.value * per_dollar[level] for level, mean in means.items()), Fraction(0))
        within = sum((mean.error * per_dollar[level] for level, mean in means.items()), Fraction(0))
        hold = ComputedFigure(1 - back.fixed - back.envy - shares, OF_WAGER, "sampled", within)
    others = {
        f"hold_on_{side}": ComputedFigure(returns(question.offer, question.crowd, side=side).kept, OF_WAGER)
        for side in question.offer.prices
        if side != question.side and not sampled
    }
    seeds = {level: terms.seed for level, terms in question.terms.items()}
    today = {"edge_at_meter": _edge_at(question, {**seeds, **question.meters})} if question.meters else {}
    return {
        "hold": hold,
        **others,
        "element_of_risk": replace(hold, unit="of all that is staked"),
        "edge_at_seed": _edge_at(question, seeds),
        **today,
        "fixed_return": ComputedFigure(back.fixed, OF_WAGER),
        "to_meters": ComputedFigure(rate, OF_WAGER),
    }


def _edge_at(question: Question, meters: Mapping[str, Fraction]) -> ComputedFigure:
    """Compute the house edge of one wager with these amounts on the meters."""
    back = question.returns
    paid = sum((amount * _per_dollar(question, level) for level, amount in meters.items()), Fraction(0))
    return ComputedFigure(1 - back.fixed - paid - back.envy, OF_WAGER)


def _per_dollar(question: Question, level: str) -> Fraction:
    """Return the part of each dollar on a meter that one unit wagered returns."""
    parts = question.returns.per_dollar
    rows = (row for row in question.paytable.rows if isinstance(row.pays, Share) and row.pays.level == level)
    return sum((parts[row.hand] for row in rows), Fraction(0))


def _variance(question: Question, price: Price, laws: Mapping[str, MeterLaw]) -> Fraction | None:
    """Compute the variance of a wager's return, meters included; unknown with a cap or a divided share."""
    if any(law.cap is not None or law.fixed for law in laws.values()) or _bettors(question) > 1:
        return None
    staked = question.wager
    mean = (
        price.fixed_return + sum((law.mean * law.mean_share for law in laws.values()), Fraction(0)) / staked
    )
    squares = price.variance + price.fixed_return**2
    for law in laws.values():
        of_parts = sum((part * part * chance for part, chance in law.shares), Fraction(0))
        squares += law.mean_square * of_parts / staked**2
    return squares - mean**2


def _envy_variance(question: Question, price: Price) -> tuple[Fraction, Fraction] | None:
    """Return what envy adds to the variance, and its error; None where players share cards.

    Hands from one deck are nearly independent: given one hand of five cards, another is at most
    C(52,5) / C(47,5) times as likely as without, so no covariance exceeds the product of the two means.
    """
    if question.offer.view not in OWN_CARDS:
        return None
    squares = sum(
        (
            price.probability(place) * Fraction(row.envy, DOLLAR) ** 2
            for place, row in enumerate(price.paytable.rows)
        ),
        Fraction(0),
    )
    mean, counts = price.envy_per_bettor, dict(question.crowd.others())
    if question.offer.options.get("envy_from") == "any_player":
        counts = {question.crowd.players - 1: Fraction(1)}
    many = sum((count * chance for count, chance in counts.items()), Fraction(0))
    pairs = sum((count * (count - 1) * chance for count, chance in counts.items()), Fraction(0))
    own = question.returns.total - question.returns.envy
    variance = many * (squares - mean**2) + (pairs + many - many**2) * mean**2
    return variance, (2 * many * own + pairs * mean) * mean


def _meter_figures(question: Question, laws: Mapping[str, MeterLaw], level: str) -> dict[str, ComputedFigure]:
    law = laws[level]
    figures, even = {}, _break_even(question, laws, level)
    if law.cap is None or even <= law.cap:
        figures["break_even_meter"] = ComputedFigure(even, DOLLARS)
    if law.long_run_mean is not None:
        figures["mean_jackpot"] = ComputedFigure(law.long_run_mean, DOLLARS)
    if law.cap is None and not law.fixed:
        figures["jackpot_deviation"] = ComputedFigure(root(law.variance), DOLLARS, "rounded", ERROR)
        figures["shortfall_risk"] = ComputedFigure(law.shortfall_risk(), "of all hits", "rounded", ERROR)
        figures["mean_shortfall"] = ComputedFigure(law.mean_shortfall(), DOLLARS, "rounded", ERROR)
    elif question.sampled and settles(law):
        drawn = sample(law)
        figures.setdefault("mean_jackpot", _drawn(drawn.mean(), DOLLARS))
        figures["jackpot_deviation"] = _drawn(drawn.deviation(), DOLLARS)
        figures["shortfall_risk"] = _drawn(drawn.reserve_below(float(law.seed)), "of all hits")
        figures["mean_shortfall"] = _drawn(drawn.shortfall(float(law.seed)), DOLLARS)
    if law.fixed and question.sampled:
        figures["dry_risk"] = _drawn(dry_risk(law), "of all hits")
    if law.cap is not None and law.pays_only_whole:
        stranded = max(law.mean - law.cap, Fraction(0))
        figures["stranded_per_hit"] = ComputedFigure(stranded, DOLLARS)
    return figures | _above(question, law, level) | _quantiles(question, law)


def _above(question: Question, law: MeterLaw, level: str) -> dict[str, ComputedFigure]:
    """Compute how often a hit pays more than the amount that the question names."""
    if level not in question.above:
        return {}
    amount, unit = question.above[level], "of all hits"
    if law.is_plain:
        how: How = "numeric" if law.growth and law.reserved else "rounded"
        error = ERROR if how == "rounded" else Fraction(1, 10**9)
        return {"jackpot_above": ComputedFigure(law.above(amount), unit, how, error)}
    if question.sampled and settles(law):
        return {"jackpot_above": _drawn(sample(law).above(float(amount)), unit)}
    return {}


def _drawn(drawn: Sampled, unit: str) -> ComputedFigure:
    return ComputedFigure(Fraction(drawn.value), unit, "sampled", Fraction(drawn.within))


def _quantiles(question: Question, law: MeterLaw) -> dict[str, ComputedFigure]:
    figures = {}
    for chance in QUANTILES:
        name = f"jackpot_{int(chance * 100)}"
        if law.is_plain:
            figures[name] = ComputedFigure(law.quantile(chance), DOLLARS)
        elif question.sampled and settles(law):
            figures[name] = _drawn(sample(law).quantile(float(chance)), DOLLARS)
    return figures


def _break_even(question: Question, laws: Mapping[str, MeterLaw], level: str) -> Fraction:
    """Compute the meter at which a wager breaks even, with the other meters at their means."""
    back = question.returns
    others = sum(
        (law.mean * _per_dollar(question, name) for name, law in laws.items() if name != level), Fraction(0)
    )
    return (1 - back.fixed - back.envy - others) / _per_dollar(question, level)


def _wait(question: Question, law: MeterLaw) -> dict[str, ComputedFigure]:
    """Compute the time to a hit; where a share is divided, a round is one trial."""
    floor, wagers_each = question.floor, _bettors(question)
    per_hour = floor.rounds if divides(question.paytable) else floor.rounds * floor.bettors
    back_to_back = law.hit_within(int(question.within // wagers_each))
    return {
        "wagers_to_hit": ComputedFigure(wagers_each / law.whole, "wagers"),
        "hours_to_hit": ComputedFigure(1 / law.whole / per_hour, "hours"),
        "hours_to_hit_50": ComputedFigure(law.trials_until(Fraction(1, 2)) / per_hour, "hours"),
        "hours_to_hit_90": ComputedFigure(law.trials_until(Fraction(9, 10)) / per_hour, "hours"),
        "hits_a_year": ComputedFigure(law.whole * per_hour * HOURS_A_YEAR, "hits"),
        "back_to_back": ComputedFigure(back_to_back, "of all hits", "rounded", ERROR),
    }


def _losing(bet: Mapping[str, ComputedFigure]) -> tuple[str, ...]:
    edge = bet.get("house_edge") or bet.get("hold")
    if edge is None or edge.value >= 0:
        return ()
    return (
        f"The house loses {decimal(-edge.value * 100, 4)}% in the long run. Lower a pay, a rate or a seed.",
    )


def _cap_notes(question: Question, laws: Mapping[str, MeterLaw]) -> list[str]:
    notes = []
    for level, law in laws.items():
        if law.cap is not None and law.pays_only_whole and law.mean >= law.cap:
            notes.append(
                f"{level}: a hit pays at most {in_unit(law.cap, 'dollars')}, but on average "
                f"{in_unit(law.mean, 'dollars')} comes in per hit, so the reserve grows without limit. "
                "Raise the cap or lower the rates."
            )
    for level, law in laws.items():
        even = _break_even(question, laws, level)
        if law.cap is not None and even > law.cap:
            amount = in_unit(even, "dollars")
            notes.append(f"{level}: a wager would break even at {amount}, which is above the cap.")
    return notes


def _notes(question: Question, laws: Mapping[str, MeterLaw]) -> tuple[str, ...]:
    notes = []
    for level in question.terms:
        if level not in laws:
            notes.append(
                f"{level} is never paid in full, so it has no long-run figures. Pay 100% of it on some row."
            )
    notes += _cap_notes(question, laws)
    if any(not law.is_plain for law in laws.values()) and not question.sampled:
        notes.append("Partial shares or a cap have no closed form. Turn on sampled figures to see the rest.")
    for level, law in laws.items():
        if not law.is_plain and question.sampled and not settles(law):
            notes.append(
                f"{level}: the average hit is so near the cap that the reserve never settles; figures about "
                "it are omitted. Raise the cap or lower the rates."
            )
        if law.fixed and not question.sampled:
            notes.append(f"{level}: the hold assumes that fixed pays never empty the meter.")
    if divides(question.paytable):
        notes.append("A share is divided among the bettors of a round, so a round is one trial.")
    return tuple(notes)
