"""The evenings of the letters once more, each through HTTP on PostgreSQL."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from feltwork.money import DOLLAR
from tests.books.test_scenarios import EVENINGS
from tests.progressive import test_scenarios
from tests.web.house import House
from tests.web.room import WebRoom


@pytest.fixture
def scenarios(house: House, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of the pure scenarios, with rooms that are asked over HTTP."""
    monkeypatch.setattr(test_scenarios, "Room", partial(WebRoom, house))
    return test_scenarios


@pytest.mark.requirement("LT-02", "LT-03", "LT-05", "LT-06", "LT-07", "LT-08", "LT-09", "GEN-10", "WA-05")
@pytest.mark.parametrize(("name", "lock_at"), EVENINGS)
def test_an_evening_through_http(scenarios: Any, name: str, lock_at: str | None) -> None:
    evening: Callable[..., None] = getattr(scenarios, name)
    evening(lock_at) if lock_at else evening()


@pytest.mark.requirement("GEN-19", "GL-08")
def test_each_access_to_a_configuration_is_on_the_log(house: House) -> None:
    """Who signed in, who was refused, who asked and who approved: with place, time and reason."""
    link = house.open("logged")
    refused = house.post("cara", "/api/v1/proposals", {"command": "open_link", "link": link, "reason": "go"})
    assert refused.status_code == 403
    wrong = house.nobody.post("/api/v1/sign-in", json={"badge": "B-sue", "pin": "0000", "place": "pit 3"})
    assert wrong.status_code == 401
    command = {"command": "set_cap", "link": link, "level": "jackpot", "cap": 90_000 * DOLLAR}
    reply = house.two("ann", "eve", **command, reason="the approval of May")
    log = house.get("otto", "/api/v1/reports/audit_log")["rows"]
    assert all(row["booked_at"] and row["place"] and row["who"] for row in log)
    entries = [(row["who"], row["what"], row["why"]) for row in log]
    reason = "the approval of May"
    assert entries.index(("ann", "/proposals", reason)) < entries.index(
        ("eve", f"/proposals/{reply['proposal']}/approve", reason)
    )
    assert {("ann", "signed in"), ("eve", "signed in")} <= {(who, what) for who, what, _ in entries}
    assert any(who == "cara" and what.startswith("refused: open_link") for who, what, _ in entries)
    assert any(row["place"] == "pit 3" for row in log), "a wrong PIN is on the log too"
    answers = [row["after"] for row in log if row["what"].endswith("/approve") and row["why"] == reason]
    assert answers[0]["booked"]["facts"][0]["before"] == -1
    assert answers[0]["booked"]["facts"][0]["after"] == 90_000 * DOLLAR
