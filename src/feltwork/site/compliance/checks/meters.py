"""Checks of meters: caps, and the makers' advice on seed, contribution and reserve."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from feltwork import money
from feltwork.money import DOLLAR, WHOLE_BASIS_POINTS, Micros
from feltwork.odds.returns import Terms, returns
from feltwork.site.compliance.approvals_register import JACKPOTS, PAYTABLES, Preset
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.site.compliance.floor import FloorLink, FloorTable, Meter
from feltwork.site.compliance.link_odds import (
    StatedReturn,
    Uncounted,
    disputed,
    exactly,
    offer_at,
    stated_returns,
)
from feltwork.site.progressive.link import NO_CAP
from feltwork.titles import registry
from feltwork.titles.paytables.paytable import Odds

#: The contribution below which a meter that pays every prize may run dry, per the makers [LT-14].
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
    """Refuse a cap below the meter's amount; some jurisdictions require it to be above [WA-09, GEN-15]."""
    ruling = case.rulings["cap"]
    if meter.cap == NO_CAP or meter.now is None:
        return
    strict = ruling.value == "above"
    if meter.cap < meter.now or (strict and meter.cap == meter.now):
        needed = "above" if strict else "at or above"
        cap, now = money.dollars(meter.cap), money.dollars(meter.now)
        what = f"the cap {cap} of {meter.level} is not {needed} its {now}"
        yield case.refused((*meter.place, "cap"), ruling.requirement, what, "raise the cap or leave it out")


def largest_fixed(link: FloorLink) -> Micros:
    """Return the largest prize that is not a share of a meter, at the link's wager."""
    pays = [row.pays.pay(link.wager) for row in link.paytable.rows if isinstance(row.pays, Odds)]
    return max(pays, default=0)


def _seed(case: FloorCase, link: FloorLink, meter: Meter) -> Iterator[Finding]:
    """Warn about a missing seed, or one below the largest fixed prize or the preset [LT-14]."""
    place = (*meter.place, "seed")
    largest, preset = largest_fixed(link), _preset(link)
    usual = preset.seeds[meter.level] * link.wager // DOLLAR if preset else 0
    if not meter.seed and meter.reserve:
        what = (
            f"{meter.level} of {link.id} starts again with its reserve alone: two wins in a row restart at 0"
            f"{_advice(link, 'seed.zero')}{_advice(link, 'reserve.keep-seed')}"
        )
        yield case.advice(link, place, what, "give it a seed as well")
    elif not meter.seed:
        what = f"{meter.level} of {link.id} has no seed: it restarts at zero{_advice(link, 'seed.zero')}"
        yield case.advice(link, place, what, "give it a seed")
    elif meter.seed < largest:
        what = (
            f"the seed {money.dollars(meter.seed)} of {meter.level} is below the largest fixed prize, "
            f"{money.dollars(largest)}{_advice(link, 'seed.minimum')}"
        )
        yield case.advice(link, place, what, "raise the seed to at least that amount")
    elif meter.seed < usual:
        what = (
            f"the seed {money.dollars(meter.seed)} of {meter.level} is below the preset, "
            f"{money.dollars(usual)}{_advice(link, 'seed.preset')}"
        )
        yield case.advice(link, place, what, "use the preset seed")


