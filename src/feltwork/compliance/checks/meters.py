"""Checks of meters: caps, and what the makers advise about seed, contribution and reserve."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from feltwork import money
from feltwork.compliance.approvals_register import JACKPOTS, PAYTABLES, Preset
from feltwork.compliance.finding import Finding, FloorCase
from feltwork.compliance.floor import FloorLink, Meter
from feltwork.compliance.link_odds import Uncounted, bettor_prices, edge_of, exactly, preset_edge
from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS, Micros
from feltwork.odds.pricing import Price
from feltwork.paytables.paytable import Odds
from feltwork.progressive.link import NO_CAP
from feltwork.titles import registry

#: Below this a meter that pays every prize may run dry, say the makers [LT-14].
ALL_FROM_METER = 7_000


def check_meters(case: FloorCase) -> Iterator[Finding]:
    """Check every meter of every link, and the link's total rates."""
    for link in case.floor.links:
        for meter in () if link.is_house else link.meters:
            yield from _cap(case, meter)
            yield from _seed(case, link, meter)
        yield from _order(case, link)
        yield from _rates(case, link)


def _cap(case: FloorCase, meter: Meter) -> Iterator[Finding]:
    """A cap is not below what the meter shows; elsewhere it is above it [WA-09, GEN-15]."""
    ruling = case.rulings["cap"]
    if meter.cap == NO_CAP or meter.now is None:
        return
    strict = ruling.value == "above"
    if meter.cap < meter.now or (strict and meter.cap == meter.now):
        needed = "above" if strict else "at or above"
        what = f"the cap {money.text(meter.cap)} of {meter.level} is not {needed} its {money.text(meter.now)}"
        yield case.refused((*meter.place, "cap"), ruling.requirement, what, "raise the cap or leave it out")


def largest_fixed(link: FloorLink) -> Micros:
    """The largest prize that is not a share of a meter, at the link's wager."""
    pays = [row.pays.pay(link.wager) for row in link.paytable.rows if isinstance(row.pays, Odds)]
    return max(pays, default=0)


def _seed(case: FloorCase, link: FloorLink, meter: Meter) -> Iterator[Finding]:
    """A real seed, below neither the largest fixed prize nor the preset [LT-14]."""
    place = (*meter.place, "seed")
    largest, preset = largest_fixed(link), _preset(link)
    usual = preset.seeds[meter.level] * link.wager // DOLLAR if preset else 0
    if not meter.seed and meter.reserve:
        what = (
            f"{meter.level} of {link.id} starts again with its reserve alone: two wins in a row restart at 0"
            f"{_advice(link, 'reserve.keep-seed')}"
        )
        yield case.warning(place, "LT-14", what, "give it a seed besides")
    elif not meter.seed:
        what = (
            f"{meter.level} of {link.id} has no seed: it starts again at nothing{_advice(link, 'seed.zero')}"
        )
        yield case.warning(place, "LT-14", what, "give it a seed")
    elif meter.seed < largest:
        what = (
            f"the seed {money.text(meter.seed)} of {meter.level} is below the largest fixed prize, "
            f"{money.text(largest)}{_advice(link, 'seed.minimum')}"
        )
        yield case.warning(place, "LT-14", what, "raise the seed to that at least")
    elif meter.seed < usual:
        what = (
            f"the seed {money.text(meter.seed)} of {meter.level} is below the preset, {money.text(usual)}"
            f"{_advice(link, 'seed.preset')}"
        )
        yield case.warning(place, "LT-14", what, "use the preset seed")


