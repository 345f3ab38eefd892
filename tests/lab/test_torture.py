"""Torture as people run it: everything breaks under load, and the books hold what tables sent."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.sizes import size


def torture(*options: str, seconds: int) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "lab.torture", "--seconds", str(seconds), "--json", *options]
    process = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 150, check=False)
    assert process.stdout, process.stderr[-3000:]
    answer: dict[str, Any] = json.loads(process.stdout)
    return process.returncode, answer


@pytest.mark.whole
@pytest.mark.requirement("GEN-09", "GL-03", "GL-12", "WA-05")
@pytest.mark.timeout(600)
def test_faults_of_many_kinds_lose_nothing_and_double_nothing() -> None:
    # With this seed, commits that no standby has are lost first of all.
    code, report = torture("--seed", "20261129", "--adversarial", seconds=size(10, 180))
    assert report["problems"] == []
    assert code == 0
    assert sum(report["faults"].values()) >= size(4, 60), report["faults"]
    assert sum(times > 0 for times in report["faults"].values()) >= size(3, 15)
    assert report["faults"].get("lose_commits", 0) > 0, report["faults"]
    assert report["unconfirmed"] > 0, "PostgreSQL has reported commits that no standby had"
    assert report["wagers"]["sent"] == report["wagers"]["booked"] > size(1_000, 10_000)
    assert (report["wagers"]["lost"], report["wagers"]["double"], report["meter_differences"]) == (0, 0, 0)
    assert (report["ends"]["lost"], report["ends"]["double"]) == (0, 0)
    assert (report["awards"]["lost"], report["awards"]["double"]) == (0, 0)
    assert report["awards"]["confirmed"] >= size(0, 1)
    assert (report["accepted"], report["honest_lost"]) == (0, 0)
    assert report["kinds"] >= 12
    assert report["attacks"] >= size(2_500, 5_000)
    assert report["backlog"] is None or report["backlog"] < 10_000
    assert report["took"]["drained"] - report["took"]["stopped"] < 90
    assert report["alarms"] > 0
    assert min(report["links"].get(link, 0) for link in ("sevens", "trilux", "house-sevens")) > 0, report[
        "links"
    ]


@pytest.mark.whole
@pytest.mark.timeout(200)
def test_a_round_that_is_lost_on_purpose_is_found() -> None:
    code, report = torture("--seed", "1", "--drop-one", seconds=6)
    assert code == 1
    assert (report["rounds"]["lost"], report["wagers"]["lost"]) == (1, 2)
    assert report["wagers"]["double"] == 0
