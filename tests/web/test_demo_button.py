"""The button of the demo: there on a stage, and nowhere else."""

import httpx

from tests.web.house import House


def test_a_house_has_no_button_and_no_such_address(house: House) -> None:
    home = httpx.get(house.url, headers={"Accept": "text/html"})
    assert home.status_code == 200
    assert "make-jackpot" not in home.text
    assert "Every PIN" not in home.text
    assert httpx.post(f"{house.url}/demo/jackpot").status_code == 404
    assert httpx.get(f"{house.url}/demo/awards").status_code == 404
