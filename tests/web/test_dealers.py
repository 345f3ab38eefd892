"""A table whose floor file names its dealers is offered to them only, and started by them only."""

import pytest

from tests.web.house import House

HTML = {"Accept": "text/html"}


@pytest.mark.requirement("WA-30")
def test_only_the_dealers_of_a_table_deal_it(house: House) -> None:
    def offered() -> set[str]:
        page = house.of("dana").get("/dealer", headers=HTML).text
        return {table for table in ("A1", "D1") if f'href="/dealer/dealt/{table}"' in page}

    house.open("dealt")
    assert offered() == {"A1", "D1"}
    house.lay(('id = "A1"\n', 'id = "A1"\ndealers = ["dex"]\n'))
    assert offered() == {"D1"}
    wagers = {"wagers": {"dealt": [1]}, "players": [1]}
    refused = house.post("dana", "/api/v1/tables/A1/start?link=dealt", wagers)
    assert (refused.status_code, refused.json()["rule"]) == (403, "dealers-of-table")
    assert refused.json()["detail"] == "dana is not one of the dealers of table A1"
    house.start("dealt", "D1")
    house.end("dealt", "D1")
    house.lay(('id = "A1"\n', 'id = "A1"\ndealers = ["dex", "dana"]\n'))
    house.start("dealt", "A1")
    house.end("dealt", "A1")
    house.lay()


@pytest.mark.requirement("GEN-06")
def test_a_screen_starts_no_more_rounds_in_an_hour_than_the_floor_allows(house: House) -> None:
    link = house.open("hourly")
    house.lay(('id = "H1"\n', 'id = "H1"\nrounds_per_hour = 2\n'))
    for _ in range(2):
        house.start(link, "H1")
        house.end(link, "H1")
    refused = house.post(
        "dana", f"/api/v1/tables/H1/start?link={link}", {"wagers": {link: [1]}, "players": [1]}
    )
    assert refused.status_code == 409, refused.text
    assert "hour" in refused.json()["detail"]
    house.lay()
    house.start(link, "H1")
    house.end(link, "H1")
