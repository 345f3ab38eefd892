"""A network under faults: hub, standby, sites and raw sites are broken, and the books hold what was sent."""

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from feltwork.compliance.floor import link_from_floor
from feltwork.compliance.floor_file import read_floor
from feltwork.simulation.network.cluster import floor_text
from feltwork.simulation.network.comparison import NetworkComparison, compare_network
from feltwork.simulation.network.torture import NetworkTorture
from tests.sizes import size


@dataclass(frozen=True)
class Run:
    """A run that is over: its report, and all that its comparison was made of."""

    torture: NetworkTorture
    told: dict[str, Any]
    bundles: Path

    def compared(self, *, lines: Callable[[list[str]], list[str]] | None = None) -> NetworkComparison:
        """Compare again, with the entries of the hub's bundle changed."""
        floor = read_floor(floor_text("north"), where="floor")
        link, entries = link_from_floor(floor, floor.links[0]), self.bundles / "hub" / "entries.jsonl"
        text = entries.read_text(encoding="utf-8")
        if lines is not None:
            entries.write_text("".join(lines(text.splitlines(keepends=True))), encoding="utf-8")
        try:
            return compare_network(self.bundles, link, self.torture.tallies, self.torture.raw)
        finally:
            entries.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("network") / "kept"
    lines: list[str] = []
    seconds, sites, real = size(10, 60), size(10, 100), size(1, 3)
    torture = NetworkTorture(seconds, seed=3, say=lines.append, sites=sites, real=real, keep=folder)
    yield Run(torture, asyncio.run(torture.run()), folder / "bundles")
    shutil.rmtree(folder)


def _kind(line: str) -> str:
    fact = json.loads(line)["fact"]
    return str((json.loads(fact) if isinstance(fact, str) else fact)["kind"])


@pytest.mark.requirement("GEN-09", "GEN-18")
@pytest.mark.timeout(600)
def test_faults_of_many_kinds_lose_nothing_in_a_network(run: Run) -> None:
    report = run.told
    assert report["problems"] == []
    assert (report["lost"], report["double"], report["differences"]) == (0, 0, 0)
    assert report["sites"] == size(10, 100)
    assert report["kinds"] >= 12, report["fault_counts"]
    assert report["faults"] >= 12
    assert report["wagers"] > 100
    assert report["paid"] > 0
    assert all(report["rounds"].values()), "every real site has played"


@pytest.mark.timeout(600)
def test_wagers_that_are_lost_on_purpose_are_found(run: Run) -> None:
    raw = run.torture.raw
    run.torture.raw = deepcopy(raw)
    run.torture.raw["R5"].wagers += 2
    try:
        comparison = run.compared()
    finally:
        run.torture.raw = raw
    assert (comparison.lost, comparison.double) == (2, 0)
    assert comparison.differences == 2, "the member, and in - out - held"


@pytest.mark.timeout(600)
def test_a_payment_that_is_missing_or_doubled_at_the_hub_is_found(run: Run) -> None:
    def without(lines: list[str]) -> list[str]:
        first = next(number for number, line in enumerate(lines) if _kind(line) == "HandedOver")
        return lines[:first] + lines[first + 1 :]

    def twice(lines: list[str]) -> list[str]:
        return [*lines, next(line for line in lines if _kind(line) == "HandedOver")]

    missing, doubled = run.compared(lines=without), run.compared(lines=twice)
    assert (missing.lost, missing.double) == (1, 0)
    assert (doubled.lost, doubled.double) == (0, 1)
    assert missing.differences > 0
    assert doubled.differences > 0


#: Runs before the program of a hub or a bookkeeper.
_SABOTAGE = """
import os, sys
if {"hub", "bookkeeper"} & set(sys.orig_argv):
    import pytest
    from tests.simulation.network_mutants import MUTANTS
    MUTANTS[os.environ["INJECTED_BUG"]](pytest.MonkeyPatch())
"""


@pytest.mark.whole
@pytest.mark.timeout(600)
def test_a_bug_in_the_real_programs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hub and sites that send each step once: awards stay open when the line is cut."""
    (tmp_path / "sitecustomize.py").write_text(_SABOTAGE, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path.cwd()}")
    monkeypatch.setenv("INJECTED_BUG", "no_resend")
    report = asyncio.run(NetworkTorture(20, seed=3, say=print, sites=20, real=1).run())
    assert report["differences"] > 0, report
    assert any("it ended as open" in problem for problem in report["problems"]), report["problems"]
