"""The exact odds of a jackpot at one table, with that table's decks."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from feltwork.compliance.approvals_register import JACKPOTS
from feltwork.compliance.floor import FloorLink, FloorTable
from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS, Micros
from feltwork.odds.bets import BETS, reprice
from feltwork.odds.figures.figure import decimal
from feltwork.odds.meters import long_run
from feltwork.odds.pricing import Price
from feltwork.paytables.paytable import Share
from feltwork.problem import ProblemsError


@dataclass(frozen=True, slots=True)
class Uncounted:
    """Why there are no exact odds."""

    why: str


def price_at(link: FloorLink, table: FloorTable, *, side: str = "") -> Price | Uncounted:
    """The price of the link's paytable at one of its tables; with a side, to a bettor on that side."""
    bet = BETS.get((link.jackpot.name, "jackpot"))
    approval = JACKPOTS.get(link.jackpot.name)
    if bet is None:
        return Uncounted(f"{link.jackpot.name} has no counts")
    if approval is not None and link.variant in approval.uncounted:
        return Uncounted(f"with {link.variant} the odds depend on which cards players draw")
    options = {name: str(table.options[name]) for name in bet.options if name in table.options}
    options |= {"side": side} if side else {}
    try:
        return reprice(link.paytable, options)
    except ProblemsError as error:
        return Uncounted(f"{error.problems[0].what} ({error.problems[0].remedy})")


def bettor_prices(link: FloorLink, table: FloorTable) -> dict[str, Price | Uncounted]:
    """The price to one bettor, by the side of the bet; the empty side where the jackpot has none.

    The counts of both sides together are a figure of the table: nobody can bet on both with one wager.
    """
    bet = BETS.get((link.jackpot.name, "jackpot"))
    sides = [side for side in bet.options.get("side", ()) if side != "either"] if bet else []
    return {side: price_at(link, table, side=side) for side in sides or [""]}


def meter_prizes(price: Price) -> dict[str, Fraction]:
    """The probability of every hand that a meter pays."""
    return {
        row.hand: price.probability(place)
        for place, row in enumerate(price.paytable.rows)
        if isinstance(row.pays, Share)
    }


def house_edge(
    price: Price, *, rate: int, seeds: Mapping[str, Micros], wager: Micros, fixed_from_meter: bool
) -> Fraction:
    """The house edge of a wager, without envy.

    ``rate`` is the total share of meters and reserves. Fixed pays from the meter cost the house nothing.
    """
    held = long_run.hold(
        price,
        contribution=Fraction(rate, WHOLE_BASIS_POINTS),
        seeds={level: Fraction(seed, wager) for level, seed in seeds.items()},
    )
    return held + price.fixed_return if fixed_from_meter else held


def posted_edge(price: Price, link: FloorLink) -> Fraction:
    """The house edge of a house jackpot, whose prizes the operator pays."""
    amounts = {meter.level: Fraction(meter.amount, link.wager) for meter in link.meters}
    paid = sum(
        (
            price.probability(place)
            * Fraction(row.pays.basis_points, WHOLE_BASIS_POINTS)
            * amounts[row.pays.level]
            for place, row in enumerate(price.paytable.rows)
            if isinstance(row.pays, Share)
        ),
        Fraction(0),
    )
    return 1 - price.fixed_return - paid


def edge_of(price: Price, link: FloorLink) -> Fraction:
    """The house edge of a link of either kind, without envy."""
    if link.is_house:
        return posted_edge(price, link)
    return house_edge(
        price,
        rate=sum(meter.contribution + meter.reserve for meter in link.meters),
        seeds={meter.level: meter.seed for meter in link.meters},
        wager=link.wager,
        fixed_from_meter=link.options.get("fixed_pays_from") == "meter",
    )


def preset_edge(price: Price, *, rate: int, seeds: Mapping[str, Micros]) -> Fraction:
    """The house edge with the maker's preset rates, whose seeds are for a dollar wager."""
    return house_edge(price, rate=rate, seeds=seeds, wager=DOLLAR, fixed_from_meter=False)


def exactly(value: Fraction) -> str:
    """A part of a wager, for people and to the last digit: ``24.7768 % (p/q)``."""
    return f"{decimal(value * 100, 6)} % ({value.numerator}/{value.denominator})"


def one_in(probability: Fraction) -> str:
    """Odds in the form ``one in N``."""
    odds = Fraction(probability.denominator, probability.numerator)
    return f"one in {odds.numerator:,}" if odds.denominator == 1 else f"one in {decimal(odds, 9)}"
