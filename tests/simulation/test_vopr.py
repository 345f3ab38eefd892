"""The simulated network: no seed differs or sticks, every injected bug is found, and runs repeat."""

import hashlib
import json

import pytest
from typer.testing import CliRunner

from feltwork.cli.main import application
from feltwork.simulation.network.vopr import run_seed, run_seeds
from tests.simulation.network_mutants import MUTANTS, no_relock
from tests.sizes import size

SEEDS = size(80, 1_000)
#: Every bug must be found by then.
ENOUGH = 200
#: Seed -> the beginning of the ends of the chains, with two sites and five minutes.
RECORDED = {
    1: ["5dbc6bf196a529b3", "9b7bf28716eb89f3", "49356252c6f37ef2"],
    2: ["ebe1b4631d420821", "ac67a8aab285e935", "079d0fbb11c53a8e"],
    5: ["7acadc832466daaa", "c5f1b072162593af", "7fd5aed83307dd69"],
}
#: Every site left while a version was proposed, and the last one had not been ready.
ALL_LEFT = (1031, 1807)
#: With fifty sites, so many awards wait for each other that a minute did not finish them.
BUSY = (25, 28)
RUN = CliRunner()


def test_no_seed_differs_or_sticks() -> None:
    report = run_seeds(range(1, SEEDS + 1), sites=3, minutes=15)
    assert [(result.seed, result.differences, result.stuck) for result in report.failed] == []
    assert sum(result.awards for result in report.results) > 5 * SEEDS
    assert sum(result.crashes for result in report.results) > 2 * SEEDS
    assert sum(result.messages for result in report.results) > 1_000 * SEEDS


@pytest.mark.parametrize("seed", ALL_LEFT)
def test_a_version_does_not_wait_for_sites_that_have_left(seed: int) -> None:
    result = run_seed(seed, sites=3, minutes=15)
    assert (result.differences, result.stuck) == ((), ())


@pytest.mark.parametrize("seed", BUSY)
def test_fifty_sites_that_are_cut_change_versions_and_finish_their_awards(seed: int) -> None:
    result = run_seed(seed, sites=50, minutes=15)
    assert (result.differences, result.stuck) == ((), ())
    assert result.awards > 90


@pytest.mark.parametrize("name", MUTANTS)
def test_an_injected_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    MUTANTS[name](monkeypatch)
    for seed in range(1, ENOUGH + 1):
        result = run_seed(seed, sites=3, minutes=15)
        if result.differences or result.stuck:
            return
    pytest.fail(f"{ENOUGH} seeds have not found: {MUTANTS[name].__doc__}")


def test_a_seed_ends_at_the_same_hashes_everywhere() -> None:
    """Recorded once; every version of Python and every machine must come to the same."""
    for seed, tails in RECORDED.items():
        assert [tail[:16] for tail in run_seed(seed, sites=2, minutes=5).tails] == tails


def test_the_command_prints_its_figures_as_data() -> None:
    result = RUN.invoke(
        application("vopr"), ["vopr", "--seeds", "3..4", "--sites", "2", "--minutes", "2", "--json"]
    )
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert list(report) == [
        "seeds",
        "site_hours",
        "awards",
        "messages",
        "crashes",
        "differences",
        "stuck",
        "digest",
        "site_hours_per_cpu_second",
    ]
    assert (report["seeds"], report["site_hours"], report["differences"], report["stuck"]) == (2, 0.13, 0, 0)
    tails = [" ".join(run_seed(seed, sites=2, minutes=2).tails) for seed in (3, 4)]
    assert report["digest"] == hashlib.sha256("\n".join(tails).encode()).hexdigest()


def test_the_command_prints_the_ends_of_the_chains() -> None:
    result = RUN.invoke(application("vopr"), ["vopr", "--seeds", "1", "--sites", "2", "--minutes", "5"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == f"seed 1 ends at {' '.join(RECORDED[1])}"


def test_a_failed_seed_is_named_so_that_it_can_be_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    no_relock(monkeypatch)
    result = RUN.invoke(application("vopr"), ["vopr", "--seeds", "1..2", "--json"])
    assert result.exit_code == 1
    assert "repeat it: feltwork vopr --seeds 1 --sites 3 --minutes 15" in result.stderr
    assert json.loads(result.stdout)["differences"] > 0


@pytest.mark.parametrize("text", ["x", "5..1", "1..b"])
def test_a_range_that_is_none_is_refused(text: str) -> None:
    result = RUN.invoke(application("vopr"), ["vopr", "--seeds", text])
    assert "is no range of seeds" in str(result.exception)
