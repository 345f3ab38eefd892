"""The funds required to cover prizes."""

from collections.abc import Iterator

from feltwork import money
from feltwork.compliance.finding import Finding, FloorCase
from feltwork.compliance.floor import FloorLink
from feltwork.compliance.funds import covered_funds, fixed_prizes, odds_prizes


def check_funds(case: FloorCase) -> Iterator[Finding]:
    """Note the funds that prizes require; they never refuse a floor."""
    yield from _odds_based(case)
    for link in case.floor.links:
        yield from _fixed(case, link)


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


def _fixed(case: FloorCase, link: FloorLink) -> Iterator[Finding]:
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
