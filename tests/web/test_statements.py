"""How many statements, transactions and locks a press at a screen takes."""

import pytest

from tests.support.statements import counted
from tests.web.house import House


@pytest.mark.requirement("LT-02")
def test_a_press_at_a_screen_takes_twelve_statements_and_one_lock(house: House) -> None:
    link = house.open("counted")
    house.start(link, "A1")
    with counted() as taken:
        pressed = house.done("dana", f"/api/v1/links/{link}/tables/A1/hand", {"seat": 1, "hand": "four_aces"})
    assert pressed["award"]
    assert len(taken.texts) <= 12, taken.texts
    assert (taken.locks, taken.commits) == (1, 1)
