"""Expectations match a result in part."""

from typing import Any

import pytest

from feltwork.rehearsal.expectation import differences

RESULT = {
    "ok": True,
    "round": 1,
    "meters": {"drag": {"jackpot": "10000.75"}},
    "awards": [{"seat": 1, "needs": ["supervisor"]}, {"seat": 3, "needs": []}],
    "tray": {},
}


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"ok": True, "round": 1},
        {"round": "1"},
        {"meters": {"drag": {"jackpot": "10000.75"}}},
        {"awards": [{"seat": 3}]},
        {"awards": [{"seat": 1, "needs": ["supervisor"]}, {"seat": 3}]},
    ],
)
def test_what_matches(expected: dict[str, Any]) -> None:
    assert list(differences(expected, RESULT)) == []


@pytest.mark.parametrize(
    ("expected", "difference"),
    [
        ({"ok": False}, "ok: expected false, got true"),
        ({"ok": 1}, "ok: expected 1, got true"),
        ({"rule": "LT-03"}, "rule: expected LT-03, but the result has no such value"),
        ({"meters": {"drag": {"jackpot": "1.00"}}}, "meters.drag.jackpot: expected 1.00, got 10000.75"),
        ({"awards": []}, "awards: expected [], got [{seat: 1, needs: [supervisor]}, {seat: 3, needs: []}]"),
        (
            {"awards": [{"seat": 1, "needs": []}, {"seat": 3}]},
            "awards[0].needs: expected [], got [supervisor]",
        ),
        ({"awards": [{"seat": 1}, {"seat": 3}, {"seat": 4}]}, "awards: expected 3 items, got 2"),
        (
            {"awards": [{"seat": 2}]},
            (
                "awards[0]: expected {seat: 2}, but no item of "
                "[{seat: 1, needs: [supervisor]}, {seat: 3, needs: []}] matches"
            ),
        ),
    ],
)
def test_what_differs(expected: dict[str, Any], difference: str) -> None:
    assert list(differences(expected, RESULT)) == [difference]
