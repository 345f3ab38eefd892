"""The exact odds of a jackpot at one table, with that table's decks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from urllib.parse import parse_qsl

from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS
from feltwork.odds.figures.figure import decimal
from feltwork.odds.pricing import Price
from feltwork.odds.returns import Offer, Return, TableSetting, Terms, crowds, offer, returns
from feltwork.odds.sheet import BOTH
from feltwork.odds.title_odds import odds_of
from feltwork.odds.verify import verdicts_on
from feltwork.problem import ProblemsError
from feltwork.site.compliance.approvals_register import JACKPOTS
from feltwork.site.compliance.floor import FloorLink, FloorTable, Meter
from feltwork.titles.paytables.paytable import Paytable, Share


@dataclass(frozen=True, slots=True)
class Uncounted:
    """The reason why there are no exact odds."""

    why: str


def offer_at(
    link: FloorLink, table: FloorTable, terms: Mapping[str, Terms] | None = None
) -> Offer | Uncounted:
    """Return the link's offer at one of its tables, on its own terms or on others."""
    bet = odds_of(link.jackpot.name).bets.get("jackpot")
    approval = JACKPOTS.get(link.jackpot.name)
    if bet is None:
        return Uncounted(f"{link.jackpot.name} has no counts")
    if approval is not None and link.variant in approval.uncounted:
        return Uncounted(f"with {link.variant} the odds depend on which cards players draw")
    try:
        return offer(
            link.paytable,
            counting={name: str(table.options[name]) for name in bet.options if name in table.options},
            options=link.options,
            wager=Fraction(link.wager, DOLLAR),
            terms=terms or {meter.level: _terms(link, meter) for meter in link.meters},
            at=TableSetting(table.game, link.variant, table.options),
        )
    except ProblemsError as error:
        return Uncounted(f"{error.problems[0].what} ({error.problems[0].remedy})")


def _terms(link: FloorLink, meter: Meter) -> Terms:
    return Terms(
        seed=Fraction(meter.seed, DOLLAR),
        contribution=Fraction(meter.contribution, WHOLE_BASIS_POINTS),
        reserve=Fraction(meter.reserve, WHOLE_BASIS_POINTS),
        posted=Fraction(meter.amount, DOLLAR) if link.is_house else None,
    )


@dataclass(frozen=True, slots=True)
class StatedReturn:
    """The return to a bettor on a side, at a table with a number of others."""

    side: str
    crowd: str
    returns: Return


def stated_returns(link: FloorLink, table: FloorTable) -> tuple[StatedReturn, ...] | Uncounted:
    """State the return to one bettor for each side of the bet, alone and with other bettors.

    A bet on both sides is a figure of the table: nobody can make it with one wager.
    """
    offered = offer_at(link, table)
    if isinstance(offered, Uncounted):
        return offered
    try:
        return tuple(
            StatedReturn(side, words, returns(offered, crowd, side=side))
            for side in offered.prices
            for words, crowd in crowds(table.seats).items()
        )
    except ProblemsError as error:
        return Uncounted(f"{error.problems[0].what} ({error.problems[0].remedy})")


def disputed(paytable: Paytable, *names: str) -> Iterator[str]:
    """Say which of these printed figures ours contradict, with both: a ``hold`` or ``top_odds``."""
    for result in verdicts_on(paytable):
        name, _, query = result.printed.id.split("/")[-1].partition("?")
        if name not in names or result.ours is None or result.word not in ("disputed", "contradicts itself"):
            continue
        side = dict(parse_qsl(query)).get("side", BOTH)
        told = {"hold": "a house advantage of ", "top_odds": "odds of one in "}[name] + result.printed.text
        told += "" if side == BOTH else f" on the {side} side"
        ours, cites = result.printed.written(result.ours.value), result.printed.cites
        fits = f"its rules, at the terms that fit best, give {ours}"
        yield f"The letter prints {told}; {fits}: disputed [{cites}]."


def meter_prizes(price: Price) -> dict[str, Fraction]:
    """Return the probability of every hand that a meter pays."""
    return {
        row.hand: price.probability(place)
        for place, row in enumerate(price.paytable.rows)
        if isinstance(row.pays, Share)
    }


def percent(value: Fraction) -> str:
    """Format a part of a wager: ``24.7768%``."""
    return f"{decimal(value * 100, 6)}%"


def exactly(value: Fraction) -> str:
    """Format a part of a wager with its exact fraction: ``24.7768% (p/q)``."""
    return f"{decimal(value * 100, 6)}% ({value.numerator}/{value.denominator})"


def one_in(probability: Fraction) -> str:
    """Format odds as ``one in N``."""
    odds = Fraction(probability.denominator, probability.numerator)
    return f"one in {odds.numerator:,}" if odds.denominator == 1 else f"one in {decimal(odds, 9)}"
