"""Torture as people run it: everything breaks under load, and the books hold what tables sent."""

import json
import subprocess
from typing import Any

import pytest

from tests.simulation.conftest import COMMAND
from tests.sizes import size


def torture(*options: str, seconds: int) -> tuple[int, dict[str, Any]]:
    asked = [*COMMAND, "torture", "--seconds", str(seconds), "--json", *options]
    told = subprocess.run(asked, capture_output=True, text=True, timeout=seconds + 150, check=False)
    assert told.stdout, told.stderr[-3000:]
    answer: dict[str, Any] = json.loads(told.stdout)
    return told.returncode, answer


@pytest.mark.requirement("GEN-09", "GL-03", "GL-12", "WA-05")
@pytest.mark.timeout(600)
def test_faults_of_many_kinds_lose_nothing_and_double_nothing() -> None:
    code, told = torture("--seed", "20261115", "--adversarial", seconds=size(25, 110))
    assert told["problems"] == []
    assert code == 0
    assert sum(told["faults"].values()) >= size(8, 60), told["faults"]
    assert sum(times > 0 for times in told["faults"].values()) >= size(5, 8)
    assert told["wagers"]["sent"] == told["wagers"]["booked"] > size(2_000, 10_000)
    assert (told["wagers"]["lost"], told["wagers"]["double"], told["meter_differences"]) == (0, 0, 0)
    assert (told["ends"]["lost"], told["ends"]["double"]) == (0, 0)
    assert (told["awards"]["lost"], told["awards"]["double"]) == (0, 0)
    assert told["awards"]["confirmed"] >= size(0, 1)
    assert (told["accepted"], told["honest_lost"]) == (0, 0)
    assert told["kinds"] >= 12
    assert told["attacks"] >= 5_000
    assert told["backlog"] is None or told["backlog"] < 10_000
    assert told["took"]["drained"] - told["took"]["stopped"] < 90
    assert told["alarms"] > 0
    assert min(told["links"].get(link, 0) for link in ("sevens", "trilux", "house-sevens")) > 0, told["links"]


@pytest.mark.whole
@pytest.mark.timeout(200)
def test_a_round_that_is_lost_on_purpose_is_found() -> None:
    code, told = torture("--seed", "1", "--drop-one", seconds=6)
    assert code == 1
    assert (told["rounds"]["lost"], told["wagers"]["lost"]) == (1, 2)
    assert told["wagers"]["double"] == 0
