"""A long run of the simulated floor is the witness of what-if: jackpot, wait and reserve come out as told."""

from dataclasses import replace

import pytest

from feltwork.money import DOLLAR
from feltwork.odds.what_if.draft import edited
from feltwork.odds.what_if.what_if import what_if
from feltwork.simulation.floors import room
from feltwork.simulation.simulated_table import SimulatedTable
from feltwork.site.compliance.floor import Floor
from tests.simulation.long_run import LongRun, question_of

LINK = "five-card"


def drafted() -> Floor:
    """6-5-4 and Caribbean Stud, where three of a kind takes a minor of 4 dollars that keeps 10% back."""
    floor = room()
    (link,) = (link for link in floor.links if link.id == LINK)
    draft = edited(link.paytable, {"three_of_a_kind": "100% of minor"})
    meters = tuple(
        replace(meter, seed=4 * DOLLAR, reserve=1_000) if meter.level == "minor" else meter
        for meter in link.meters
    )
    shorter = replace(link, paytable=draft, meters=meters, tables=("S1", "CS1"))
    return replace(floor, links=tuple(shorter if link.id == LINK else link for link in floor.links))


@pytest.fixture(scope="module")
def run() -> LongRun:
    played = LongRun(drafted(), LINK, seed=2026)
    played.play(3_000)
    return played


def test_what_if_agrees_with_a_long_run_of_the_floor(run: LongRun) -> None:
    """Mean jackpot, time to hit, seed shortfall: each within 99.9% of hundreds of jackpots."""
    compared = {figure.name: figure for figure in run.compared("minor")}
    assert set(compared) == {
        "mean_jackpot",
        "wagers_to_hit",
        "hours_to_hit",
        "shortfall_risk",
        "mean_shortfall",
    }
    assert len(run.taken["minor"]) > 400
    for comparison in compared.values():
        assert comparison.agrees, comparison
        assert comparison.seen.within < 0.3 * comparison.seen.value, comparison
    assert 0.4 < compared["shortfall_risk"].seen.value < 0.7


def test_the_interval_is_narrow_enough_to_tell_other_terms_apart(run: LongRun) -> None:
    """Half of the seed, or twice the reserve: what-if says something else, and the run denies it."""
    samples = run.seen("minor")
    minor = run.link.level("minor")
    for other in (replace(minor, seed=2 * DOLLAR), replace(minor, reserve=2_000)):
        levels = tuple(other if level is minor else level for level in run.link.levels)
        answers = what_if(question_of(replace(run.link, levels=levels), run.tables)).meters["minor"]
        off = abs(float(answers["shortfall_risk"].value) - samples["shortfall_risk"].value)
        assert off > samples["shortfall_risk"].within


def test_every_cent_of_a_long_run_is_accounted_for(run: LongRun) -> None:
    """All balances come to nothing, and a meter holds what went in and was not won."""
    assert sum(run.state.balances.values()) == 0
    counter, level = run.state.counters["minor"], run.link.level("minor")
    went_in = counter.accrued + counter.reserved - counter.returned
    seeds = level.seed * (counter.hits + 1)
    assert counter.hits == len(run.taken["minor"])
    assert run.state.meter("minor") + run.state.reserve("minor") == went_in + seeds - counter.won


def test_a_long_run_deals_what_the_floor_deals() -> None:
    """Round by round the wagers of the same tables with the same seed, those of misdeals given back."""
    floor = drafted()
    played = LongRun(floor, LINK, seed=5)
    played.play(600)
    dealt = [
        deal
        for table in played.tables
        for simulated in [SimulatedTable(floor, table, seed=5)]
        for deal in (simulated.next() for _ in range(600))
    ]
    deals = [deal for deal in dealt if not deal.misdealt]
    assert len(deals) < len(dealt)
    assert played.rounds == len(deals)
    assert played.wagers == sum(len(deal.covered("five_card")) for deal in deals)