def _order(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """The rarer hand should not start lower than the commoner one [GL-06]."""
    by_level = [meter for level in link.paytable.levels if (meter := link.meter(level))]
    for higher, lower in pairwise(by_level):
        if lower.seed + lower.amount > higher.seed + higher.amount:
            what = f"{lower.level} of {link.id} starts at more than {higher.level}, whose hand is rarer"
            key = "amount" if link.is_house else "seed"
            yield case.warning((*lower.place, key), "GL-06", what, f"order the {key}s by level")


def _rates(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """The exact house edge after contributions [LT-14]."""
    contribution = sum(meter.contribution for meter in link.meters)
    rate = contribution + sum(meter.reserve for meter in link.meters)
    price = _price(case, link)
    if rate > WHOLE_BASIS_POINTS or not link.wager:
        return
    from_meter = link.options.get("fixed_pays_from") == "meter"
    place = link.meters[0].place if link.meters else link.place
    if not link.is_house and not any(meter.reserve for meter in link.meters):
        what = (
            f"{link.id} has no reserve: it starts again at its seed alone{_advice(link, 'reserve.portion')}"
        )
        yield case.warning(place, "LT-14", what, "let a small part of each wager go to a reserve")
    if from_meter and contribution < ALL_FROM_METER:
        what = (
            f"all pays come off the meters of {link.id}, which grow by {money.rate_text(contribution)} only"
            f"{_advice(link, 'contribution.all-from-meter.growth')}"
        )
        if isinstance(price, Price):
            what += f"; fixed pays alone take {exactly(price.fixed_return)} of each wager"
        yield case.warning(place, "LT-14", what, "let 70% or more go to the meters, or pay from the tray")
    if not isinstance(price, Price):
        return
    edge = edge_of(price, link)
    yield from _above_preset(case, link, price, contribution, edge)
    others = max((table.seats for table in case.floor.tables_of(link)), default=1) - 1
    least = edge - others * price.envy_per_bettor
    envy = f", and {exactly(least)} with envy at a full table" if least != edge else ""
    if least < 0:
        what = (
            f"the house loses on {link.id} in the long run: it keeps {exactly(edge)} of each wager{envy}"
            f"{_advice(link, 'contribution.percentage-only')}"
        )
        yield case.warning(
            place,
            "LT-14",
            what,
            "lower the posted amounts" if link.is_house else "lower the contribution or the seeds",
        )
    else:
        what = f"the house keeps {exactly(edge)} of each wager on {link.id}{envy}"
        yield case.note(place, "GEN-26", what, "post the return to players where the rules ask for it")


def _price(case: FloorCase, link: FloorLink) -> Price | Uncounted:
    tables = case.floor.tables_of(link)
    fitting = [table for table in tables if registry.fits(link.jackpot, link.variant, table.game)]
    if not fitting:
        return Uncounted("no table fits")
    prices = bettor_prices(link, fitting[0]).values()
    counted = [price for price in prices if isinstance(price, Price)]
    # Of two sides, the one on which the house keeps less.
    return min(counted, key=lambda price: edge_of(price, link)) if counted else next(iter(prices))


def _preset(link: FloorLink) -> Preset | None:
    approval = PAYTABLES.get(link.paytable.name)
    return approval.preset if approval else None


def _advice(link: FloorLink, paragraph: str) -> str:
    """The citation of the makers' advice in the letter of a jackpot; none for a title of another package."""
    approval = JACKPOTS.get(link.jackpot.name)
    return f" [{approval.advice}.{paragraph}]" if approval else ""


def _above_preset(
    case: FloorCase, link: FloorLink, price: Price, contribution: int, edge: Fraction
) -> Iterator[Finding]:
    preset = _preset(link)
    from_meter = link.options.get("fixed_pays_from") == "meter"
    if preset is None or from_meter or contribution <= preset.contribution:
        return
    before = preset_edge(price, rate=preset.contribution, seeds=preset.seeds)
    what = (
        f"{link.id} contributes {money.rate_text(contribution)}, above the preset "
        f"{money.rate_text(preset.contribution)} [{preset.cites}]: the house edge is {exactly(edge)} "
        f"instead of {exactly(before)}"
    )
    yield case.warning(
        (*link.meters[0].place, "contribution"), "LT-14", what, "lower it to the preset or less"
    )
