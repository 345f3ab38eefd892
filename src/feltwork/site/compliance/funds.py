"""Funds that prizes require: odds-based ones at the highest wager, fixed jackpot prizes at a full table."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from feltwork import money
from feltwork.money import Micros
from feltwork.site.compliance.finding import Finding, FloorCase
from feltwork.site.compliance.floor import Floor, FloorLink, FloorTable
from feltwork.site.compliance.jurisdiction import Rulings
from feltwork.titles.bet_limits import BetLimits, paid_on
from feltwork.titles.paytables.paytable import Odds, Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Prize:
    """A prize that can be won at one table, and its maximum cost."""

    table: str
    bet: str
    hand: str
    amount: Micros


def odds_prizes(floor: Floor) -> tuple[Prize, ...]:
    """Return every odds-based prize at the highest wager, within table limits, largest first [WA-19]."""
    prizes = [prize for table in floor.tables for prize in _odds_prizes(table)]
    return tuple(sorted(prizes, key=lambda prize: -prize.amount))


def covered_funds(prizes: Sequence[Prize], rulings: Rulings) -> Micros:
    """The required bank balance or credit line: the second-highest large prize [WA-19]."""
    bound = rulings["odds_prize_funds"].amount
    if bound is None:
        return 0
    large = sorted({(prize.bet, prize.hand, prize.amount) for prize in prizes if prize.amount > bound})
    amounts = sorted((amount for _, _, amount in large), reverse=True)
    return amounts[1] if len(amounts) > 1 else 0


def fixed_prizes(floor: Floor, link: FloorLink) -> tuple[Prize, ...]:
    """The cost of each fixed row at each table, including envy [WA-34, LT-13]."""
    prizes = [
        Prize(
            table=table.id,
            bet=link.id,
            hand=row.hand,
            amount=_fixed(row, link.wager) + (table.seats - 1) * row.envy_for(link.wager),
        )
        for table in floor.tables_of(link)
        for row in link.paytable.rows
        if isinstance(row.pays, Odds) or row.envy
    ]
    return tuple(sorted(prizes, key=lambda prize: -prize.amount))


def _odds_prizes(table: FloorTable) -> Iterator[Prize]:
    """Yield the prizes of bets with a paytable: side bets on offer, and bets of the game."""
    limits = [bound for bound in (table.table_aggregate, table.player_aggregate) if bound is not None]
    for bet, hand, pays, wager in _odds_rows(table):
        yield Prize(table=table.id, bet=bet, hand=hand, amount=min([pays.pay(wager.maximum), *limits]))


def top_award_at_lowest(table: FloorTable) -> Micros:
    """Return the largest odds-based prize with every bet at its minimum."""
    return max((pays.pay(wager.minimum or 0) for _, _, pays, wager in _odds_rows(table)), default=0)


def _odds_rows(table: FloorTable) -> Iterator[tuple[str, str, Odds, BetLimits]]:
    """Yield bet, hand and odds of every row, with the limits of the wager that it is paid on."""
    offered = {limits.bet: limits for limits in table.bets}
    for bet, paytable in table.paytables.items():
        wager = offered.get(paid_on(table.game, bet))
        for row in paytable.rows:
            if wager and isinstance(row.pays, Odds):
                yield bet, row.hand, row.pays, wager


def _fixed(row: Row, wager: Micros) -> Micros:
    return row.pays.pay(wager) if isinstance(row.pays, Odds) else 0


def check_funds(case: FloorCase) -> Iterator[Finding]:
    """Note the funds that prizes require; they never refuse a floor."""
    yield from _odds_based(case)
    for link in case.floor.links:
        yield from _fixed_at(case, link)


def _odds_based(case: FloorCase) -> Iterator[Finding]:
    """The second-highest of the large prizes must be covered [WA-19]."""
    prizes = odds_prizes(case.floor)
    funds = covered_funds(prizes, case.rulings)
    if not funds:
        return
    second = next(prize for prize in prizes if prize.amount == funds)
    ruling = case.rulings["odds_prize_funds"]
    what = (
        f"the second-highest prize above {money.dollars(ruling.amount or 0)} is {money.dollars(funds)}: "
        f"{_words(second.hand)} of {_words(second.bet)} at {second.table}"
    )
    place = case.floor.table_by_id[second.table].place
    yield case.note(place, ruling.requirement, what, "keep it in the bank, or on a credit line")


def _fixed_at(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
    """Note the maximum that one hand takes from the tray [WA-34]."""
    for prize in fixed_prizes(case.floor, link)[:1]:
        besides = "posted prize" if link.is_house else "meter"
        what = (
            f"{_words(prize.hand)} on {link.id} may cost {money.dollars(prize.amount)} besides the "
            f"{besides}, envy at a full table included"
        )
        yield case.note(link.place, "WA-34", what, f"keep at least that much available at {prize.table}")


def _words(name: str) -> str:
    return name.replace("_", " ")