def _order(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Warn if a rarer hand starts lower than a more common one [GL-06]."""
    by_level = [meter for level in link.paytable.levels if (meter := link.meter(level))]
    for higher, lower in pairwise(by_level):
        if lower.seed + lower.amount > higher.seed + higher.amount:
            what = f"{lower.level} of {link.id} starts at more than {higher.level}, whose hand is rarer"
            key = "amount" if link.is_house else "seed"
            yield case.warning((*lower.place, key), "GL-06", what, f"order the {key}s by level")


def _rates(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Check contribution and reserve rates, and state the exact house edge after them [LT-14]."""
    contribution = sum(meter.contribution for meter in link.meters)
    rate = contribution + sum(meter.reserve for meter in link.meters)
    if rate > WHOLE_BASIS_POINTS or not link.wager:
        return
    from_meter = link.options.get("fixed_pays_from") == "meter"
    place = link.meters[0].place if link.meters else link.place
    if not link.is_house and not any(meter.reserve for meter in link.meters):
        what = (
            f"{link.id} has no reserve: it starts again at its seed alone{_advice(link, 'reserve.portion')}"
        )
        yield case.advice(link, place, what, "let a small part of each wager go to a reserve")
    elif (reserve := rate - contribution) > contribution:
        grow = f"its meters grow by {money.rate_text(contribution)} only{_advice(link, 'reserve.portion')}"
        what = f"the reserve of {link.id} takes {money.rate_text(reserve)} of each wager, and {grow}"
        yield case.advice(link, place, what, "let a small part of each wager go to the reserve")
    table = _table(case, link)
    stated = stated_returns(link, table) if table else Uncounted("no table fits")
    if from_meter and contribution < ALL_FROM_METER:
        what = (
            f"all pays come off the meters of {link.id}, which grow by {money.rate_text(contribution)} only"
            f"{_advice(link, 'contribution.all-from-meter.growth')}"
        )
        if not isinstance(stated, Uncounted):
            most = max(stated_return.returns.fixed for stated_return in stated)
            what += f"; fixed pays alone take {exactly(most)} of each wager"
        yield case.advice(link, place, what, "let 70% or more go to the meters, or pay from the tray")
    if table is None or isinstance(stated, Uncounted):
        return
    # Of two sides, the one on which the house keeps less.
    alone = min(
        (stated_return for stated_return in stated if stated_return.crowd == stated[0].crowd),
        key=lambda stated_return: stated_return.returns.kept,
    )
    yield from _above_preset(case, link, table, alone)
    full = [stated_return for stated_return in stated if stated_return.side == alone.side][-1]
    on_side = f", on the {alone.side} side" if alone.side else ""
    share = f"{exactly(alone.returns.kept)} of each wager on {link.id}{on_side}"
    if full.returns.kept != alone.returns.kept:
        share += f", and {exactly(full.returns.kept)} {full.crowd}"
    if min(stated_return.returns.kept for stated_return in stated) < 0:
        what = (
            f"the house loses on {link.id} in the long run: it keeps {share}"
            f"{_advice(link, 'contribution.percentage-only')}"
        )
        remedy = "lower the posted amounts" if link.is_house else "lower the contribution or the seeds"
        yield case.advice(link, place, what, remedy)
    else:
        what = "; ".join((f"the house keeps {share}", *disputed(link.paytable, "hold")))
        yield case.note(place, "GEN-26", what, "post the return to players where the rules ask for it")


def _table(case: FloorCase, link: FloorLink) -> FloorTable | None:
    """Return the table for which a link's return is stated; different games have the same chances."""
    tables = case.floor.tables_of(link)
    return next((table for table in tables if registry.fits(link.jackpot, link.variant, table.game)), None)


def _preset(link: FloorLink) -> Preset | None:
    approval = PAYTABLES.get(link.paytable.name)
    return approval.preset if approval else None


def _advice(link: FloorLink, paragraph: str) -> str:
    """Return the citation of the makers' advice in a jackpot's letter; empty for third-party titles."""
    approval = JACKPOTS.get(link.jackpot.name)
    return f" [{approval.advice}.{paragraph}]" if approval else ""


def _above_preset(
    case: FloorCase, link: FloorLink, table: FloorTable, alone: StatedReturn
) -> Iterator[Finding]:
    preset = _preset(link)
    contribution = sum(meter.contribution for meter in link.meters)
    from_meter = link.options.get("fixed_pays_from") == "meter"
    if preset is None or from_meter or contribution <= preset.contribution:
        return
    # The preset is for a wager of one dollar.
    scale = Fraction(link.wager, DOLLAR * DOLLAR)
    rate = Fraction(preset.contribution, WHOLE_BASIS_POINTS)
    terms = {level: Terms(seed=seed * scale) for level, seed in preset.seeds.items()}
    terms[link.paytable.levels[0]] = replace(terms[link.paytable.levels[0]], contribution=rate)
    usual = offer_at(link, table, terms)
    assert not isinstance(usual, Uncounted), "the link itself is counted"
    before, edge = (side_return.kept for side_return in (returns(usual, side=alone.side), alone.returns))
    what = (
        f"{link.id} contributes {money.rate_text(contribution)}, above the preset "
        f"{money.rate_text(preset.contribution)} [{preset.cites}]: the house edge is {exactly(edge)} "
        f"instead of {exactly(before)}"
    )
    yield case.advice(link, (*link.meters[0].place, "contribution"), what, "lower it to the preset or less")
