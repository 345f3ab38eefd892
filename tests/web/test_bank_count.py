"""What recording a count of the bank would do, as the office shows it before, and does."""

from typing import Any

import pytest

from feltwork import money
from feltwork.money import CENT, DOLLAR
from tests.web.house import HEAD, House


def shown(house: House, link: str, balance: int) -> dict[str, Any]:
    """The page of the count, with a balance filled in."""
    return house.get("ann", f"/office/links/{link}/count?bank_balance={money.text(balance)}")


@pytest.mark.requirement("WA-18")
def test_the_office_sees_what_a_count_does_before_it_is_recorded(house: House) -> None:
    house.changes = [(HEAD, f'count_tolerance = "5.00"\n{HEAD}')]
    link = house.open("bank")
    required = shown(house, link, 0)["required"]
    assert required > 0
    effects = {
        change: shown(house, link, required + change)["effect"]
        for change in (0, CENT, -CENT, -5 * DOLLAR, -5 * DOLLAR - CENT)
    }
    assert list(effects.values()) == ["even", "over", "within_tolerance", "within_tolerance", "stops"]
    short = {"bank_balance": required - 6 * DOLLAR}
    assert house.done("ann", f"/api/v1/links/{link}/count", short)["facts"]
    assert not house.get("dana", f"/api/v1/links/{link}")["takes_wagers"]
    assert shown(house, link, required - 6 * DOLLAR)["effect"] == "stays_stopped"
    assert shown(house, link, required - 5 * DOLLAR)["effect"] == "resumes"
    house.done("ann", f"/api/v1/links/{link}/count", {"bank_balance": required - 5 * DOLLAR})
    assert house.get("dana", f"/api/v1/links/{link}")["takes_wagers"]


@pytest.mark.requirement("GEN-06")
def test_amounts_are_bounded(house: House) -> None:
    link, most = house.open("bounded"), 10**15
    count = f"/api/v1/links/{link}/count"
    for balance, status in ((-1, 422), (most + 1, 422), (str(most), 422), (most, 200)):
        assert house.post("ann", count, {"bank_balance": balance}).status_code == status, balance
    about = {"command": "adjust", "link": link, "level": "jackpot", "pool": "meter", "evidence": "memo"}
    about |= {"lawful_reason": "HOUSE_ADDITION", "reason": "a test"}
    for change, status in ((most, 200), (most + 1, 422), (-most - 1, 422)):
        adjustment = {**about, "adjustment": f"A{change}", "change": change}
        assert house.post("ann", "/api/v1/proposals", adjustment).status_code == status, change


@pytest.mark.requirement("GL-04")
def test_each_table_has_a_place_of_its_own_on_the_floor_plan(house: House) -> None:
    def arrange(*places: tuple[str, int, int]) -> int:
        positions = [{"table": table, "column": column, "row": row} for table, column, row in places]
        return house.post("sam", "/api/v1/floors/plan", {"places": positions}).status_code

    assert arrange() == 422
    assert arrange(("A1", 3, 1)) == 200, "a room may have one table"
    assert arrange(("A1", 1, 1), ("D1", 2, 1)) == 200
    assert arrange(("A1", 1, 1), ("D1", 1, 1)) == 409
    assert arrange(("A1", 1, 1), ("A1", 2, 1)) == 409
    assert house.get("sam", "/floor")["places"]["D1"] == [2, 1]
