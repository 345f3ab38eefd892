"""A simulated network of two levels: no seed differs or sticks, and every injected bug is found."""

import json
from dataclasses import replace

import pytest
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.progressive.network import aggregator
from feltwork.progressive.network.facts import SiteStopped
from feltwork.simulation.network.scenario import scenario_of
from feltwork.simulation.network.tree import TreeWorld
from feltwork.simulation.network.vopr import run_seed, run_seeds
from tests.simulation.network_mutants import TREE_MUTANTS
from tests.sizes import size

SEEDS = size(12, 300)
#: Every bug must be found by then.
ENOUGH = 60
RUN = CliRunner()


def test_no_seed_of_a_tree_differs_or_sticks() -> None:
    report = run_seeds(range(1, SEEDS + 1), sites=4, minutes=10, aggregators=2)
    assert [(result.seed, result.differences, result.stuck) for result in report.failed] == []
    assert sum(result.awards for result in report.results) > 3 * SEEDS
    assert sum(result.crashes for result in report.results) > 2 * SEEDS


@pytest.mark.parametrize("name", TREE_MUTANTS)
def test_an_injected_bug_of_an_aggregator_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    TREE_MUTANTS[name](monkeypatch)
    for seed in range(1, ENOUGH + 1):
        result = run_seed(seed, sites=4, minutes=10, aggregators=2)
        if result.differences or result.stuck:
            return
    pytest.fail(f"{ENOUGH} seeds have not found: {TREE_MUTANTS[name].__doc__}")


def test_an_aggregator_stops_a_site_whose_sum_contradicts_the_one_booked() -> None:
    world = TreeWorld(scenario_of(1, 2), 1, 1)
    node = world.aggregators["A1"]
    forged = replace(node.books.below.members["S1"].sum, hash="f" * 64)
    step = aggregator.receive_up(node.books, node.memory, forged, world.now)
    (stopped,) = step.facts
    assert isinstance(stopped, SiteStopped)
    assert (stopped.site, stopped.cause) == ("S1", "rolled_back")
    node.commit(step.facts)
    assert aggregator.receive_up(node.books, node.memory, forged, world.now).facts == ()


def test_the_command_plays_a_tree() -> None:
    arguments = ["--seeds", "3", "--sites", "4", "--aggregators", "2", "--minutes", "2", "--json"]
    result = RUN.invoke(application("vopr"), ["vopr", *arguments])
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert (report["differences"], report["stuck"]) == (0, 0)
